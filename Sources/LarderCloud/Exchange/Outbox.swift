internal import LarderGit
public import LarderModel
internal import LarderStore

/// The pending entities that were refused.
///
/// Pending entities follow from the known state of the cloud. This only stores the results of
/// attempts. It is in `.git/larder/outbox.json`.
public struct Outbox: Sendable {
  /// The result of attempts to send one entity.
  public struct Entry: Sendable, Hashable {
    public let key: EntityKey
    public var operation: PendingOperation
    /// The time of the first attempt.
    public let createdAt: Instant
    /// The number of refusals, from 0 to ``Outbox/mostRefusals``.
    public var retryCount: Int
    public var lastAttempt: Instant
    /// The cloud's message, without the row.
    public var errorMessage: String
    /// The refused version; another version starts again.
    var version: String

    /// The message for people, without the codes of Larder's own tables, which mean nothing to
    /// them.
    public var reason: String {
      errorMessage.wholeMatch(of: /LA\d{3}: (.+)/).map { String($0.1) } ?? errorMessage
    }

    /// Whether it is not tried again until somebody asks for it or it changes.
    public var isParked: Bool { retryCount >= Outbox.mostRefusals }
  }

  /// The number of refusals after which an entity is parked.
  public static let mostRefusals = 5

  public private(set) var entries: [EntityKey: Entry] = [:]

  /// Returns the refusal of an entity's current version.
  ///
  /// Nil if it was not tried or has changed since.
  func refusal(of entity: Entity) -> Entry? {
    entries[entity.key].flatMap { $0.version == Outbox.version(of: entity) ? $0 : nil }
  }

  mutating func refused(
    _ entity: Entity, _ operation: PendingOperation, _ message: String, at now: Instant
  ) {
    let before = refusal(of: entity)
    entries[entity.key] = Entry(
      key: entity.key, operation: operation, createdAt: entries[entity.key]?.createdAt ?? now,
      retryCount: min((before?.retryCount ?? 0) + 1, Outbox.mostRefusals), lastAttempt: now,
      errorMessage: message, version: Outbox.version(of: entity))
  }

  mutating func forget(_ keys: some Sequence<EntityKey>) {
    for key in keys { entries[key] = nil }
  }

  /// Unparks all entries; returns their number.
  mutating func retryAll() -> Int {
    let parked = entries.values.filter(\.isParked)
    for entry in parked { entries[entry.key]?.retryCount = 0 }
    return parked.count
  }

  private static func version(of entity: Entity) -> String {
    Repository.blobID(of: entity.fileBytes).hex
  }
}

/// The effect of sending an entity.
public enum PendingOperation: String, Sendable, CaseIterable {
  case add, update, delete, consume

  /// The operation from the cloud's version of an entity to this household's.
  init(from known: Entity?, to entity: Entity) {
    guard let known else {
      self = .add
      return
    }
    let joined = known.joined(with: entity)
    let news = joined.ledger.entries.filter { known.ledger[$0.id] == nil }
    if joined.isTombstone, !known.isTombstone {
      self = .delete
    } else if joined.registers == known.registers, news.allSatisfy({ $0.why == .consume }) {
      self = .consume
    } else {
      self = .update
    }
  }
}

extension Outbox {
  private static let file = "outbox.json"

  init(of store: Store) throws(StoreError) {
    // An unreadable file is replaced by the results of the next attempts.
    guard let bytes = try store.deviceFile(Outbox.file), let json = try? JSON(parsing: bytes) else {
      return
    }
    for entry in (json["pending"]?.array ?? []).compactMap(Entry.init) {
      entries[entry.key] = entry
    }
  }

  func save(in store: Store) throws(StoreError) {
    let sorted = entries.values.sorted { EntityKey.precedes($0.key, $1.key) }
    let json = JSON.object([JSONMember("pending", .array(sorted.map(\.json)))])
    try store.writeDeviceFile(Outbox.file, json.writeFile())
  }
}

extension Outbox.Entry {
  init?(_ json: JSON) {
    guard let kind = json["entityType"]?.string.flatMap(Kind.init(rawValue:)),
      let id = json["entityId"]?.string,
      let operation = json["operation"]?.string.flatMap(PendingOperation.init(rawValue:)),
      let createdAt = json["createdAt"]?.string.flatMap(Instant.init),
      let count = json["retryCount"]?.number.flatMap(Int.init),
      let lastAttempt = json["lastAttempt"]?.string.flatMap(Instant.init),
      let version = json["version"]?.string
    else { return nil }
    self.init(
      key: EntityKey(kind, id), operation: operation, createdAt: createdAt, retryCount: count,
      lastAttempt: lastAttempt, errorMessage: json["errorMessage"]?.string ?? "", version: version)
  }

  /// The entry as in `outbox.json`.
  public var json: JSON {
    .object([
      JSONMember("entityType", .string(key.kind.rawValue)),
      JSONMember("entityId", .string(key.id)),
      JSONMember("operation", .string(operation.rawValue)),
      JSONMember("createdAt", .string(createdAt.description)),
      JSONMember("retryCount", .number(String(retryCount))),
      JSONMember("lastAttempt", .string(lastAttempt.description)),
      JSONMember("errorMessage", .string(errorMessage)),
      JSONMember("version", .string(version)),
    ])
  }
}

/// A row that stays in the cloud until it is a valid file, as stored on this device.
public struct LeftRow: Sendable, Hashable {
  /// The reason why the row was not taken.
  public enum Reason: String, Sendable {
    /// The format does not allow it.
    case notAllowed
    /// It is over 16 MiB, and was not read.
    case tooLong
  }

  public let table: String
  public let id: String
  public let reason: Reason

  init(_ refused: RefusedRow) {
    table = refused.table
    id = refused.id
    reason = if case .tooLong = refused.reason { .tooLong } else { .notAllowed }
  }
}

extension LeftRow {
  init?(_ json: JSON) {
    guard let table = json["table"]?.string, let id = json["id"]?.string,
      let reason = json["reason"]?.string.flatMap(Reason.init(rawValue:))
    else { return nil }
    self.table = table
    self.id = id
    self.reason = reason
  }

  /// The row as in `cloud.json`.
  package var json: JSON {
    .object([
      JSONMember("table", .string(table)), JSONMember("id", .string(id)),
      JSONMember("reason", .string(reason.rawValue)),
    ])
  }
}

extension Pull {
  /// Returns those of some rows that the cloud still has.
  func present(_ rows: [LeftRow]) async throws(CloudError) -> Set<LeftRow> {
    var present: Set<LeftRow> = []
    for table in Set(rows.map(\.table)) {
      var rest = rows.filter { $0.table == table }[...]
      while !rest.isEmpty {
        let some = rest.prefix(Pull.idsAtOnce)
        rest = rest.dropFirst(Pull.idsAtOnce)
        let answer = try await client.select(
          table,
          [.columns(["id"]), .equal("household_id", household), .oneOf("id", some.map(\.id))])
        let ids = Set(answer.compactMap { $0["id"]?.string })
        present.formUnion(some.filter { ids.contains($0.id) })
      }
    }
    return present
  }
}

extension Pull.News {
  /// Whether a row that stayed in the cloud was now read as a valid file.
  func hasRead(_ row: LeftRow) -> Bool {
    guard row.table != ChangeTable.name else {
      return changes.values.contains { $0.contains { $0.id == row.id } }
    }
    return CloudTable.all.contains { table in
      table.name == row.table && entities[EntityKey(table.kind, row.id)] != nil
    }
  }
}
