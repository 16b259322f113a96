/// What a watch does next, by what has happened.
///
/// It has no clock and does nothing itself: times are handed in, counted from when the watch began.
struct WatchPlan {
  enum Step: Equatable, Sendable {
    /// Adopt what people did, and see what the roads lead to lacks.
    case look
    /// Go a road, by its number.
    case sync(road: Int)
    /// Nothing is due before so long.
    case wait(Duration)
  }

  /// How long nothing may change before the files are looked at, so that saving is over by then.
  static let quiet = Duration.seconds(1)
  /// How long somebody who goes on writing can put off the look.
  static let patience = Duration.seconds(10)
  /// How soon to try again while something is in the way.
  static let blockedRest = Duration.seconds(1)
  /// The first of the waits for a remote that is away is at most this.
  static let firstBackoff = Duration.seconds(4)
  /// The clock that waits are measured by may stand still while the machine sleeps.
  static let longestWait = Duration.seconds(60)

  private let interval: Duration
  private let random: (Duration) -> Duration
  private var changes: (first: Duration, last: Duration)?
  private var nextLook = Duration.zero
  private var isBlocked = false
  private var roads: [RoadPlan]

  /// `random` gives a time between zero and the given one.
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

  /// A file was saved, or the branch moved.
  mutating func changed(at now: Duration) {
    changes = (changes?.first ?? now, now)
  }

  /// A look is done; `ahead` are the roads that there is something to send by, `opened` those that lead
  /// somewhere since then.
  mutating func looked(at now: Duration, ahead: Set<Int>, opened: Set<Int> = []) {
    changes = nil
    isBlocked = false
    nextLook = now + interval
    for road in opened { roads[road].opened(at: now) }
    for road in ahead { roads[road].isAhead(at: now) }
  }

  /// A look had to be put off.
  mutating func blocked(at now: Duration) {
    changes = nil
    isBlocked = true
    nextLook = now + Self.blockedRest
  }

  mutating func syncBegan(road: Int = 0) { roads[road].began() }

  mutating func synced(road: Int = 0, at now: Duration) {
    roads[road].ended(at: now, every: interval)
  }

  /// A sync failed; gives how long to leave the road alone.
  mutating func syncFailed(road: Int = 0, at now: Duration) -> Duration {
    roads[road].failed(at: now, every: interval, random: random)
  }
}
