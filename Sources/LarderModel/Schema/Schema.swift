public import LarderJSON

/// The table of one kind: its fields in the order in which they are written, and their special
/// roles.
public struct Schema: Sendable {
  public let kind: Kind
  public let summary: String
  public let fields: [Field]
  /// Fields that have a meaning only together, and are joined as one.
  public let groups: [[FieldName]]
  /// The place of the ledger's sum in the file.
  public let quantity: QuantityPlace?
  /// The field and value that mark a deleted entity.
  public let tombstone: Tombstone?

  public enum QuantityPlace: Sendable {
    /// `quantityInStock`, beside `unit`.
    case loose
    /// `quantity.value`, with its unit in `quantity.unit`.
    case nested
  }

  public struct Tombstone: Sendable {
    public let field: FieldName
    public let value: JSON
  }

  init(
    _ kind: Kind, _ summary: String, fields: [Field], groups: [[FieldName]] = [],
    quantity: QuantityPlace? = nil, tombstone: Tombstone? = nil
  ) {
    self.kind = kind
    self.summary = summary
    self.fields = fields
    self.groups = groups
    self.quantity = quantity
    self.tombstone = tombstone
    registerFields = fields.filter { !Schema.bookkeeping.contains($0.name) }
  }

  /// The keys of a file that are not registers: bookkeeping, and values computed from the ledger.
  static let bookkeeping: Set<FieldName> = [
    .id, .createdAt, .updatedAt, .edited, .pageFrom, .changes, .quantityInStock, .consumedAt,
  ]

  /// The fields that are registers, in the order of the table.
  package let registerFields: [Field]
}

extension Schema {
  /// The version of the format that this program reads and writes.
  public static let format = "1"

  public static func of(_ kind: Kind) -> Schema {
    switch kind {
    case .household: household
    case .stockItem: stockItem
    case .inventoryItem: inventoryItem
    case .storageLocation: storageLocation
    case .product: product
    case .shoppingListEntry: shoppingListEntry
    case .receipt: receipt
    }
  }
}
