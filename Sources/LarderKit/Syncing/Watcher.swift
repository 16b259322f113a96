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
  private let larder: Larder
  private let report: (WatchEvent) -> Void
  private let start = ContinuousClock.now
  private let sync = BackgroundSync<SyncOutcome>()
  private let exchange = BackgroundSync<CloudOutcome>()
  private var plan: WatchPlan
  private var told = ToldProblems()
  /// The targets that have synced successfully, and those that were available at the last look.
  private var synced: Set<SyncTarget> = []
  private var available: Set<SyncTarget> = []

  private var now: Duration { .now - start }

  private var store: Store { larder.store }

  /// Creates a watch; `interval` is at least a second.
  init(_ larder: Larder, every interval: Duration, report: @escaping (WatchEvent) -> Void) {
    self.larder = larder
    self.report = report
    plan = WatchPlan(every: max(.seconds(1), interval), for: SyncTarget.allCases) { longest in
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
        case .sync(.git): try beginSync()
        case .sync(.cloud): try beginExchange()
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
      let targets = try syncTargets()
      let opened = targets.available.subtracting(available)
      plan.looked(at: now, ahead: targets.ahead, opened: opened)
      available = targets.available
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

  /// Returns the available targets, and those with something to send.
  private func syncTargets() throws -> (available: Set<SyncTarget>, ahead: Set<SyncTarget>) {
    var available: Set<SyncTarget> = []
    var ahead: Set<SyncTarget> = []
    if try hasRemote() {
      available.insert(.git)
      if try Synchronizer(store: store).isAhead { ahead.insert(.git) }
    }
    do {
      if let connection = try CloudConnection.signedIn(of: store, larder.context) {
        available.insert(.cloud)
        if try connection.state().count(.pending) > 0 { ahead.insert(.cloud) }
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
      guard let connection = try CloudConnection.signedIn(of: store, larder.context) else {
        return plan.synced(.cloud, at: now)
      }
      plan.syncBegan(.cloud)
      exchange.start { adopted in
        let sync = try connection.sync(adopted: adopted)
        let (pulled, pushed) = try waited { try await sync.sync() }
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
      let isBack = told.syncIsBack(with: target)
      tellOutcome(outcome, isBack || !synced.contains(target))
      synced.insert(target)
    case .failure(let error): fail(target, error)
    }
  }

  private func fail(_ target: SyncTarget, _ error: any Error) {
    let rest = plan.syncFailed(target, at: now)
    if told.isNewsOfSync(error, with: target) { report(.syncFailed(error, again: rest)) }
  }

  private func end() throws {
    guard sync.isRunning || exchange.isRunning else { return }
    let lock = try HeldLock(of: store)
    sync.keep(lock)
    exchange.keep(lock)
  }
}

extension Larder {
  /// Watches the household: adopts edits when they are saved, and syncs with git and the project in
  /// the background.
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

  /// Returns the targets of a sync.
  public func syncTargets() throws -> SyncTargets {
    let hasRemote = try !(store.repository?.remotes() ?? []).isEmpty
    guard try !store.isLocalOnly else { return SyncTargets(hasRemote: hasRemote) }
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
