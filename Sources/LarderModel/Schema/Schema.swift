public import LarderJSON
public import LarderText

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

/// The kind of a file, decided by its folder.
///
/// Lists of kinds have this order, and a sync with a cloud writes them in it: the household first.
public enum Kind: String, CaseIterable, Sendable {
  case household = "Household"
  case stockItem = "StockItem"
  case inventoryItem = "InventoryItem"
  case storageLocation = "StorageLocation"
  case product = "Product"
  case shoppingListEntry = "ShoppingListEntry"
  case receipt = "Receipt"

  /// The folder of the kind's files, at any depth; nil for the household's single file.
  public var folder: String? {
    switch self {
    case .household: nil
    case .stockItem: "stock"
    case .inventoryItem: "batches"
    case .storageLocation: "locations"
    case .product: "products"
    case .shoppingListEntry: "shopping"
    case .receipt: "receipts"
    }
  }

  /// The place among all kinds.
  var number: Int { Kind.allCases.firstIndex(of: self) ?? 0 }

  /// The path of the household's own file.
  public static let householdPath: FilePath = "household.json"

  /// The kind of the file at a path from the household's root.
  ///
  /// Nil for a file that is not the household's.
  ///
  /// Nil also for a name that is not UTF-8, which is read with U+FFFD in it, and for Emacs' lock
  /// files, such as `.#milk.json`.
  public init?(path: FilePath) {
    var path = path.text
    let found = path.withUTF8 { bytes in
      (kind: Kind(bytes: bytes), mayBeBroken: bytes.contains(0xef))
    }
    guard let kind = found.kind,
      !found.mayBeBroken || !path.unicodeScalars.contains("\u{fffd}")
    else { return nil }
    self = kind
  }

  private init?(bytes: UnsafeBufferPointer<UInt8>) {
    guard bytes.count > 5, bytes.suffix(5).elementsEqual(".json".utf8),
      !Self.isEditorsLock(bytes)
    else { return nil }
    if bytes.elementsEqual(Kind.householdPath.utf8) {
      self = .household
      return
    }
    guard let slash = bytes.firstIndex(of: UInt8(ascii: "/")),
      let kind = Kind.folders.first(where: { bytes[..<slash].elementsEqual($0.name) })?.kind
    else { return nil }
    self = kind
  }

  private static func isEditorsLock(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let name = bytes.lastIndex(of: UInt8(ascii: "/")).map { bytes[($0 + 1)...] } ?? bytes[...]
    return name.starts(with: ".#".utf8)
  }

  private static let folders: [(name: [UInt8], kind: Kind)] = allCases.compactMap { kind in
    kind.folder.map { (Array($0.utf8), kind) }
  }
}

/// One field of a kind, or of an object inside it.
public struct Field: Sendable {
  public let name: FieldName
  public let type: FieldType
  public let presence: Presence
  /// The meaning of the field, for people and for editors with completion.
  public let summary: String
  /// The kind of the entity whose id is the value; `check` tells of an id that no entity has.
  let target: Kind?

  /// Whether a file must have the field.
  public enum Presence: Sendable, Hashable {
    case optional
    /// Required: there is no sensible default, so a file without it is a mistake.
    case required
    /// Filled in when a file that people wrote is adopted.
    case defaulted(JSON)
    /// Computed from the ledger or from the file's context; filled in when the file is adopted.
    case derived
  }

  init(
    _ name: FieldName, _ type: FieldType, _ presence: Presence = .optional, _ summary: String,
    refersTo target: Kind? = nil
  ) {
    self.name = name
    self.type = type
    self.presence = presence
    self.summary = summary
    self.target = target
  }

  public var defaultValue: JSON? {
    if case .defaulted(let value) = presence { value } else { nil }
  }
}

/// The type of a field's value.
public indirect enum FieldType: Sendable {
  case text
  /// Text that is not empty.
  case name
  /// A UUID; upper case is rewritten to lower case.
  case id
  /// The id of a catalogue entry, a StockItem or a location: any text that is not empty.
  case reference
  case flag
  case unit
  case number
  case numberNotNegative
  /// A number from 0 to 1.
  case confidence
  /// A whole number from 0 to 36500.
  case days
  case formatVersion
  case choice([String])
  case instant
  case day
  case timeZone
  /// Three letters, by ISO 4217.
  case currency
  case list(of: FieldType)
  case object([Field])
}
