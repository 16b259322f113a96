/// When a watch goes one of its roads next: by git, or by what else a household has.
///
/// Each road has waits of its own, so that one that is closed for a while holds up no other.
struct RoadPlan {
  private(set) var next = Duration.zero
  private(set) var isUnderWay = false
  private var isWanted = false
  private var failures = 0

  /// There is something to send.
  mutating func isAhead(at now: Duration) {
    if isUnderWay {
      isWanted = true
    } else if failures == 0 {
      next = now
    }
  }

  /// It leads somewhere since just now, whatever failed before.
  mutating func opened(at now: Duration) {
    failures = 0
    isAhead(at: now)
  }

  mutating func began() {
    isUnderWay = true
    isWanted = false
  }

  mutating func ended(at now: Duration, every interval: Duration) {
    isUnderWay = false
    failures = 0
    next = isWanted ? now : now + interval
  }

  /// Gives how long to leave the road alone.
  ///
  /// Exponential with full jitter (M. Brooker, "Exponential Backoff And Jitter", 2015): devices that
  /// lost the remote together don't come back together. The longest waits are as long as the usual
  /// ones on average.
  mutating func failed(
    at now: Duration, every interval: Duration, random: (Duration) -> Duration
  ) -> Duration {
    isUnderWay = false
    failures += 1
    let ceiling = min(WatchPlan.firstBackoff * (1 << min(failures - 1, 20)), interval * 2)
    let rest = random(ceiling)
    next = now + rest
    return rest
  }
}
