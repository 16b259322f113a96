/// A target that a household syncs with.
enum SyncTarget: CaseIterable {
  case git
  case cloud
}

/// The schedule of a watch's syncs with one target.
///
/// Each target has its own waiting times, so one that is unreachable for a while does not delay the
/// other.
struct TargetPlan {
  private(set) var next = Duration.zero
  private(set) var isUnderWay = false
  private var isWanted = false
  private var failures = 0

  /// Records that there is something to send.
  mutating func isAhead(at now: Duration) {
    if isUnderWay {
      isWanted = true
    } else if failures == 0 {
      next = now
    }
  }

  /// Records that the target has just become available; earlier failures no longer count.
  mutating func becameAvailable(at now: Duration) {
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

  /// Records a failure, and returns the time until the next attempt.
  ///
  /// It is an exponential backoff with full jitter (M. Brooker, "Exponential Backoff And Jitter",
  /// 2015), so devices that lost the remote at the same time don't all come back together. On
  /// average, the longest waits are as long as the usual interval.
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
