package import LarderModel

/// The conversion between rows and entities or ledger entries.
package enum Row {
  /// Returns the row of an entity, without its ledger, which has its own rows.
  package static func of(
    _ entity: Entity, in household: String, at path: FilePath?, _ table: CloudTable
  )
    -> JSON
  {
    var row = [
      JSONMember("household_id", .string(household)), JSONMember("id", .string(entity.id)),
    ]
    for column in table.columns {
      let value = entity[column.field].map { travelling($0, column.field, table.kind) }
      row.append(JSONMember(column.name, value ?? .null))
    }
    var edited: [JSONMember] = []
    var extra: [JSONMember] = []
    for register in entity.registers {
      if register.stamp != entity.createdAt || register.value == nil {
        edited.append(JSONMember(register.name, .string(register.stamp.description)))
      }
      guard let value = register.value,
        !table.columns.contains(where: { $0.field == register.name }),
        !(table.namesHousehold && register.name == .householdID)
      else { continue }
      extra.append(JSONMember(register.name, value))
    }
    if table.namesHousehold, entity.householdID != household {
      extra.append(
        JSONMember(.householdID, entity.householdID.map { .string($0) } ?? .null))
    }
    // The database needs no column for what only files show.
    if entity.showsLoose { extra.append(JSONMember(.quantityLoose, .bool(true))) }
    if table.hasLedgers {
      row.append(
        JSONMember("page_from", entity.pageFrom.map { .string($0.travelling) } ?? .null))
    }
    return .object(
      row + [
        JSONMember("created_at", .string(entity.createdAt.travelling)),
        JSONMember("edited", .object(edited)), JSONMember("extra", .object(extra)),
        JSONMember("path", path.map { .string($0.text) } ?? .null),
      ])
  }

  private static func travelling(_ value: JSON, _ field: FieldName, _ kind: Kind) -> JSON {
    guard kind == .receipt, field == .timestamp, let instant = value.string.flatMap(Instant.init)
    else { return value }
    return .string(instant.travelling)
  }

  /// Returns the row of a ledger entry.
  package static func of(_ entry: LedgerEntry, of key: EntityKey, in household: String) -> JSON {
    let json = entry.json
    var row = [
      JSONMember("household_id", .string(household)),
      JSONMember("entity_type", .string(key.kind.rawValue)),
      JSONMember("entity_id", .string(key.id)),
    ]
    for field in ChangeTable.fields {
      let value = field == .at ? .string(entry.at.travelling) : json[field]
      row.append(JSONMember(field, value ?? .null))
    }
    return .object(row + [JSONMember("extra", .object(entry.unknown))])
  }
}

extension Row {
  /// Returns the entity of a row, without a ledger.
  ///
  /// Any member of the household may have written the row. So, as in a file, anything that the
  /// format does not allow is a mistake.
  package static func entity(_ row: JSON, _ table: CloudTable) throws(FileMistakes) -> Entity {
    var members = [JSONMember(.id, row[.id] ?? .null)]
    for column in table.columns {
      let value = arrived(row[column.name], column.field, table.kind)
      // Null means absence, and is not a key.
      if value != .null { members.append(JSONMember(column.field, value)) }
    }
    let extra = row["extra"]?.members ?? []
    if table.namesHousehold, !extra.contains(where: { $0.key == FieldName.householdID.text }) {
      members.append(JSONMember(.householdID, row["household_id"] ?? .null))
    }
    members.append(JSONMember(.createdAt, instant(row["created_at"])))
    members.append(JSONMember(.edited, row[.edited] ?? .null))
    if table.hasLedgers, let pageFrom = row["page_from"], pageFrom != .null {
      members.append(JSONMember(.pageFrom, instant(pageFrom)))
    }
    if table.kind == .stockItem, extra.contains(where: { $0.key == FieldName.quantityLoose.text }) {
      members.append(JSONMember(.quantityLoose, .number("0")))
    }
    let known = Set(members.map(\.key) + table.columns.map(\.field.text))
    let schema = Schema.of(table.kind)
    members += extra.filter { !known.contains($0.key) && !schema.isBookkeeping($0.key) }
    let file = try EntityFile(table.kind, .object(members))
    guard let entity = Entity(file) else { throw FileMistakes([.incomplete]) }
    return entity
  }

  /// Returns the ledger entry of a row, and the key of its entity.
  package static func change(_ row: JSON) throws(FileMistakes) -> (EntityKey, LedgerEntry) {
    guard let kind = row["entity_type"]?.string.flatMap(Kind.init(rawValue:)),
      Schema.of(kind).quantity != nil, let id = row["entity_id"]?.string
    else { throw FileMistakes([.incomplete]) }
    var members: [JSONMember] = []
    for field in ChangeTable.fields {
      let value = field == .at ? instant(row[.at]) : row[field] ?? .null
      if value != .null { members.append(JSONMember(field, value)) }
    }
    let known = Set(ChangeTable.fields.map(\.text))
    members += (row["extra"]?.members ?? []).filter { !known.contains($0.key) }
    guard let entry = try LedgerEntry(.object(members)) else { throw FileMistakes([.incomplete]) }
    return (EntityKey(kind, id), entry)
  }

  private static func arrived(_ value: JSON?, _ field: FieldName, _ kind: Kind) -> JSON {
    kind == .receipt && field == .timestamp ? instant(value) : value ?? .null
  }

  private static func instant(_ value: JSON?) -> JSON {
    guard let text = value?.string else { return value ?? .null }
    return Instant.arrived(text).map { .string($0.description) } ?? .string(text)
  }
}

extension Instant {
  /// The text for PostgreSQL, which writes the year 0000 as 1 BC.
  var travelling: String {
    let text = description
    return text.hasPrefix("0000") ? "0001\(text.dropFirst(4)) BC" : text
  }

  static func arrived(_ text: String) -> Instant? {
    Instant(text.hasSuffix(" BC") ? "0000\(text.dropFirst(4).dropLast(3))" : text)
  }
}

/// The table of a kind: its name, and the column of each register.
///
/// Columns are the format's fields in snake case. `householdId` is part of the key, or in `extra`
/// if a file names another household.
package struct CloudTable: Sendable {
  package let kind: Kind
  package let name: String
  package let columns: [(name: String, field: FieldName)]

  package static let key = ["household_id", "id"]

  /// All tables, in the order of writing: the household before its content.
  package static let all = Kind.allCases.map(CloudTable.init)

  private init(_ kind: Kind) {
    self.kind = kind
    name =
      switch kind {
      case .household: "households"
      case .stockItem: "stock_items"
      case .inventoryItem: "inventory_items"
      case .storageLocation: "storage_locations"
      case .product: "products"
      case .shoppingListEntry: "shopping_list_entries"
      case .receipt: "receipts"
      }
    columns = Schema.of(kind).registerFields.map(\.name).filter { $0 != .householdID }
      .map { (CloudTable.snakeCase($0.text), $0) }
  }

  /// The columns that are written, and read together with the version.
  var written: [String] {
    CloudTable.key + columns.map(\.name) + ["created_at", "edited", "extra", "path"]
      + (hasLedgers ? ["page_from"] : [])
  }

  /// Whether the kind has ledgers, which may have pages.
  var hasLedgers: Bool { Schema.of(kind).quantity != nil }

  /// Whether a file of the kind names its household.
  var namesHousehold: Bool { Schema.of(kind).namesHousehold }

  /// Converts a name to snake case: `imageURL` becomes `image_url`.
  private static func snakeCase(_ name: String) -> String {
    var result = ""
    var previous: Character?
    for letter in name {
      if letter.isUppercase, previous?.isLowercase ?? false { result += "_" }
      result += letter.lowercased()
      previous = letter
    }
    return result
  }
}

/// The table of ledger entries.
package enum ChangeTable {
  package static let name = "quantity_changes"
  static let key = ["household_id", "entity_type", "entity_id", "id"]
  static let fields: [FieldName] = [
    .id, .at, .delta, .set, .undoes, .unit, .why, .by, .request, .receipt, .note, .total,
  ]
  static let written =
    ["household_id", "entity_type", "entity_id"] + fields.map(\.text) + ["extra"]
}
