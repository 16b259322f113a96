/// The next step of a watch, by what has happened so far.
///
/// It has no clock and does no work. Callers pass the times, measured from the start of the watch.
struct WatchPlan {
  enum Step: Equatable, Sendable {
    /// Adopt edits, and find out which roads have something to send.
    case look
    /// Sync by a road, by its number.
    case sync(road: Int)
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
  private var roads: [RoadPlan]

  /// Creates a plan; `random` returns a time between zero and its argument.
  init(
    every interval: Duration, roads count: Int = 1, random: @escaping (Duration) -> Duration
  ) {
    self.interval = interval
    self.random = random
    roads = Array(repeating: RoadPlan(), count: count)
  }

  func step(at now: Duration) -> Step {
    let look = min(nextLook, changes.map(Self.end) ?? nextLook)
    if look <= now { return .look }
    let idle = isBlocked ? [] : roads.indices.filter { !roads[$0].isUnderWay }
    if let due = idle.first(where: { roads[$0].next <= now }) { return .sync(road: due) }
    let next = idle.map { roads[$0].next }.min() ?? look
    return .wait(min(min(look, next) - now, Self.longestWait))
  }

  private static func end(of changes: (first: Duration, last: Duration)) -> Duration {
    min(changes.last + quiet, changes.first + patience)
  }

  /// Records that a file was saved or the branch moved.
  mutating func changed(at now: Duration) {
    changes = (changes?.first ?? now, now)
  }

  /// Records a finished look; `ahead` are the roads with something to send, `opened` those that
  /// have become open.
  mutating func looked(at now: Duration, ahead: Set<Int>, opened: Set<Int> = []) {
    changes = nil
    isBlocked = false
    nextLook = now + interval
    for road in opened { roads[road].opened(at: now) }
    for road in ahead { roads[road].isAhead(at: now) }
  }

  /// Records that a look had to be delayed.
  mutating func blocked(at now: Duration) {
    changes = nil
    isBlocked = true
    nextLook = now + Self.blockedRest
  }

  mutating func syncBegan(road: Int = 0) { roads[road].began() }

  mutating func synced(road: Int = 0, at now: Duration) {
    roads[road].ended(at: now, every: interval)
  }

  /// Records a failed sync; returns the time until the next attempt.
  mutating func syncFailed(road: Int = 0, at now: Duration) -> Duration {
    roads[road].failed(at: now, every: interval, random: random)
  }
}
