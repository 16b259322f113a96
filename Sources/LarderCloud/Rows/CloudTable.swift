internal import LarderJSON
package import LarderModel

/// The table of a kind: its name, and the column of each register.
///
/// Columns are the format's fields in snake case. `householdId` is the key's, and in `extra` where a
/// file names another household.
package struct CloudTable: Sendable {
  package let kind: Kind
  package let name: String
  package let columns: [(name: String, field: String)]

  package static let key = ["household_id", "id"]

  /// All of them, in the order in which they are written: a household before what is in it.
  package static let all = [
    CloudTable(.household, "households"), CloudTable(.storageLocation, "storage_locations"),
    CloudTable(.product, "products"), CloudTable(.stockItem, "stock_items"),
    CloudTable(.inventoryItem, "inventory_items"),
    CloudTable(.shoppingListEntry, "shopping_list_entries"), CloudTable(.receipt, "receipts"),
  ]

  private init(_ kind: Kind, _ name: String) {
    self.kind = kind
    self.name = name
    columns = Schema.of(kind).registerFields.map(\.name).filter { $0 != "householdId" }
      .map { (CloudTable.snakeCase($0), $0) }
  }

  /// What is written of a row, and what is read of it but for its version.
  var written: [String] {
    CloudTable.key + columns.map(\.name) + ["created_at", "edited", "extra", "path"]
  }

  /// Whether a file of the kind names the household that it is of.
  var namesHousehold: Bool { kind == .inventoryItem || kind == .storageLocation }

  /// `imageURL` is `image_url`.
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
  static let fields = [
    "id", "at", "delta", "set", "undoes", "unit", "why", "by", "request", "receipt", "note",
  ]
  static let written = ["household_id", "entity_type", "entity_id"] + fields + ["extra"]
}
