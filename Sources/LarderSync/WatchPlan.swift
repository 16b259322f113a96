/// What a watch does next, by what has happened.
///
/// It has no clock and does nothing itself: times are handed in, counted from when the watch began.
package struct WatchPlan {
  package enum Step: Equatable, Sendable {
    /// Adopt what people did, and see whether the remote lacks something.
    case look
    case sync
    /// Nothing is due before so long.
    case wait(Duration)
  }

  /// How long nothing may change before the files are looked at, so that saving is over by then.
  package static let quiet = Duration.seconds(1)
  /// How long somebody who goes on writing can put off the look.
  package static let patience = Duration.seconds(10)
  /// How soon to try again while something is in the way.
  package static let blockedRest = Duration.seconds(1)
  /// The first of the waits for a remote that is away is at most this.
  package static let firstBackoff = Duration.seconds(4)
  /// The clock that waits are measured by may stand still while the machine sleeps.
  package static let longestWait = Duration.seconds(60)

  private let interval: Duration
  private let random: (Duration) -> Duration
  private var changes: (first: Duration, last: Duration)?
  private var nextLook = Duration.zero
  private var nextSync = Duration.zero
  private var isBlocked = false
  private var isSyncing = false
  private var isSyncWanted = false
  private var failures = 0

  /// `random` gives a time between zero and the given one.
  package init(every interval: Duration, random: @escaping (Duration) -> Duration) {
    self.interval = interval
    self.random = random
  }

  package func step(at now: Duration) -> Step {
    let look = min(nextLook, changes.map(Self.end) ?? nextLook)
    if look <= now { return .look }
    let mayCheck = !isSyncing && !isBlocked
    if mayCheck, nextSync <= now { return .sync }
    let next = mayCheck ? min(look, nextSync) : look
    return .wait(min(next - now, Self.longestWait))
  }

  private static func end(of changes: (first: Duration, last: Duration)) -> Duration {
    min(changes.last + quiet, changes.first + patience)
  }

  /// A file was saved, or the branch moved.
  package mutating func changed(at now: Duration) {
    changes = (changes?.first ?? now, now)
  }

  /// A look is done; `isAhead` says that the remote lacks something.
  package mutating func looked(at now: Duration, isAhead: Bool) {
    changes = nil
    isBlocked = false
    nextLook = now + interval
    guard isAhead else { return }
    if isSyncing {
      isSyncWanted = true
    } else if failures == 0 {
      nextSync = now
    }
  }

  /// A look had to be put off.
  package mutating func blocked(at now: Duration) {
    changes = nil
    isBlocked = true
    nextLook = now + Self.blockedRest
  }

  package mutating func syncBegan() {
    isSyncing = true
    isSyncWanted = false
  }

  package mutating func synced(at now: Duration) {
    isSyncing = false
    failures = 0
    nextSync = isSyncWanted ? now : now + interval
  }

  /// A sync failed; gives how long to leave the remote alone.
  ///
  /// Exponential with full jitter (M. Brooker, "Exponential Backoff And Jitter", 2015): devices that
  /// lost the remote together don't come back together. The longest waits are as long as the usual
  /// ones on average.
  package mutating func syncFailed(at now: Duration) -> Duration {
    isSyncing = false
    failures += 1
    let ceiling = min(Self.firstBackoff * (1 << min(failures - 1, 20)), interval * 2)
    let rest = random(ceiling)
    nextSync = now + rest
    return rest
  }
}
