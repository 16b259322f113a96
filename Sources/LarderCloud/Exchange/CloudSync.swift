internal import LarderJSON
public import LarderModel
public import LarderStore

/// Sync of a household with its project: it pulls what is new there and pushes what is new here.
///
/// The cloud is one more replica, joined by the rules of the files. So the order and number of
/// exchanges don't matter, and an exchange may stop anywhere. Local work never waits for it.
/// Methods throw ``CloudError``, `StoreError`, and ``CloudSyncError``.
public actor CloudSync {
  let store: Store
  let client: RestClient
  let now: @Sendable () -> Instant
  private let tellProgress: @Sendable (CloudProgress) -> Void
  let adopted: @Sendable (Writing.Adoption, Household) -> Void
  var listeners = CloudListeners()
  /// Whether the cloud was read since this object was created, and is in the known state.
  var hasPulled = false
  private var isBusy = false
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private let queue = StoreQueue()

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    queue.asUnownedSerialExecutor()
  }

  /// Takes over a store, and a client with the user's session.
  ///
  /// `report` is called with the progress of exchanges, `adopted` with hand edits that were adopted
  /// before.
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

  /// Reports progress to the creator of this object and to the listeners.
  var report: @Sendable (CloudProgress) -> Void {
    { [tellProgress] progress in
      tellProgress(progress)
      Task { await self.tell(progress) }
    }
  }

  /// Pulls what is new in the cloud.
  public func pull() async throws -> PullOutcome {
    try await exclusively { () async throws in
      try await told(\.changed) { () async throws in try await pullAlone() }
    }
  }

  /// Pushes what is pending, except parked entities.
  ///
  /// `limit` is the maximum number of entities, `operations` the operations to push.
  public func push(limit: Int? = nil, operations: Set<PendingOperation>? = nil) async throws
    -> PushOutcome
  {
    try await exclusively { () async throws in
      try await told(\.changed) { () async throws in
        try await pushAlone(limit: limit, operations: operations)
      }
    }
  }

  /// Finds a value in the household, otherwise in the cloud.
  ///
  /// Nil if it is in neither.
  ///
  /// To look in the cloud, it pulls everything new and searches again, also if another exchange
  /// brought the news. Throws if the value is not here and the cloud can't be reached.
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
    // Another exchange may have been running and brought the value.
    if let found = try look(try store.read().household) { return found }
    if let failure { throw failure }
    return nil
  }

  /// Pulls the batches that expire within some days, today included, once a day, so that a home
  /// screen can show them before everything else is pulled.
  ///
  /// If it was done today, unless `again` is true, and if the cloud can't be reached, the local
  /// data is the result and `fromCacheOnly` is true. Everything else new comes with the next
  /// ``pull()``.
  public func warmUp(withinDays days: Int, again: Bool = false) async throws -> WarmUpOutcome {
    try await exclusively { () async throws in
      try await told(\.pulled.changed, isCached: \.fromCacheOnly) { () async throws in
        try await warmUpAlone(withinDays: days, again: again)
      }
    }
  }

  /// Unparks all entries; returns their number.
  public func retry() throws -> Int {
    var outbox = try Outbox(of: store)
    let count = outbox.retryAll()
    try outbox.save(in: store)
    return count
  }

  /// Returns what is pending, and the results of earlier attempts.
  public func pendingState() throws -> CloudState {
    let known = try opened()
    let times = try times()
    // A killed exchange may have left this list.
    let isExchanging = try !times.sending.isEmpty && store.isSyncing
    return CloudState(
      known.household, known.replica, try Outbox(of: store), times,
      try cloudFacts(of: known.household.own?.id ?? ""), isExchanging: isExchanging)
  }
}

/// The result of warming up.
public struct WarmUpOutcome: Sendable {
  /// The pulled changes, as of `CloudSync.pull()`.
  public let pulled: PullOutcome
  /// Whether the cloud was not asked, or could not be reached.
  public let fromCacheOnly: Bool
  /// The reason why the cloud could not be reached; nil if it was reached or not asked.
  public let offline: TransportError?

  /// The number of rows from the cloud.
  public var fetchedCount: Int { pulled.fetchedCount }
  /// The number of entities that changed here.
  public var updatedLocalCount: Int { pulled.changed.count }
}

/// The reason why a household and a project can't be synced.
public enum CloudSyncError: Error, Sendable {
  /// The signed-in user is not a member of the household there, or no longer.
  case notAMember(household: String)
  /// The household can't be created there by this user: it exists already and the user is not a
  /// member, or its id is reserved for those who left it.
  ///
  /// The project doesn't tell which of the two.
  case taken(household: String)
  /// The project has the household in a newer format, of which this program could lose data.
  ///
  /// News is stored but not joined, and nothing is sent until the format is lowered again.
  case newerFormat(String)
}

extension CloudSync {
  /// Returns the household's format after a join with the cloud's versions.
  ///
  /// Nil for one that can be written.
  func newerFormat(in held: [Entity], _ known: Known) -> String? {
    guard let own = known.household.own else { return nil }
    let theirs =
      held.first { $0.key == own.key } ?? known.replica.known(own.key, in: known.household)
    let format = theirs.map { own.joined(with: $0).format } ?? own.format
    return Schema.knows(format: format) ? nil : format
  }

  /// Returns the known state of the cloud, reset if it has a newer format than the database now
  /// has.
  ///
  /// A join returns to a lower format only with a newer stamp, and a restored database has none. So
  /// the database counts, and everything is compared again.
  func withoutPastFormat(_ known: Known) async throws -> Known {
    guard let own = known.household.own, Schema.knows(format: own.format),
      newerFormat(in: [], known) != nil,
      let standing = try await client.standing(of: own.id), Schema.knows(format: standing.format)
    else { return known }
    try store.forgetCloud()
    return try opened()
  }

  func times() throws -> SyncTimes {
    try SyncTimes(of: store, project: client.session.project.url)
  }

  /// Returns the current household and the known state of the cloud.
  func opened() throws -> Known {
    let (household, replica) = try store.cloudReplica(project: client.session.project.url)
    return Known(household: household, replica: replica)
  }

  struct Known {
    let household: Household
    let replica: CloudReplica

    func knows(_ key: EntityKey) -> Bool { replica.known(key, in: household) != nil }
  }

  /// Runs one exchange at a time, here and across processes.
  ///
  /// An actor alone would let others in while one waits.
  func exclusively<Value>(_ body: () async throws -> Value) async throws -> Value {
    while isBusy { await withCheckedContinuation { waiting.append($0) } }
    isBusy = true
    defer {
      isBusy = false
      if !waiting.isEmpty { waiting.removeFirst().resume() }
    }
    let lock = try store.syncLock()
    defer { lock.release() }
    try store.refuseFilters()
    return try await body()
  }
}

/// The progress of an exchange with the cloud.
public enum CloudProgress: Sendable, Hashable {
  /// The number of rows read so far.
  case pulled(rows: Int)
  /// The number of entities sent so far, and of all entities to send.
  case pushed(entities: Int, of: Int)
}

extension CloudSync {
  /// The migration that must have run in the project, after all earlier ones.
  package static let neededMigration = "20261128140900"
  private static let schemaFile = "cloud-schema"

  /// Checks, once for a clone and project, that the database has all that this version needs.
  ///
  /// Throws ``CloudError/schemaMismatch(code:message:)``: `larder_schema` where a migration has not run,
  /// `larder_missing` where something of the schema is gone.
  ///
  /// The tables alone would accept rows, but without the triggers nothing would join them.
  func checkSchema() async throws {
    let needed = CloudSync.neededMigration
    let note = Array("\(client.session.project.url) \(needed)\n".utf8)
    if try store.deviceFile(CloudSync.schemaFile) == note { return }
    let schema = try await client.schema()
    let last = schema?["number"]?.string
    guard let last, last >= needed else {
      let told = last.map { "\($0) ran last" } ?? "the last has not run"
      throw CloudError.schemaMismatch(
        code: "larder_schema", message: "\(told), and \(needed) is needed")
    }
    let missing = (schema?["missing"]?.array ?? []).compactMap(\.string)
    guard missing.isEmpty else {
      throw CloudError.schemaMismatch(
        code: "larder_missing", message: missing.joined(separator: ", "))
    }
    try store.writeDeviceFile(CloudSync.schemaFile, note)
  }
}

extension RestClient {
  /// Returns what the database says of its schema; nil if the project does not tell.
  fileprivate func schema() async throws(CloudError) -> JSON? {
    do throws(CloudError) {
      return try await call("larder_schema")
    } catch {
      guard case .schemaMismatch = error else { throw error }
      return nil
    }
  }
}
