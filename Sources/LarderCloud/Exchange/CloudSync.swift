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
  let adopted: @Sendable (Writing.Adoption, Household) -> Void
  var listeners = CloudListeners()
  /// Whether the cloud was read since this was made, and is what it was known to be.
  var hasPulled = false
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
      known.household, known.replica, try Outbox(of: store), times,
      try hearsay(of: known.household.own?.id ?? ""), isExchanging: isExchanging)
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
  /// The household can't be founded there: one of its id is there already, founded by whomever, and the
  /// user does not belong to it.
  case taken(household: String)
  /// The household can't be founded there by this user: it was there, and is kept for those who left it.
  case reserved(household: String)
  /// The project has the household in a newer format, which this program could lose something of: what
  /// is new there is kept and not joined, and nothing is sent until the number goes back.
  case newerFormat(String)
}

extension CloudSync {
  /// The format that the household has with what the cloud holds of it; nil for one that can be written.
  func newerFormat(in held: [Entity], _ known: Known) -> String? {
    guard let own = known.household.own else { return nil }
    let theirs =
      held.first { $0.key == own.key } ?? known.replica.known(own.key, in: known.household)
    let format = theirs.map { own.joined(with: $0).format } ?? own.format
    return format == "1" ? nil : format
  }

  /// What the cloud is known to hold, without a newer format that its database does not say any more.
  ///
  /// A join goes back to an older number only with a newer stamp, and a restored database has none: what
  /// it says now counts, and all is compared anew.
  func withoutPastFormat(_ known: Known) async throws -> Known {
    guard let own = known.household.own, own.format == "1", newerFormat(in: [], known) != nil,
      let standing = try await client.standing(of: own.id), standing.format == "1"
    else { return known }
    try store.forgetCloud()
    return try opened()
  }

  func times() throws -> SyncTimes {
    try SyncTimes(of: store, project: client.session.project.url)
  }

  /// The household as it is now, and what the cloud is known to hold of it.
  func opened() throws -> Known {
    let (household, replica) = try store.cloudReplica(project: client.session.project.url)
    return Known(household: household, replica: replica)
  }

  struct Known {
    let household: Household
    let replica: CloudReplica

    func knows(_ key: EntityKey) -> Bool { replica.known(key, in: household) != nil }
  }

  /// One exchange at a time, here and in other processes; an actor lets others in while one waits.
  func exclusively<Value>(_ body: () async throws -> Value) async throws -> Value {
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
