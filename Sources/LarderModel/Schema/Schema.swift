public import LarderJSON

/// The table of one kind: its fields in the order in which they are written, and their special
/// roles.
///
/// What a rule needs to know of a kind is a role here or follows from the fields, so that a new kind
/// is a new table.
public final class Schema: Sendable {
  public let kind: Kind
  public let summary: String
  /// The field with the name that people use; nil if the entity is called after another one.
  public let title: FieldName?
  public let fields: [Field]
  /// Fields that have a meaning only together, and are joined as one.
  public let groups: [[FieldName]]
  /// The place of the ledger's sum in the file.
  public let quantity: QuantityPlace?
  /// The field and value that mark a deleted entity.
  public let tombstone: Tombstone?
  /// Whether no two live entities may have a name in common.
  public let namesAreUnique: Bool

  public enum QuantityPlace: Sendable {
    /// `quantityInStock` or `quantityLoose`, beside `unit`.
    case loose
    /// `quantity.value`, with its unit in `quantity.unit`.
    case nested
  }

  public struct Tombstone: Sendable {
    public let field: FieldName
    public let value: JSON
  }

  init(
    _ kind: Kind, _ summary: String, title: FieldName? = .name, fields: [Field],
    groups: [[FieldName]] = [], quantity: QuantityPlace? = nil, tombstone: Tombstone? = nil,
    namesAreUnique: Bool = false
  ) {
    self.kind = kind
    self.summary = summary
    self.title = title
    self.fields = fields
    self.groups = groups
    self.quantity = quantity
    self.tombstone = tombstone
    self.namesAreUnique = namesAreUnique
    registerFields = fields.filter { !Schema.bookkeeping.contains($0.name) }
    references = fields.filter { field in
      guard case .list(of: .object(let members)) = field.type else { return field.target != nil }
      return members.contains { $0.target != nil }
    }
    let has = { (name: FieldName) in fields.contains { $0.name == name } }
    (namesHousehold, namesItem) = (has(.householdID), has(.itemID))
    (namesProduct, listsProducts) = (has(.productRef), has(.products))
  }

  /// The keys of a file that are not registers: bookkeeping, and values computed from the ledger.
  static let bookkeeping: Set<FieldName> = [
    .id, .createdAt, .updatedAt, .edited, .pageFrom, .changes, .quantityInStock, .quantityLoose,
    .consumedAt,
  ]

  /// The fields that are registers, in the order of the table.
  package let registerFields: [Field]
  /// The fields that have ids of other entities, themselves or in the objects of their list.
  let references: [Field]
  /// Whether a file names its household.
  package let namesHousehold: Bool
  /// Whether an entity may be about an item, and is then called after it.
  let namesItem: Bool
  /// Whether an entity is of one product, as a batch is.
  let namesProduct: Bool
  /// Whether an entity lists products that count as it.
  let listsProducts: Bool
}

extension Schema {
  /// The newest version of the format that this program reads and writes.
  public static let format = "1"
  /// The version of a new household, and of one that does not say its version.
  static let firstFormat = "1"

  /// Whether this program may write a household of a version.
  public static func knows(format: String) -> Bool {
    guard let version = Number(format), let newest = Number(Self.format) else { return false }
    return version <= newest
  }
}
