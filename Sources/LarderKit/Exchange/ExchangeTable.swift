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

  /// The columns that are about a whole receipt.
  static let receiptFields: Set<FieldName> = [.id, .timestamp, .shopName, .amount, .currency]

  fileprivate var ownFields: [FieldName] {
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
    let table = ExchangeTable.allCases.first { $0.kind == entity.kind }
    return (table?.ownFields ?? []).reduce(into: [:]) { cells, field in
      let isOfLine = table == .receipts && !ExchangeTable.receiptFields.contains(field)
      cells[field] =
        isOfLine ? line.flatMap { cell(field, of: $0) } : cell(field, of: entity)
    }
  }

  private func cell(_ field: FieldName, of entity: Entity) -> CSVCell {
    switch field {
    case .id: entity.kind == .product ? .text(entity.id) : .value(entity.id)
    case .itemID:
      .value((entity.kind == .inventoryItem ? stock.item(of: entity)?.id : entity.itemID) ?? "")
    case .name, .title, .shopName: .text(naming.title(of: entity))
    case .total: .number(stock.total(of: entity))
    case .quantity: .number(stock.withoutLack(entity).quantity.value)
    case .desiredQuantity: .number(entity.desired.value)
    case .packSize: .number(entity.packSize?.value)
    case .unit:
      .value(entity.kind == .product && entity.packSize == nil ? "" : entity.unit.rawValue)
    case .quantityFullStock: .number(entity.fullStock)
    case .quantityMinimum, .keepsDays, .bestAfterOpeningDays, .amount:
      .number(entity.number(field))
    case .storageLocationID, .location: .text(place(of: entity) ?? "")
    // `made` or `packed` before the day says that it is no last day.
    case .expiry: .value(entity.batchDay?.description.filter { $0 != "~" } ?? "")
    case .opened: .moment(entity.openedAt, calendar)
    case .timestamp: .moment(entity.timestamp, calendar)
    case .currency: .value(entity.currency ?? "")
    case .isCompleted, .isColdStorage: .flag(entity.flag(field))
    case .aliases: .list(entity.aliases)
    case .products: .list(entity.productIDs)
    case .barcodes: .list(Product(entity: entity).barcodes)
    default: .text(entity[field]?.string ?? "")
    }
  }

  private func cell(_ field: FieldName, of line: ReceiptLine) -> CSVCell? {
    switch field {
    case .lineID: .value(line.id)
    case .itemID: .value(line.itemID ?? "")
    case .itemName: .text(line.itemName)
    case .quantity: .number(line.quantity)
    case .unit: .value(line.unit?.rawValue ?? "")
    case .price: .number(line.price)
    case .expiry: .value(line.expiry?.description ?? "")
    case .location:
      .text(line.locationID.map { household[.storageLocation, $0]?.title ?? $0 } ?? "")
    case .lot: .text(line.lotCode ?? "")
    default: nil
    }
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

/// The rows of a file's receipts, grouped by receipt.
struct ReceiptRows {
  private(set) var groups: [[ImportRow]] = []
  private var places: [String: Int] = [:]
  /// The groups whose rows have no amount yet.
  private var withoutAmount: Set<Int> = []
  /// The number of receipts without an id.
  private(set) var newCount = 0
  /// The household's receipts as comparable texts; nil until they are needed.
  var known: Set<String>?
  /// The household's receipts by shop, day and amount.
  var twins: [String: Receipt] = [:]
  /// The spelling of each shop, by its folded name.
  var shops: [String: String] = [:]
  /// The time of each item's last count.
  var counts: [EntityKey: Instant] = [:]

  /// The receipts that were made or changed.
  var taken: [EntityKey] = []
  /// The names on new lines that are no items.
  var unknown: [String] = []

  /// Adds a row to the group of its receipt.
  ///
  /// Rows with an id belong together by it, others by `head`, which is the shop and the time, and
  /// the amount. Not every row of a receipt needs the amount.
  mutating func add(_ row: ImportRow, _ head: [String], amount: String?) {
    let shared = fold(head.joined(separator: "\n"))
    let key = row.text(.id) ?? amount.map { shared + "\n" + $0 } ?? shared
    if let place = places[key] {
      groups[place].append(row)
    } else if !row.hasID, amount != nil, let place = places[shared], withoutAmount.contains(place) {
      withoutAmount.remove(place)
      places[key] = place
      groups[place].append(row)
    } else {
      places[key] = groups.count
      if !row.hasID {
        newCount += 1
        places[shared] = groups.count
        if amount == nil { withoutAmount.insert(groups.count) }
      }
      groups.append([row])
    }
  }
}
