/// The next step of a watch, by what has happened so far.
///
/// It has no clock and does no work. Callers pass the times, measured from the start of the watch.
struct WatchPlan {
  enum Step: Equatable, Sendable {
    /// Adopt edits, and find out for which targets there is something to send.
    case look
    case sync(SyncTarget)
    /// Wait; nothing is due before this time is over.
    case wait(Duration)
  }

  /// The time without changes before a look, so saving a file is over by then.
  static let quiet = Duration.seconds(1)
  /// The longest time that continuous writing can delay a look.
  static let patience = Duration.seconds(10)
  /// The time between attempts while an obstacle prevents a look.
  static let blockedRest = Duration.seconds(1)
  /// The longest first wait for an unreachable remote.
  static let firstBackoff = Duration.seconds(4)
  /// The longest wait, because the clock may stop while the machine sleeps.
  static let longestWait = Duration.seconds(60)

  private let interval: Duration
  private let random: (Duration) -> Duration
  private var changes: (first: Duration, last: Duration)?
  private var nextLook = Duration.zero
  private var isBlocked = false
  private var targets: [SyncTarget: TargetPlan]

  /// Creates a plan for some targets; `random` returns a time between zero and its argument.
  init(
    every interval: Duration, for targets: [SyncTarget] = [.git],
    random: @escaping (Duration) -> Duration
  ) {
    self.interval = interval
    self.random = random
    self.targets = Dictionary(uniqueKeysWithValues: targets.map { ($0, TargetPlan()) })
  }

  func step(at now: Duration) -> Step {
    let look = min(nextLook, changes.map(Self.end) ?? nextLook)
    if look <= now { return .look }
    let idle = isBlocked ? [:] : targets.filter { !$0.value.isUnderWay }
    let due = SyncTarget.allCases.first { idle[$0].map { $0.next <= now } ?? false }
    if let due { return .sync(due) }
    let next = idle.values.map(\.next).min() ?? look
    return .wait(min(min(look, next) - now, Self.longestWait))
  }

  private static func end(of changes: (first: Duration, last: Duration)) -> Duration {
    min(changes.last + quiet, changes.first + patience)
  }

  /// Records that a file was saved or the branch moved.
  mutating func changed(at now: Duration) {
    changes = (changes?.first ?? now, now)
  }

  /// Records a finished look; `ahead` are the targets with something to send, `opened` those that
  /// have become available.
  mutating func looked(at now: Duration, ahead: Set<SyncTarget>, opened: Set<SyncTarget> = []) {
    changes = nil
    isBlocked = false
    nextLook = now + interval
    for target in opened { targets[target]?.becameAvailable(at: now) }
    for target in ahead { targets[target]?.isAhead(at: now) }
  }

  /// Records that a look had to be delayed.
  mutating func blocked(at now: Duration) {
    changes = nil
    isBlocked = true
    nextLook = now + Self.blockedRest
  }

  mutating func syncBegan(_ target: SyncTarget = .git) { targets[target]?.began() }

  mutating func synced(_ target: SyncTarget = .git, at now: Duration) {
    targets[target]?.ended(at: now, every: interval)
  }

  /// Records a failed sync; returns the time until the next attempt.
  mutating func syncFailed(_ target: SyncTarget = .git, at now: Duration) -> Duration {
    targets[target]?.failed(at: now, every: interval, random: random) ?? interval
  }
}
