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
  /// Other headings that people use for a column, in several languages.
  fileprivate var headings: [String] { Self.headings[text] ?? [] }

  private static let headings: [String: [String]] = markdownSections(PackageResources.headings_md)
    .reduce(into: [:]) { found, section in
      let headings = section.value.replacing("\n", with: " ").split(separator: ",").map {
        spaced(String($0))
      }
      for name in section.key.split(separator: ",") { found[spaced(String(name))] = headings }
    }

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

extension Survey {
  /// Returns things of the household as a table for a spreadsheet, in the given order.
  ///
  /// The first row has the names of the columns. Importing the table unchanged changes nothing; see
  /// ``Change/take(_:at:)``. `version` is the reading's; with it, an import keeps what others
  /// change meanwhile.
  public func table(
    _ table: ExchangeTable, of entities: [Entity], version: String? = nil
  ) -> [UInt8] {
    var writer = CSVWriter(table.fields.map(\.text))
    for entity in entities where entity.kind == table.kind {
      for line in table == .receipts ? linesOrNone(of: entity) : [nil] {
        var cells = cells(of: entity, line: line)
        cells[.asOf] = .value(version ?? "")
        writer.row(table.fields.map { cells[$0] ?? .empty })
      }
    }
    return writer.bytes
  }

  /// Returns a receipt's lines; one nil if it has none.
  private func linesOrNone(of receipt: Entity) -> [ReceiptLine?] {
    receipt.lines.isEmpty ? [nil] : receipt.lines
  }

  /// Returns the cells of an entity's row, or of the row of a receipt's line; none if no table has rows
  /// of its kind.
  func cells(of entity: Entity, line: ReceiptLine? = nil) -> [FieldName: CSVCell] {
    switch ExchangeTable.allCases.first(where: { $0.kind == entity.kind }) {
    case .stock: cells(ofItem: StockItem(entity: entity))
    case .batches: cells(ofBatch: Batch(entity: entity))
    case .shopping: cells(ofEntry: ShoppingListEntry(entity: entity))
    case .receipts: cells(ofReceipt: Receipt(entity: entity), line)
    case .locations:
      [
        .id: .value(entity.id), .name: .text(entity.title),
        .isColdStorage: .flag(entity.flag(.isColdStorage)),
      ]
    case .products: cells(ofProduct: Product(entity: entity))
    case nil: [:]
    }
  }

  private func cells(ofItem item: StockItem) -> [FieldName: CSVCell] {
    [
      .id: .value(item.id), .name: .text(item.name), .total: .number(total(of: item).value),
      .unit: .value(item.unit.rawValue), .category: .text(item.category ?? ""),
      .quantityFullStock: .number(item.fullStock), .quantityMinimum: .number(item.minimum),
      .keepsDays: .number(item.keepsDays.map { Number($0) }),
      .storageLocationID: .text(place(of: item.entity) ?? ""), .aliases: .list(item.aliases),
      .products: .list(item.productIDs), .note: .text(item.note ?? ""),
    ]
  }

  private func cells(ofBatch batch: Batch) -> [FieldName: CSVCell] {
    [
      .id: .value(batch.id), .itemID: .value(stock.item(of: batch.entity)?.id ?? ""),
      .name: .text(naming.title(of: batch.entity)),
      .quantity: .number(stock.withoutLack(batch.entity).quantity.value),
      .unit: .value(batch.quantity.unit.rawValue), .location: .text(place(of: batch.entity) ?? ""),
      .expiry: .value(packageDate(of: batch.entity)),
      .opened: .moment(batch.opened?.date, calendar),
      .lotOrBatchCode: .text(batch.lotCode ?? ""), .notes: .text(batch.notes ?? ""),
    ]
  }

  /// Returns the day of a batch; `made` or `packed` before it says that it is no last day.
  private func packageDate(of batch: Entity) -> String {
    batch.batchDay?.description.filter { $0 != "~" } ?? ""
  }

  private func cells(ofEntry entry: ShoppingListEntry) -> [FieldName: CSVCell] {
    [
      .id: .value(entry.id), .itemID: .value(entry.itemID ?? ""), .name: .text(title(of: entry)),
      .desiredQuantity: .number(entry.desired.value), .unit: .value(entry.desired.unit.rawValue),
      .isCompleted: .flag(entry.isCompleted), .note: .text(entry.note ?? ""),
    ]
  }

  private func cells(ofReceipt receipt: Receipt, _ line: ReceiptLine?) -> [FieldName: CSVCell] {
    var cells: [FieldName: CSVCell] = [
      .id: .value(receipt.id), .timestamp: .moment(receipt.timestamp, calendar),
      .shopName: .text(receipt.shop), .amount: .number(receipt.amount),
      .currency: .value(receipt.currency ?? ""),
    ]
    guard let line else { return cells }
    cells[.lineID] = .value(line.id)
    cells[.itemID] = .value(line.itemID ?? "")
    cells[.itemName] = .text(line.itemName)
    cells[.quantity] = .number(line.quantity)
    cells[.unit] = .value(line.unit?.rawValue ?? "")
    cells[.price] = .number(line.price)
    cells[.expiry] = .value(line.expiry?.description ?? "")
    cells[.location] = .text(
      line.locationID.map { household[.storageLocation, $0]?.title ?? $0 } ?? "")
    cells[.lot] = .text(line.lotCode ?? "")
    return cells
  }

  private func cells(ofProduct product: Product) -> [FieldName: CSVCell] {
    [
      .id: .text(product.id), .title: .text(product.title), .brand: .text(product.brand ?? ""),
      .packSize: .number(product.packSize?.value),
      .unit: .value(product.packSize?.unit.rawValue ?? ""), .barcodes: .list(product.barcodes),
      .bestAfterOpeningDays: .number(product.bestAfterOpeningDays.map { Number($0) }),
      .imageURL: .text(product.imageURL ?? ""),
    ]
  }
}

extension CSVCell {
  static func number(_ number: Number?) -> CSVCell { .value(number?.description ?? "") }

  static func flag(_ flag: Bool) -> CSVCell { .value(flag ? "yes" : "no") }

  static func moment(_ instant: Instant?, _ calendar: HouseholdCalendar) -> CSVCell {
    .value(instant.map { calendar.text(of: $0) } ?? "")
  }

  /// Returns one cell with several texts, separated by semicolons; `\;` is a semicolon in a text.
  static func list(_ texts: [String]) -> CSVCell {
    .text(
      texts.map { $0.replacing(["\\": "\\\\", ";": "\\;"]) }
        .joined(separator: "; "))
  }

  /// The text in the file.
  var written: String {
    switch self {
    case .text(let text): CSVWriter.defused(text)
    case .value(let text): text
    }
  }
}

/// Returns the texts of a cell that ``CSVCell/list(_:)`` wrote, without empty ones.
func listed(_ cell: String) -> [String] {
  var texts = [""]
  var isEscaped = false
  for character in cell {
    if isEscaped || (character != "\\" && character != ";") {
      texts[texts.count - 1].append(character)
      isEscaped = false
    } else if character == "\\" {
      isEscaped = true
    } else {
      texts.append("")
    }
  }
  return texts.map(spaced).filter { !$0.isEmpty }
}
