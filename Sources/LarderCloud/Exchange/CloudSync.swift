public import LarderModel
public import LarderStore

/// A household and its project, kept converged: pulls what is new there, pushes what is new here.
///
/// The cloud is one more replica and joins by the rules of the files, so that the order and number of
/// exchanges never matter, nor where one is cut off. Local work never waits for it. Methods throw
/// ``CloudError``, `StoreError`, and where the cloud holds another household ``CloudSyncError``.
public actor CloudSync {
  let store: Store
  let client: RestClient
  let now: @Sendable () -> Instant
  private let tellProgress: @Sendable (CloudProgress) -> Void
  private let adopted: @Sendable (Writing.Adoption, Household) -> Void
  var listeners = CloudListeners()
  /// Whether the cloud was read since this was made, and is what it was known to be.
  private var hasPulled = false
  private var isBusy = false
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private let queue = StoreQueue()

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    queue.asUnownedSerialExecutor()
  }

  /// Takes a store over, to be synced through a client whose session is the user's.
  ///
  /// `report` hears how far an exchange is, `adopted` what people did by hand before it.
  public init(
    _ store: sending Store, client: RestClient, now: @escaping @Sendable () -> Instant,
    report: @escaping @Sendable (CloudProgress) -> Void = { _ in },
    adopted: @escaping @Sendable (Writing.Adoption, Household) -> Void = { _, _ in }
  ) {
    self.store = store
    self.client = client
    self.now = now
    self.adopted = adopted
    tellProgress = report
  }

  /// Tells of progress whoever made this and whoever listens.
  var report: @Sendable (CloudProgress) -> Void {
    { [tellProgress] progress in
      tellProgress(progress)
      Task { await self.tell(progress) }
    }
  }

  /// Brings what is new in the cloud.
  public func pull() async throws -> PullOutcome {
    try await exclusively { () async throws in
      try await told(\.changed) { () async throws in try await pullAlone() }
    }
  }

  /// Sends what is pending, but for what is parked.
  ///
  /// `limit` is how many entities at most, `operations` of what sort.
  public func push(limit: Int? = nil, operations: Set<PendingOperation>? = nil) async throws
    -> PushOutcome
  {
    try await exclusively { () async throws in
      try await told(\.changed) { () async throws in
        try await pushAlone(limit: limit, operations: operations)
      }
    }
  }

  /// Finds something in the household, else in the cloud; nil where it is in neither.
  ///
  /// Of the cloud, all that is new is brought, and what is here then looked through, whoever brought
  /// it. Throws where it is not here and the cloud can't be asked.
  public func find<Value: Sendable>(
    _ look: @escaping @Sendable (Household) throws -> Value?
  ) async throws -> Value? {
    if let found = try look(try store.read().household) { return found }
    let failure: (any Error)?
    do {
      _ = try await pull()
      failure = nil
    } catch {
      failure = error
    }
    // Another exchange may have been in the way, and have brought it.
    if let found = try look(try store.read().household) { return found }
    if let failure { throw failure }
    return nil
  }

  /// Brings what expires within some days, today included, once a day: what a home screen shows is
  /// there before all the rest (the inventory plan's use case 4.10).
  ///
  /// Where it was done today already, but for `again`, and where the cloud can't be reached, what is
  /// here has to do, and `fromCacheOnly` says so. What else is new comes with the next ``pull()``.
  public func warmUp(withinDays days: Int, again: Bool = false) async throws -> WarmUpOutcome {
    try await exclusively { () async throws in
      try await told(\.pulled.changed, isCached: \.fromCacheOnly) { () async throws in
        try await warmUpAlone(withinDays: days, again: again)
      }
    }
  }

  /// Lets be tried again what the cloud refused five times; says how many.
  public func retry() throws -> Int {
    var outbox = try Outbox(of: store)
    let count = outbox.retryAll()
    try outbox.save(in: store)
    return count
  }

  /// What is pending, and what came of trying.
  public func pendingState() throws -> CloudState {
    let known = try opened()
    let times = try times()
    // What a killed exchange left says nothing.
    let isExchanging = try !times.sending.isEmpty && store.isSyncing
    return CloudState(
      known.household, known.replica, try Outbox(of: store), times, isExchanging: isExchanging)
  }
}

/// What warming up brought, in the inventory plan's words.
public struct WarmUpOutcome: Sendable {
  /// What came, as of a ``CloudSync/pull()``.
  public let pulled: PullOutcome
  /// Whether the cloud was not asked, or could not be reached.
  public let fromCacheOnly: Bool
  /// Why it could not be reached; nil where it was, or was not asked.
  public let offline: TransportError?

  /// Rows that the cloud gave.
  public var fetchedCount: Int { pulled.fetchedCount }
  /// Entities that changed here.
  public var updatedLocalCount: Int { pulled.changed.count }
}

/// Why a household and a project can't be synced.
public enum CloudSyncError: Error, Sendable {
  /// The signed-in user belongs to no household of this id there, or is no member any more.
  case notAMember(household: String)
  /// The project has the household in a newer format, which this program could lose something of: what
  /// is new there is kept and not joined, and nothing is sent until the number goes back.
  case newerFormat(String)
}

extension CloudSync {
  private static let warmUpFile = "warmed-up"

  private func warmUpAlone(withinDays days: Int, again: Bool) async throws -> WarmUpOutcome {
    let known = try opened()
    func cached(_ offline: TransportError? = nil) -> WarmUpOutcome {
      WarmUpOutcome(
        pulled: PullOutcome(household: known.household), fromCacheOnly: true, offline: offline)
    }
    let today = Day(now(), in: known.household.own?.timeZone ?? "UTC")
    let note = Array("\(client.session.project.url) \(today)\n".utf8)
    if try !again && store.deviceFile(CloudSync.warmUpFile) == note { return cached() }
    let news: Pull.News
    do {
      try await checkSchema()
      news = try await reading(known.household).expiring(
        until: today.adding(days: days), since: known.replica.cursors)
    } catch {
      guard case CloudError.offline(let reason) = error else { throw error }
      return cached(reason)
    }
    let pulled = try take(news, known)
    try store.writeDeviceFile(CloudSync.warmUpFile, note)
    return WarmUpOutcome(pulled: pulled, fromCacheOnly: false, offline: nil)
  }

  private func pullAlone() async throws -> PullOutcome {
    try await checkSchema()
    var known = try opened()
    let news: Pull.News
    do {
      news = try await self.news(known)
    } catch is Restored {
      // Everything is compared anew: what the database forgot is pending again.
      try store.forgetCloud()
      known = try opened()
      news = try await self.news(known)
    }
    if !news.isMember, known.replica.isKnown {
      throw CloudSyncError.notAMember(household: known.household.own?.id ?? "")
    }
    let outcome = try take(news, known)
    let now = outcome.changed.isEmpty && news.rowCount == 0 ? known : try opened()
    var times = try times()
    times.pulled(at: self.now(), but: now.replica.differences, knows: now.knows)
    try times.save(in: store)
    hasPulled = true
    return outcome
  }

  private func news(_ known: Known) async throws -> Pull.News {
    try await reading(known.household).news(
      since: known.replica.cursors, seen: known.replica.seen, of: known.replica.origin,
      knows: known.knows)
  }

  /// Whoever only sends has to know that the cloud is what it is known to be; a pull has seen it.
  private func verified(_ known: Known) async throws -> Known {
    guard !hasPulled, known.replica.isKnown else { return known }
    let id = known.household.own?.id ?? ""
    guard let standing = try await client.standing(of: id) else {
      throw CloudSyncError.notAMember(household: id)
    }
    guard standing.format == "1" else { throw CloudSyncError.newerFormat(standing.format) }
    guard let newest = standing.newest,
      newest.isBehind(known.replica.seen, known.replica.origin)
    else { return known }
    try store.forgetCloud()
    return try opened()
  }

  private func times() throws -> SyncTimes {
    try SyncTimes(of: store, project: client.session.project.url)
  }

  /// Joins what was read into the household and commits it; only then the cloud counts as read.
  private func take(_ news: Pull.News, _ known: Known) throws -> PullOutcome {
    var outcome = PullOutcome(household: known.household)
    outcome.fetchedCount = news.rowCount
    outcome.refused = news.refused
    var held = news.held { known.replica.known($0, in: known.household) }
    let told = Set(held.map(\.entity.key))
    held += known.replica.missed.filter { !told.contains($0.entity.key) }
      .map { ($0.entity, $0.path) }
    var replica = known.replica
    if let format = newerFormat(in: held.map(\.entity), known) {
      // Kept as what the cloud holds, and joined once the number goes back.
      let isWhole = news.refused.isEmpty
      try replica.note(
        held.map(\.entity), cursors: isWhole ? news.cursors : [:], origin: news.newest?.origin,
        in: known.household, store)
      throw CloudSyncError.newerFormat(format)
    }
    guard
      !held.isEmpty || news.cursors != known.replica.cursors
        || news.newest.map({ $0.origin != known.replica.origin }) ?? false
    else { return outcome }
    if !held.isEmpty {
      let joined = try store.join(cloud: held, adopted: adopted)
      outcome.before = joined.before
      outcome.household = joined.after
      outcome.changed = joined.changed
    }
    try replica.note(
      held.map(\.entity), cursors: news.cursors, origin: news.newest?.origin,
      in: outcome.household, store)
    return outcome
  }

  /// The format that the household has with what the cloud holds of it; nil for one that can be written.
  private func newerFormat(in held: [Entity], _ known: Known) -> String? {
    guard let own = known.household.own else { return nil }
    let theirs =
      held.first { $0.key == own.key } ?? known.replica.known(own.key, in: known.household)
    let format = theirs.map { own.joined(with: $0).format } ?? own.format
    return format == "1" ? nil : format
  }

  private func pushAlone(limit: Int?, operations: Set<PendingOperation>?) async throws
    -> PushOutcome
  {
    let adoption = try store.adopt()
    if let made = adoption.adoption { adopted(made, adoption.household) }
    try await checkSchema()
    let known = try await verified(try opened())
    if let format = newerFormat(in: [], known) { throw CloudSyncError.newerFormat(format) }
    let household = known.household
    var outbox = try Outbox(of: store)
    var pending = known.replica.differences.compactMap { key in
      household[key].map {
        Pending(
          ours: $0, known: known.replica.known(key, in: household), path: household.path(of: key))
      }
    }
    // What the cloud has by now was not refused after all.
    outbox.forget(Set(outbox.entries.keys).subtracting(pending.map(\.ours.key)))
    pending.removeAll { outbox.refusal(of: $0.ours)?.isParked ?? false }
    if let operations { pending.removeAll { !operations.contains($0.operation) } }
    if let limit { pending = Array(pending.prefix(limit)) }
    var push = Push(
      client: client, store: store, household: household, replica: known.replica, outbox: outbox,
      now: now, report: report)
    if !pending.isEmpty {
      var times = try times()
      times.sending = Set(pending.map(\.ours.key))
      try times.save(in: store)
    }
    // What was accepted before something failed is kept.
    var failure: (any Error)?
    do {
      try await push.send(pending)
    } catch {
      failure = error
    }
    let outcome = try settled(push, pending)
    if let failure { throw failure }
    return outcome
  }

  /// Keeps what came of a push: what the cloud gave back, and what it refused.
  private func settled(_ push: Push, _ pending: [Pending]) throws -> PushOutcome {
    let synced = Set(push.answered.keys).subtracting(push.refused)
    var outbox = push.outbox
    outbox.forget(synced)
    try outbox.save(in: store)
    let news = push.answered.values.filter { entity in
      push.household[entity.key].map { $0.joined(with: entity) != $0 } ?? true
    }
    let joined =
      try news.isEmpty
      ? nil : store.join(cloud: news.map { ($0, nil) }, adopted: adopted)
    var times = try times()
    if !pending.isEmpty {
      times.pushed(synced, at: now())
      try times.save(in: store)
    }
    // Looked at anew: what was promised before need not be so any more.
    let known = try opened()
    var outcome = PushOutcome(
      household: push.household, state: CloudState(known.household, known.replica, outbox, times))
    outcome.attempted = pending.count
    outcome.synced = synced.count
    outcome.failed = push.refused.compactMap { push.outbox.entries[$0] }
    if let joined {
      outcome.before = joined.before
      outcome.household = joined.after
      outcome.changed = joined.changed
    }
    return outcome
  }

  private func reading(_ household: Household) -> Pull {
    Pull(client: client, household: household.own?.id ?? "", report: report)
  }

  /// The household as it is now, and what the cloud is known to hold of it.
  private func opened() throws -> Known {
    let (household, replica) = try store.cloudReplica(project: client.session.project.url)
    return Known(household: household, replica: replica)
  }

  private struct Known {
    let household: Household
    let replica: CloudReplica

    func knows(_ key: EntityKey) -> Bool { replica.known(key, in: household) != nil }
  }

  /// One exchange at a time, here and in other processes; an actor lets others in while one waits.
  private func exclusively<Value>(_ body: () async throws -> Value) async throws -> Value {
    while isBusy { await withCheckedContinuation { waiting.append($0) } }
    isBusy = true
    defer {
      isBusy = false
      if !waiting.isEmpty { waiting.removeFirst().resume() }
    }
    let lock = try store.syncLock()
    defer { lock.release() }
    return try await body()
  }
}
