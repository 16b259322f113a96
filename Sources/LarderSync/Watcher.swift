internal import LarderGit
internal import LarderModel
public import LarderStore

/// Adopts what people do to a household as they do it, and syncs in the background.
///
/// A file is adopted once nothing has changed for a second. A sync follows what changed here, and
/// comes at an interval besides; while the remote is away, less and less often. One process at a time
/// watches a household.
public final class Watcher {
  private let store: Store
  private let report: (WatchEvent) -> Void
  private let start = ContinuousClock.now
  private let sync = BackgroundSync()
  private var plan: WatchPlan
  private var told = ToldProblems()
  private var hasSynced = false

  private var now: Duration { .now - start }

  /// `interval` is at least a second.
  public init(store: Store, every interval: Duration, report: @escaping (WatchEvent) -> Void) {
    self.store = store
    self.report = report
    plan = WatchPlan(every: max(.seconds(1), interval)) { longest in
      longest * Double.random(in: 0...1)
    }
  }

  /// Watches until a descriptor can be read; what is being written then is finished.
  ///
  /// Throws `StoreError.watched` where another process watches the household, and the error at hand
  /// where the household is no longer there; everything else is reported, and tried again.
  public func run(until stop: Int32) throws {
    try store.whileWatching {
      let notices = try FileNotices(of: store)
      var isLooking = notices.isLooking
      report(.began(isLooking: isLooking))
      while true {
        let step = plan.step(at: now)
        var time = Duration.zero
        if case .wait(let rest) = step { time = rest }
        let heard = try notices.wait(atMost: time, orReadable: [stop, sync.descriptor])
        if heard.readable.contains(stop) { return try sync.end(store) }
        if heard.readable.contains(sync.descriptor) { try finishSync() }
        if heard.hasChanged { plan.changed(at: now) }
        if notices.isLooking != isLooking {
          isLooking = notices.isLooking
          report(.looking)
        }
        switch plan.step(at: now) {
        case .look: try look()
        case .sync: try beginSync()
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
      plan.looked(at: now, isAhead: try isAhead())
    } catch {
      guard store.isThere else { throw error }
      let isPassing = error.isPassing
      if told.isNews(error) { report(isPassing ? .waiting(for: error) : .failed(error)) }
      if isPassing { plan.blocked(at: now) } else { plan.looked(at: now, isAhead: false) }
    }
  }

  private func tell(_ adoption: Writing.Adoption, _ household: Household) {
    guard let news = told.news(of: adoption, in: store) else { return }
    report(.adopted(news, household))
  }

  /// Whether the branch is not where the remote's was when it was last seen.
  private func isAhead() throws -> Bool {
    guard let repository = store.repository, try !repository.remotes().isEmpty else { return false }
    do {
      let route = try Synchronizer(store: store).route(repository, nil)
      return try repository.head().commit != repository.reference(route.tracking)
    } catch is SyncError {
      // Why there is nowhere to sync to is told when a sync is due.
      return false
    }
  }

  private func beginSync() throws {
    guard let repository = store.repository, try !repository.remotes().isEmpty else {
      plan.synced(at: now)
      return
    }
    plan.syncBegan()
    sync.start(root: store.root, context: store.context)
  }

  private func finishSync() throws {
    guard let ended = sync.takeEnded() else { return }
    for adopted in ended.adopted { tell(adopted.adoption, adopted.household) }
    switch ended.result {
    case .success(let outcome):
      plan.synced(at: now)
      let isBack = told.syncIsBack()
      let isNews = outcome.received > 0 || outcome.sent > 0
      if isNews || isBack || !hasSynced { report(.synced(outcome)) }
      hasSynced = true
    case .failure(let error):
      let rest = plan.syncFailed(at: now)
      if told.isNewsOfSync(error) { report(.syncFailed(error, again: rest)) }
    }
  }
}
