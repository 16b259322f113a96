internal import LarderJSON
public import LarderModel

/// A table of the household for a spreadsheet, with a row for each thing of one sort.
public enum ExchangeTable: String, CaseIterable, Sendable {
  case stock, batches, shopping
  /// A row for each line of a receipt.
  case receipts
  case locations, products

  /// The kind of the things.
  public var kind: Kind {
    switch self {
    case .stock: .stockItem
    case .batches: .inventoryItem
    case .shopping: .shoppingListEntry
    case .receipts: .receipt
    case .locations: .storageLocation
    case .products: .product
    }
  }

  /// The columns in the order of the file: ids first, the version last.
  public var fields: [FieldName] { ownFields + [.asOf] }

  /// The columns that are read.
  ///
  /// A batch's row may also have columns of its item.
  public var readFields: [FieldName] { fields + (self == .batches ? Self.itemFields : []) }

  /// The columns of an item that a batch's row may have.
  static let itemFields: [FieldName] = [
    .category, .quantityFullStock, .quantityMinimum, .keepsDays, .aliases, .products,
  ]

  /// The column with the amount; nil for things that are not counted.
  var amountField: FieldName? {
    switch self {
    case .stock: .total
    case .batches: .quantity
    case .shopping, .receipts, .locations, .products: nil
    }
  }

  private var ownFields: [FieldName] {
    switch self {
    case .stock:
      [
        .id, .name, .total, .unit, .category, .quantityFullStock, .quantityMinimum, .keepsDays,
        .storageLocationID, .aliases, .products, .note,
      ]
    case .batches:
      [.id, .itemID, .name, .quantity, .unit, .location, .expiry, .opened, .lotOrBatchCode, .notes]
    case .shopping:
      [.id, .itemID, .name, .desiredQuantity, .unit, .isCompleted, .note]
    case .receipts:
      [
        .id, .lineID, .itemID, .timestamp, .shopName, .amount, .currency, .itemName, .quantity,
        .unit, .price, .expiry, .location, .lot,
      ]
    case .locations: [.id, .name, .isColdStorage]
    case .products:
      [
        .id, .title, .brand, .packSize, .unit, .barcodes, .bestAfterOpeningDays, .imageURL,
      ]
    }
  }
}

/// Columns that are no field of the household's files.
extension FieldName {
  /// The total of an item, loose and in batches.
  static let total = FieldName("total")
  static let lineID = FieldName("lineId")
  static let opened = FieldName("opened")
  /// The version of the household that the row shows, as `Reading.version` writes it.
  public static let asOf = FieldName("asOf")
}

extension ExchangeTable {
  /// Returns the column of a heading; nil if the heading is not known.
  ///
  /// `isOwn` is true for the name that Larder writes, and false for other words that people use.
  public func field(headed heading: String) -> (field: FieldName, isOwn: Bool)? {
    let wanted = Self.plain(heading)
    if let own = readFields.first(where: { Self.plain($0.text) == wanted }) { return (own, true) }
    let guess = readFields.first { $0.headings.contains { Self.plain($0) == wanted } }
    return guess.map { ($0, false) }
  }

  /// Returns the folded letters and digits of a heading.
  private static func plain(_ heading: String) -> String {
    fold(heading).filter { $0.isLetter || $0.isNumber }
  }

  /// The columns that are typical of the table; one of them is enough to recognize it.
  private var marks: [FieldName] {
    switch self {
    case .stock: [.id, .name]
    case .batches: [.location, .expiry, .opened, .lotOrBatchCode]
    case .shopping: [.desiredQuantity, .isCompleted]
    case .receipts: [.shopName, .lineID]
    case .locations: [.isColdStorage]
    case .products: [.title, .brand, .packSize]
    }
  }

  /// Returns the table that the headings fit best.
  static func guess(_ headings: [String]) -> ExchangeTable {
    let scored = allCases.map { table -> (table: ExchangeTable, score: Int) in
      let found = headings.compactMap { table.field(headed: $0) }
      let own = headings.contains { heading in
        table.marks.contains { plain($0.text) == plain(heading) }
      }
      let isMarked =
        own || (table != .products && found.contains { table.marks.contains($0.field) })
      return (table, isMarked ? found.reduce(0) { $0 + ($1.isOwn ? 3 : 2) } : 0)
    }
    let best = scored.map(\.score).max() ?? 0
    return scored.first { $0.score == best }?.table ?? .stock
  }
}
