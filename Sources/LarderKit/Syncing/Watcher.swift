import Foundation
internal import LarderCloud
internal import LarderGit
public import LarderModel
internal import LarderStore
internal import Libc

/// A watch over a household that adopts edits when they are saved, and syncs in the background.
///
/// A file is adopted when nothing has changed for a second. A sync follows each change here, and
/// also runs at an interval. If a remote or the project is unreachable, attempts become less and
/// less frequent; the two never wait for each other. Only one process at a time watches a
/// household.
final class Watcher {
  private var store: Store
  /// The folder that is watched, which another one of this path may replace.
  private let folder: FolderIdentity
  private let context: LarderContext
  private let report: (WatchEvent) -> Void
  private let start = ContinuousClock.now
  private let sync = BackgroundSync<SyncOutcome>()
  private let exchange = BackgroundSync<CloudOutcome>()
  private var plan: WatchPlan
  private var told = ToldProblems()
  /// The targets that have synced successfully, and those that were available at the last look; nil
  /// before the first one.
  private var synced: Set<SyncTarget> = []
  private var available: Set<SyncTarget>?

  private var now: Duration { .now - start }

  /// Creates a watch; `interval` is at least a second.
  init(
    _ store: Store, _ context: LarderContext, every interval: Duration,
    report: @escaping (WatchEvent) -> Void
  ) {
    self.store = store
    folder = FolderIdentity(of: store.root)
    self.context = context
    self.report = report
    plan = WatchPlan(every: max(.seconds(1), interval), for: SyncTarget.allCases) { longest in
      longest * Double.random(in: 0...1)
    }
  }

  /// Watches until one of some descriptors is readable; a write in progress is finished first.
  ///
  /// Throws `StoreError.watched` if another process watches the household, ``FolderReplaced`` if its
  /// folder was moved or removed, and an error if nothing can be heard of it. Every other error is
  /// reported, and the watch goes on.
  func run(until stops: [Int32]) throws {
    try store.whileWatching {
      let notices = try FileNotices(of: store)
      var isLooking = notices.isLooking
      report(.began(isLooking: isLooking))
      while true {
        let step = plan.step(at: now)
        var time = Duration.zero
        if case .wait(let rest) = step { time = rest }
        let heard = try notices.wait(
          atMost: time, orReadable: stops + [sync.descriptor, exchange.descriptor])
        if !heard.readable.isDisjoint(with: stops) { return try end() }
        if heard.readable.contains(sync.descriptor) { finishSync() }
        if heard.readable.contains(exchange.descriptor) { finishExchange() }
        if heard.hasChanged { plan.changed(at: now) }
        if notices.isLooking != isLooking {
          isLooking = notices.isLooking
          report(.looking)
        }
        switch plan.step(at: now) {
        case .look:
          let isReplaced = notices.hasLostPlace || folder != FolderIdentity(of: store.root)
          if isReplaced { throw FolderReplaced() }
          look()
        case .sync(.git): try beginSync()
        case .sync(.cloud): try beginExchange()
        case .wait: break
        }
      }
    }
  }

  /// Another folder has taken the place of the one that is watched.
  struct FolderReplaced: Error {}

  private func look() {
    do {
      try adopt()
    } catch {
      lookAnew(after: error)
    }
  }

  /// Looks with a store that remembers nothing, because files of an earlier time may have been put
  /// back; tells what is in the way still.
  private func lookAnew(after error: any Error) {
    do {
      guard !error.isPassing else { throw error }
      store = try Store.open(from: store.root, context: store.context)
      try adopt()
    } catch {
      let isPassing = error.isPassing
      if told.isNews(error) { report(isPassing ? .waiting(for: error) : .failed(error)) }
      if isPassing { plan.blocked(at: now) } else { plan.looked(at: now, ahead: []) }
    }
  }

  private func adopt() throws {
    if let obstacle = store.obstacle { throw obstacle }
    let writing = try store.adopt()
    told.wentWell()
    if let adoption = writing.adoption {
      tell(adoption, writing.household)
    } else {
      told.forgetFiles()
    }
    let targets = try syncTargets()
    let opened = targets.available.subtracting(available ?? [])
    plan.looked(at: now, ahead: targets.ahead, opened: opened)
    let isSignedIn = targets.available.contains(.cloud)
    if let available, available.contains(.cloud) != isSignedIn { report(.signedIn(isSignedIn)) }
    available = targets.available
  }

  private func tell(_ adoption: Writing.Adoption, _ household: Household) {
    guard let news = told.news(of: adoption, in: store) else { return }
    report(.adopted(news, household))
  }

  /// Returns the available targets, and those with something to send.
  private func syncTargets() throws -> (available: Set<SyncTarget>, ahead: Set<SyncTarget>) {
    var available: Set<SyncTarget> = []
    var ahead: Set<SyncTarget> = []
    if try hasRemote() {
      available.insert(.git)
      if try Synchronizer(store: store).isAhead { ahead.insert(.git) }
    }
    do {
      if let connection = try CloudConnection.signedIn(of: store, context) {
        available.insert(.cloud)
        if try CallingThread.run({ _ in try await connection.state() }).count(.pending) > 0 {
          ahead.insert(.cloud)
        }
      }
    } catch {
      // The exchange reports the error when it is due.
    }
    return (available, ahead)
  }

  private func hasRemote() throws -> Bool {
    guard let repository = store.repository else { return false }
    return try !repository.remotes().isEmpty
  }

  private func beginSync() throws {
    guard try hasRemote() else { return plan.synced(.git, at: now) }
    plan.syncBegan(.git)
    sync.start { [root = store.root, context = store.context] adopted in
      try Synchronizer(store: try Store.open(from: root, context: context)) { event in
        if case .adopted(let adoption, let household) = event { adopted(adoption, household) }
      }.sync()
    }
  }

  private func beginExchange() throws {
    do {
      guard let connection = try CloudConnection.signedIn(of: store, context) else {
        return plan.synced(.cloud, at: now)
      }
      plan.syncBegan(.cloud)
      exchange.start { adopted in
        let sync = try connection.sync(adopted: adopted)
        let (pulled, pushed) = try CallingThread.run { _ in try await sync.sync() }
        return CloudOutcome(pulled: pulled, pushed: pushed)
      }
    } catch {
      fail(.cloud, error)
    }
  }

  private func finishSync() {
    finish(sync, .git) { outcome, isWorthTelling in
      if outcome.received > 0 || outcome.sent > 0 || isWorthTelling { report(.synced(outcome)) }
    }
  }

  private func finishExchange() {
    finish(exchange, .cloud) { outcome, isWorthTelling in
      if outcome.isNews || isWorthTelling { report(.exchanged(outcome)) }
    }
  }

  private func finish<Outcome>(
    _ sync: BackgroundSync<Outcome>, _ target: SyncTarget, _ tellOutcome: (Outcome, Bool) -> Void
  ) {
    guard let ended = sync.takeEnded() else { return }
    for adopted in ended.adopted { tell(adopted.adoption, adopted.household) }
    switch ended.result {
    case .success(let outcome):
      plan.synced(target, at: now)
      note(target, nil)
      let isBack = told.syncIsBack(with: target)
      tellOutcome(outcome, isBack || !synced.contains(target))
      synced.insert(target)
    case .failure(let error): fail(target, error)
    }
  }

  private func fail(_ target: SyncTarget, _ error: any Error) {
    let rest = plan.syncFailed(target, at: now)
    note(target, error)
    if told.isNewsOfSync(error, with: target) { report(.syncFailed(error, again: rest)) }
  }

  private func note(_ target: SyncTarget, _ failure: (any Error)?) {
    SyncRecords.note(target, failure, isTold: false, in: store, at: context.now())
  }

  private func end() throws {
    guard sync.isRunning || exchange.isRunning else { return }
    let lock = try HeldLock(of: store)
    sync.keep(lock)
    exchange.keep(lock)
  }
}

extension Larder {
  /// Returns the targets of a sync.
  public func syncTargets() throws -> SyncTargets {
    let hasRemote = try !(store.repository?.remotes() ?? []).isEmpty
    guard try !store.isOn(.localOnly) else { return SyncTargets(hasRemote: hasRemote) }
    guard try store.cloudURL != nil else { return SyncTargets(hasRemote: hasRemote) }
    let isSignedIn = try CloudConnection.signedIn(of: store, context) != nil
    return SyncTargets(hasRemote: hasRemote, isSignedIn: isSignedIn)
  }
}

/// The targets of a sync: git remotes, the project, both or nothing.
public struct SyncTargets: Sendable {
  public var hasRemote: Bool
  /// Whether a user is signed in to the project; nil if the household is not connected or stays
  /// local.
  public var isSignedIn: Bool?
}

/// An event that a watch reports.
public enum WatchEvent: Sendable {
  /// The watch has begun; `isLooking` says that it polls the files, because the system does not
  /// report changes.
  case began(isLooking: Bool)
  /// The system no longer reports changes, so the watch polls the files from now on.
  case looking
  /// Edits by hand or commits of plain git were adopted.
  case adopted(Writing.Adoption, Household)
  /// An obstacle prevents adopting; reported once, and the watch waits for it to go away.
  case waiting(for: any Error)
  /// Adopting failed; reported once, and the next change starts another attempt.
  case failed(any Error)
  /// A user has signed in to the project, or nobody is signed in to a project any more; the watch
  /// notices it with the next change of the household's settings, and otherwise within the interval.
  case signedIn(Bool)
  /// A sync by git received or sent something, or is the first successful one.
  case synced(SyncOutcome)
  /// An exchange with the project received, sent or refused something, or is the first successful
  /// one.
  case exchanged(CloudOutcome)
  /// A sync or an exchange failed; `again` is the time until the next attempt, and each reason is
  /// reported once.
  case syncFailed(any Error, again: Duration)
}

/// A request to end a watch.
public final class WatchStop: Sendable {
  private let pipe: Pipe?
  let descriptor: Int32

  /// Creates a request that ``stop()`` makes.
  public init() {
    let pipe = Pipe()
    self.pipe = pipe
    descriptor = pipe.fileHandleForReading.fileDescriptor
  }

  /// Creates a request that is made when a file descriptor becomes readable, such as the end of a
  /// pipe that a signal handler writes to.
  public init(readable descriptor: Int32) {
    pipe = nil
    self.descriptor = descriptor
  }

  /// Ends the watch, from any thread; does nothing if the request uses another descriptor.
  public func stop() {
    pipe?.fileHandleForWriting.write(Data([0]))
  }
}

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
