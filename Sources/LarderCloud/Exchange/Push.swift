public import LarderModel
public import LarderStore

/// The result of a push.
public struct PushOutcome: Sendable {
  /// The number of entities that were tried.
  public var attempted = 0
  /// The number of entities that the cloud has now.
  public var synced = 0
  /// The refusals, with the cloud's messages.
  public var failed: [Outbox.Entry] = []
  /// The entities that changed here because of the cloud's answers.
  public var changed: [EntityKey] = []
  /// The values that both sides had written and that lost.
  public var lost: [LostWrite] = []
  /// The household before; ``household`` is the one afterwards.
  public var before: Household
  public var household: Household
  /// The state afterwards, including entities that were left out, parked or changed in the
  /// meantime.
  public var state: CloudState

  init(household: Household, state: CloudState) {
    before = household
    self.household = household
    self.state = state
  }
}

/// An entity that differs from the cloud.
struct Pending: Sendable {
  let ours: Entity
  let known: Entity?
  let path: FilePath?

  var operation: PendingOperation { PendingOperation(from: known, to: ours) }

  /// The ledger entries that the cloud is not known to have.
  var changes: [LedgerEntry] {
    guard let known else { return ours.ledger.entries }
    return ours.ledger.entries.filter { known.ledger[$0.id] != $0 }
  }

  /// Whether there is more to send than ledger entries.
  var hasRow: Bool {
    guard let known else { return true }
    let joined = known.joined(with: ours)
    return joined.registers != known.registers || joined.createdAt != known.createdAt
      || joined.showsLoose != known.showsLoose
      || joined.pageFrom != known.pageFrom
  }
}

/// A sender of pending entities.
///
/// It sends ledgers before the rows with their sums, and stores the cloud's answers.
struct Push {
  let client: RestClient
  let store: Store
  let household: Household
  let now: @Sendable () -> Instant
  let report: @Sendable (CloudProgress) -> Void
  var replica: CloudReplica
  var outbox: Outbox
  /// The cloud's versions of sent entities.
  private(set) var answered: [EntityKey: Entity] = [:]
  private(set) var refused: [EntityKey] = []
  private var failed: Set<EntityKey> = []
  /// The ledger entries in the cloud's versions.
  private var ledgers: [EntityKey: Ledger] = [:]
  /// What the cloud answered since the replica was last noted.
  private var unnoted = (entities: [EntityKey: Entity](), seen: [String: Int64]())
  private var progress = (done: 0, all: 0)

  init(
    client: RestClient, store: Store, household: Household, replica: CloudReplica, outbox: Outbox,
    now: @escaping @Sendable () -> Instant, report: @escaping @Sendable (CloudProgress) -> Void
  ) {
    self.client = client
    self.store = store
    self.household = household
    self.replica = replica
    self.outbox = outbox
    self.now = now
    self.report = report
  }

  /// The maximum number of rows in a request.
  static let rowsAtOnce = 500

  nonisolated(nonsending) mutating func send(_ pending: [Pending]) async throws {
    progress.all = pending.count
    do {
      try await sendAll(pending)
    } catch {
      try noteAnswers()
      throw error
    }
    try noteAnswers()
  }

  nonisolated(nonsending) private mutating func sendAll(_ pending: [Pending]) async throws {
    let own = pending.filter { $0.ours.kind == .household }
    for table in CloudTable.all where table.kind == .household {
      do {
        try await sendRows(of: table, own)
      } catch CloudError.forbidden where own.first?.known == nil {
        throw CloudSyncError.taken(household: householdID)
      }
    }
    // Without the household's own row, all other rows would be refused.
    if let own = own.first, own.known == nil, failed.contains(own.ours.key) { return }
    try await sendChanges(pending)
    for table in CloudTable.all where table.kind != .household {
      let rows = pending.filter { $0.ours.kind == table.kind && !failed.contains($0.ours.key) }
      try await sendRows(of: table, rows)
    }
  }

  private var householdID: String { household.own?.id ?? "" }

  private mutating func accept(_ entities: [Entity], _ rows: [JSON], _ table: String) throws {
    for entity in entities {
      answered[entity.key] = entity
      unnoted.entities[entity.key] = entity
    }
    for version in rows.compactMap({ $0["version"]?.number.flatMap(Int64.init) }) {
      unnoted.seen[table] = max(unnoted.seen[table] ?? version, version)
    }
    // Each note takes time for all that was noted before, so later ones come for more at once. The
    // first come at once, so a push that is killed again and again gets on.
    let count = unnoted.entities.count
    if count > 0, count * 10 >= answered.count { try noteAnswers() }
  }

  private mutating func noteAnswers() throws {
    if unnoted.entities.isEmpty, unnoted.seen.isEmpty { return }
    try replica.note(Array(unnoted.entities.values), seen: unnoted.seen, in: household, store)
    unnoted = ([:], [:])
  }

  private mutating func refuse(_ pending: Pending, _ error: CloudError) {
    guard failed.insert(pending.ours.key).inserted else { return }
    refused.append(pending.ours.key)
    outbox.refused(pending.ours, pending.operation, error.shortText, at: now())
  }

  /// Marks an entity as refused if the cloud's answer is not a valid file: somebody else wrote to
  /// the same row.
  private mutating func refuse(_ id: JSON?, among upsert: Upsert, _ table: String) throws {
    let error = CloudError.malformedAnswer(.expected("a row of \(table)"))
    guard let one = upsert.rows.first(where: { $0.pending.ours.key.id == id?.string }) else {
      throw error
    }
    refuse(one.pending, error)
  }

  nonisolated(nonsending) private mutating func sendRows(
    of table: CloudTable, _ pending: [Pending]
  ) async throws {
    // Entities with only new ledger entries are complete already.
    let isTold = pending.count { !$0.hasRow }
    if isTold > 0 {
      progress.done += isTold
      report(.pushed(entities: progress.done, of: progress.all))
    }
    let waiting = pending.filter(\.hasRow)
    let parts = stride(from: 0, to: waiting.count, by: Push.rowsAtOnce).map { start in
      waiting[start...].prefix(Push.rowsAtOnce)
    }
    try await send(parts.count) { [householdID] number in
      Upsert(
        table.name, table.written, CloudTable.key,
        parts[number].map { pending in
          (pending, Row.of(pending.ours, in: householdID, at: pending.path, table))
        })
    } accept: { push, upsert, rows in
      let known = upsert.known
      var entities: [Entity] = []
      for row in rows {
        do {
          var entity = try Row.entity(row, table)
          if let before = known[entity.key] { entity = before.joined(with: entity) }
          entities.append(push.ledgers[entity.key].map { entity.with($0) } ?? entity)
        } catch is FileMistakes {
          try push.refuse(row["id"], among: upsert, table.name)
        }
      }
      try push.accept(entities, rows, table.name)
    } done: { push, upsert in
      push.progress.done += upsert.rows.count
      push.report(.pushed(entities: push.progress.done, of: push.progress.all))
    }
  }

  nonisolated(nonsending) private mutating func sendChanges(_ pending: [Pending]) async throws {
    // The ledger entries of one entity go in one request, so that no partial sum is ever shown.
    var parts: [[(pending: Pending, changes: [LedgerEntry])]] = []
    var room = 0
    for next in pending {
      let changes = next.changes
      guard !changes.isEmpty else { continue }
      if changes.count > room {
        parts.append([])
        room = Push.rowsAtOnce
      }
      parts[parts.count - 1].append((next, changes))
      room -= changes.count
    }
    try await send(parts.count) { [householdID, parts] number in
      Upsert(
        ChangeTable.name, ChangeTable.written, ChangeTable.key,
        parts[number].flatMap { part in
          part.changes.map {
            (part.pending, Row.of($0, of: part.pending.ours.key, in: householdID))
          }
        })
    } accept: { push, upsert, rows in
      for row in rows {
        do {
          let (key, entry) = try Row.change(row)
          push.ledgers[key, default: Ledger()].insert(entry)
        } catch is FileMistakes {
          try push.refuse(row["entity_id"], among: upsert, ChangeTable.name)
        }
      }
      try push.accept(
        upsert.known.compactMap { key, entity in
          push.ledgers[key].map { entity.with($0) }
        }, rows, ChangeTable.name)
    }
  }

  /// Sends requests, each while the database works at the one before, and takes the answers in
  /// order.
  nonisolated(nonsending) private mutating func send(
    _ count: Int, make: (Int) -> Upsert,
    accept: (inout Push, Upsert, [JSON]) throws -> Void,
    done: (inout Push, Upsert) -> Void = { _, _ in }
  ) async throws {
    try await withThrowingTaskGroup(of: (Int, Result<[JSON], CloudError>).self) { group in
      var underWay: [Int: Upsert] = [:]
      var answers: [Int: Result<[JSON], CloudError>] = [:]
      var next = 0
      for number in 0..<count {
        while next < min(number + 2, count) {
          let (begun, upsert) = (next, make(next))
          underWay[begun] = upsert
          group.addTask { [client] in (begun, await upsert.answer(from: client)) }
          next += 1
        }
        while answers[number] == nil, let (other, answer) = try await group.next() {
          answers[other] = answer
        }
        guard let upsert = underWay.removeValue(forKey: number),
          let answer = answers.removeValue(forKey: number)
        else { return }
        try await take(answer, to: upsert, accept)
        done(&self, upsert)
      }
    }
  }

  /// Takes the answer to a request; if a row is refused, it sends halves, until the row is alone.
  nonisolated(nonsending) private mutating func take(
    _ answer: Result<[JSON], CloudError>, to upsert: Upsert,
    _ accept: (inout Push, Upsert, [JSON]) throws -> Void
  ) async throws {
    do {
      try accept(&self, upsert, answer.get())
    } catch let error as CloudError where error.isAboutRows {
      guard let (one, other) = upsert.halves else {
        if let pending = upsert.rows.first?.pending { refuse(pending, error) }
        return
      }
      try await take(one.answer(from: client), to: one, accept)
      try await take(other.answer(from: client), to: other, accept)
    }
  }
}

extension Entity {
  /// Returns the entity with more entries in its ledger.
  func with(_ ledger: Ledger) -> Entity {
    var entity = self
    for entry in ledger.entries { entity.record(entry) }
    return entity
  }
}

extension CloudError {
  /// Whether fewer or other rows may succeed.
  var isAboutRows: Bool {
    switch self {
    case .rejected, .conflict, .malformedAnswer(.tooLong): true
    // A statement that takes too long (`57014`), or an answer that is too long.
    case .server(_, let code, _): code == "57014"
    default: false
    }
  }
}

/// The rows of one request, each with its entity.
struct Upsert: Sendable {
  let table: String
  let columns: [String]
  let key: [String]
  let rows: [(pending: Pending, row: JSON)]

  init(
    _ table: String, _ columns: [String], _ key: [String], _ rows: [(pending: Pending, row: JSON)]
  ) {
    self.table = table
    self.columns = columns
    self.key = key
    self.rows = rows
  }

  /// The entities of the rows as the cloud is known to have them.
  var known: [EntityKey: Entity] {
    Dictionary(rows.compactMap { row in row.pending.known.map { ($0.key, $0) } }) { first, _ in
      first
    }
  }

  func answer(from client: RestClient) async -> Result<[JSON], CloudError> {
    do throws(CloudError) {
      let answer = try await client.upsert(
        table, rows.map(\.row), columns: columns, onConflict: key)
      guard answer.count == rows.count else {
        throw .malformedAnswer(.expected("\(rows.count) rows"))
      }
      return .success(answer)
    } catch {
      return .failure(error)
    }
  }

  /// Two requests, divided between two entities' rows nearest to the middle; nil if there is only
  /// one entity.
  var halves: (Upsert, Upsert)? {
    let keys = rows.map(\.pending.ours.key)
    let boundaries = keys.indices.dropFirst().filter { keys[$0] != keys[$0 - 1] }
    guard let middle = boundaries.min(by: { abs($0 - keys.count / 2) < abs($1 - keys.count / 2) })
    else { return nil }
    return (
      Upsert(table, columns, key, Array(rows[..<middle])),
      Upsert(table, columns, key, Array(rows[middle...]))
    )
  }
}
