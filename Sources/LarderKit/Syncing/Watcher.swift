internal import LarderCloud
internal import LarderGit
internal import LarderModel
internal import LarderStore
internal import LarderSync

/// A watch over a household that adopts edits when they are saved, and syncs in the background.
///
/// A file is adopted when nothing has changed for a second. A sync follows each change here, and
/// also runs at an interval. If a remote or the project is unreachable, attempts become less and
/// less frequent; the two never wait for each other. Only one process at a time watches a
/// household.
final class Watcher {
  /// The numbers of the roads in ``WatchPlan``.
  private static let git = 0
  private static let cloud = 1

  private let larder: Larder
  private let report: (WatchEvent) -> Void
  private let start = ContinuousClock.now
  private let sync = BackgroundSync<SyncOutcome>()
  private let exchange = BackgroundSync<CloudOutcome>()
  private var plan: WatchPlan
  private var told = ToldProblems()
  /// The roads that have synced successfully, and those that were open at the last look.
  private var gone: Set<Int> = []
  private var open: Set<Int> = []

  private var now: Duration { .now - start }

  private var store: Store { larder.store }

  /// Creates a watch; `interval` is at least a second.
  init(_ larder: Larder, every interval: Duration, report: @escaping (WatchEvent) -> Void) {
    self.larder = larder
    self.report = report
    plan = WatchPlan(every: max(.seconds(1), interval), roads: 2) { longest in
      longest * Double.random(in: 0...1)
    }
  }

  /// Watches until a descriptor is readable; a write in progress is finished first.
  ///
  /// Throws `StoreError.watched` if another process watches the household, and the current error if
  /// the household is no longer there. Every other error is reported, and the watch goes on.
  func run(until stop: Int32) throws {
    try store.whileWatching {
      let notices = try FileNotices(of: store)
      var isLooking = notices.isLooking
      report(.began(isLooking: isLooking))
      while true {
        let step = plan.step(at: now)
        var time = Duration.zero
        if case .wait(let rest) = step { time = rest }
        let heard = try notices.wait(
          atMost: time, orReadable: [stop, sync.descriptor, exchange.descriptor])
        if heard.readable.contains(stop) { return try end() }
        if heard.readable.contains(sync.descriptor) { finishSync() }
        if heard.readable.contains(exchange.descriptor) { finishExchange() }
        if heard.hasChanged { plan.changed(at: now) }
        if notices.isLooking != isLooking {
          isLooking = notices.isLooking
          report(.looking)
        }
        switch plan.step(at: now) {
        case .look: try look()
        case .sync(Self.git): try beginSync()
        case .sync: try beginExchange()
        case .wait: break
        }
      }
    }
  }

  private func look() throws {
    do {
      if let obstacle = store.obstacle { throw obstacle }
      let writing = try store.adopt()
      told.wentWell()
      if let adoption = writing.adoption {
        tell(adoption, writing.household)
      } else {
        told.forgetFiles()
      }
      let roads = try syncTargets()
      plan.looked(at: now, ahead: roads.ahead, opened: roads.open.subtracting(open))
      open = roads.open
    } catch {
      guard store.isThere else { throw error }
      let isPassing = error.isPassing
      if told.isNews(error) { report(isPassing ? .waiting(for: error) : .failed(error)) }
      if isPassing { plan.blocked(at: now) } else { plan.looked(at: now, ahead: []) }
    }
  }

  private func tell(_ adoption: Writing.Adoption, _ household: Household) {
    guard let news = told.news(of: adoption, in: store) else { return }
    report(.adopted(news, household))
  }

  /// Returns the open roads, and those with something to send.
  private func syncTargets() throws -> (open: Set<Int>, ahead: Set<Int>) {
    var open: Set<Int> = []
    var ahead: Set<Int> = []
    if try hasRemote() {
      open.insert(Self.git)
      if try Synchronizer(store: store).isAhead { ahead.insert(Self.git) }
    }
    do {
      if let connection = try CloudConnection.signedIn(of: store, larder.context) {
        open.insert(Self.cloud)
        if try connection.state().count(.pending) > 0 { ahead.insert(Self.cloud) }
      }
    } catch {
      // The exchange reports the error when it is due.
    }
    return (open, ahead)
  }

  private func hasRemote() throws -> Bool {
    guard let repository = store.repository else { return false }
    return try !repository.remotes().isEmpty
  }

  private func beginSync() throws {
    guard try hasRemote() else { return plan.synced(road: Self.git, at: now) }
    plan.syncBegan(road: Self.git)
    sync.start { [root = store.root, context = store.context] adopted in
      try Synchronizer(store: try Store.open(from: root, context: context)) { event in
        if case .adopted(let adoption, let household) = event { adopted(adoption, household) }
      }.sync()
    }
  }

  private func beginExchange() throws {
    do {
      guard let connection = try CloudConnection.signedIn(of: store, larder.context) else {
        return plan.synced(road: Self.cloud, at: now)
      }
      plan.syncBegan(road: Self.cloud)
      exchange.start { adopted in
        let sync = try connection.sync(adopted: adopted)
        let (pulled, pushed) = try waited { try await sync.sync() }
        return CloudOutcome(pulled: pulled, pushed: pushed)
      }
    } catch {
      fail(Self.cloud, error)
    }
  }

  private func finishSync() {
    finish(sync, Self.git) { outcome, isWorthTelling in
      if outcome.received > 0 || outcome.sent > 0 || isWorthTelling { report(.synced(outcome)) }
    }
  }

  private func finishExchange() {
    finish(exchange, Self.cloud) { outcome, isWorthTelling in
      if outcome.isNews || isWorthTelling { report(.exchanged(outcome)) }
    }
  }

  private func finish<Outcome>(
    _ sync: BackgroundSync<Outcome>, _ road: Int, _ tellOutcome: (Outcome, Bool) -> Void
  ) {
    guard let ended = sync.takeEnded() else { return }
    for adopted in ended.adopted { tell(adopted.adoption, adopted.household) }
    switch ended.result {
    case .success(let outcome):
      plan.synced(road: road, at: now)
      let isBack = told.syncIsBack(road: road)
      tellOutcome(outcome, isBack || !gone.contains(road))
      gone.insert(road)
    case .failure(let error): fail(road, error)
    }
  }

  private func fail(_ road: Int, _ error: any Error) {
    let rest = plan.syncFailed(road: road, at: now)
    if told.isNewsOfSync(error, road: road) { report(.syncFailed(error, again: rest)) }
  }

  private func end() throws {
    guard sync.isRunning || exchange.isRunning else { return }
    let lock = try HeldLock(of: store)
    sync.keep(lock)
    exchange.keep(lock)
  }
}

extension Larder {
  /// Watches the household: adopts edits when they are saved, and syncs by all roads in the
  /// background.
  ///
  /// Blocks the thread until `stop` ends the watch; a write in progress is finished first.
  /// `interval`, at least a second, is the time between syncs if nothing changes here. Throws
  /// `StoreError.watched` if another process watches the household, and the current error if the
  /// household is no longer there. Every other error is reported, and the watch goes on.
  public func watch(
    every interval: Duration = .seconds(300), until stop: WatchStop,
    _ report: @escaping (WatchEvent) -> Void
  ) throws {
    try Watcher(self, every: interval, report: report).run(until: stop.descriptor)
  }

  /// Returns the roads that a sync can take.
  public func syncTargets() throws -> SyncTargets {
    let hasRemote = try !(store.repository?.remotes() ?? []).isEmpty
    guard try !store.isLocalOnly else { return SyncTargets(hasRemote: hasRemote) }
    guard try store.cloudURL != nil else { return SyncTargets(hasRemote: hasRemote) }
    let isSignedIn = try CloudConnection.signedIn(of: store, context) != nil
    return SyncTargets(hasRemote: hasRemote, isSignedIn: isSignedIn)
  }
}

/// The roads that a sync can take.
public struct SyncTargets: Sendable {
  public var hasRemote: Bool
  /// Whether a user is signed in to the project; nil if the household is not connected or stays
  /// local.
  public var isSignedIn: Bool?
}
