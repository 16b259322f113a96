import LarderCloud
import LarderJSON
import LarderModel
import LarderText

/// The rows of one household's tables, with the effects of the migrations' triggers.
struct CloudTables {
  struct NoSuchTable: Error {}

  /// The entities with a row, with their ledgers.
  private(set) var household = Household()
  /// The ledgers of all entities, including those whose row has not arrived yet.
  private var ledgers: [EntityKey: Ledger] = [:]
  private var paths: [EntityKey: FilePath] = [:]
  private var versions: [EntityKey: Int64] = [:]
  private var entryVersions: [EntityKey: [String: Int64]] = [:]
  /// The last version that was assigned.
  private(set) var version: Int64 = 0

  private var householdID: String { household.own?.id ?? "" }

  /// Stores a device's household, as its first push does.
  mutating func fill(from device: Household) {
    for entity in device.entities.sorted(by: { EntityKey.precedes($0.key, $1.key) }) {
      for entry in entity.ledger.entries { join(entry, of: entity.key) }
      join(entity, at: device.path(of: entity.key))
    }
  }

  /// Returns all rows of a table, ordered by version.
  func rows(of name: String) -> [JSON] {
    var rows: [(version: Int64, row: JSON)] = []
    if name == ChangeTable.name {
      for (key, ledger) in ledgers {
        rows += ledger.entries.map { (entryVersions[key]?[$0.id] ?? 0, row(of: $0, of: key)) }
      }
    } else if let table = CloudTable.all.first(where: { $0.name == name }) {
      rows = household.all(table.kind).map { (versions[$0.key] ?? 0, row(of: $0, table)) }
    }
    return rows.sorted { $0.version < $1.version }.map(\.row)
  }

  /// Returns a page of what is new in all tables, as the project's function does.
  func news(asked body: [UInt8], cap: Int?) -> JSON {
    let asked = (try? JSON(parsing: body))?["since"]?.members ?? []
    var since = Dictionary(
      asked.map { ($0.key, Int64($0.value.number ?? "") ?? 0) }, uniquingKeysWith: { $1 })
    let read = since[ChangeTable.name] ?? 0
    var (room, hasMore) = (cap ?? .max, false)
    var (news, older): ([JSONMember], [JSON]) = ([], [])
    for name in CloudTable.all.map(\.name) + [ChangeTable.name] {
      let rows = rows(of: name).filter { version(of: $0) > since[name] ?? 0 }
      let page = Array(rows.prefix(room))
      hasMore = hasMore || rows.count > page.count
      room -= page.count
      guard let last = page.last else { continue }
      news.append(JSONMember(name, .array(page)))
      since[name] = version(of: last)
      let kind = CloudTable.all.first { $0.name == name }?.kind
      older += page.compactMap { $0["id"] }.filter { id in
        guard let kind, let id = id.string else { return false }
        return entryVersions[EntityKey(kind, id)]?.values.contains { $0 <= read } ?? false
      }
    }
    return .object([
      JSONMember("since", JSON(versions: since)), JSONMember("rows", .object(news)),
      JSONMember("older", .array(older)), JSONMember("more", .bool(hasMore)),
    ])
  }

  private func version(of row: JSON) -> Int64 { Int64(row["version"]?.number ?? "") ?? 0 }

  /// Joins the rows that Larder sends, and returns the stored rows.
  mutating func write(_ rows: [JSON], into name: String) throws -> [JSON] {
    let before = household
    defer { wantWhatRanOut(since: before) }
    if name == ChangeTable.name {
      let changes = try rows.map { try Row.change($0) }
      for (key, entry) in changes { join(entry, of: key) }
      return changes.compactMap { key, entry in
        ledgers[key]?[entry.id].map { row(of: $0, of: key) }
      }
    }
    guard let table = CloudTable.all.first(where: { $0.name == name }) else { throw NoSuchTable() }
    let entities = try rows.map {
      (try Row.entity($0, table), $0["path"]?.string.map { FilePath($0) })
    }
    for (entity, path) in entities { join(entity, at: path) }
    return entities.compactMap { entity, _ in household[entity.key].map { row(of: $0, table) } }
  }

  private func row(of entity: Entity, _ table: CloudTable) -> JSON {
    var row = Row.of(entity, in: householdID, at: paths[entity.key], table)
    if entity.kind == .inventoryItem, entity.isActive, entity.quantity.value <= .zero {
      row = row.setting("status", .string("consumed"))
    }
    return row.setting("version", .number("\(versions[entity.key] ?? 0)"))
  }

  private func row(of entry: LedgerEntry, of key: EntityKey) -> JSON {
    Row.of(entry, of: key, in: householdID)
      .setting("version", .number("\(entryVersions[key]?[entry.id] ?? 0)"))
  }

  /// Joins a ledger entry; if it changes the stored one, it gets a new version.
  mutating func join(_ entry: LedgerEntry, of key: EntityKey) {
    let old = ledgers[key]?[entry.id]
    ledgers[key, default: Ledger()].insert(entry)
    guard ledgers[key]?[entry.id] != old else { return }
    version += 1
    entryVersions[key, default: [:]][entry.id] = version
    if var entity = household[key] {
      entity.record(entry)
      put(entity)
    }
  }

  /// Joins a row; it keeps its version if the stored row does not change.
  mutating func join(_ entity: Entity, at path: FilePath? = nil) {
    let old = household[entity.key]
    var joined = old?.joined(with: entity) ?? entity
    for entry in ledgers[entity.key]?.entries ?? [] { joined.record(entry) }
    if paths[entity.key] == nil { paths[entity.key] = path }
    guard joined != old else { return }
    version += 1
    versions[entity.key] = version
    put(joined)
  }

  private mutating func put(_ entity: Entity) {
    let folder = entity.kind.folder
    household.put(entity, at: folder.map { "\($0)/\(entity.id).json" } ?? Kind.householdPath)
  }

  /// Puts an item on the shopping list when it comes to zero or below, for any reason.
  mutating func wantWhatRanOut(since before: Household) {
    let (earlier, stock) = (Stock(before), Stock(household))
    for item in household.all(.stockItem).sorted(by: { $0.id < $1.id }) where !item.isTombstone {
      let level = stock.holding(of: item).level
      guard let old = before[item.key], earlier.holding(of: old).level < level else { continue }
      let latest = stock.batches(of: item).map(\.updatedAt).reduce(item.updatedAt, max)
      let entry = household[.shoppingListEntry, ShoppingEntry.id(of: item)]
      let wanted = ShoppingEntry.ensured(for: item, at: level, in: stock, over: entry, latest)
      if let wanted { join(wanted) }
    }
  }
}
