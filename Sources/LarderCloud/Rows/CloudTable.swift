package import LarderModel

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
    .id, .at, .delta, .set, .undoes, .unit, .why, .by, .request, .receipt, .note,
  ]
  static let written =
    ["household_id", "entity_type", "entity_id"] + fields.map(\.text) + ["extra"]
}
