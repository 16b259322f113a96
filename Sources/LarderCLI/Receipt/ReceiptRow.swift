import LarderKit
import LarderModel

/// A receipt as a row of the list.
struct ReceiptRow {
  let receipt: Entity
  /// The time of payment, in the household's time zone.
  private let paid: String
  /// The end of the id, which identifies the row if another one has the same time and shop.
  private var digits: String?

  init(_ receipt: Entity, in survey: Survey) {
    self.receipt = receipt
    paid = survey.calendar.text(of: receipt.timestamp)
  }

  /// Returns the rows of receipts, each with what distinguishes it from the others.
  static func all(_ receipts: [Entity], in survey: Survey) -> [ReceiptRow] {
    let rows = receipts.map { ReceiptRow($0, in: survey) }
    let look = { (row: ReceiptRow) in "\(row.paid) \(fold(row.receipt.title))" }
    let counts = Dictionary(rows.map { (look($0), 1) }, uniquingKeysWith: +)
    return rows.map { row in
      var row = row
      if counts[look(row)] != 1 { row.digits = String(row.receipt.id.suffix(6)) }
      return row
    }
  }
}

extension ReceiptRow: ListRow {
  var entities: [Entity] { [receipt] }
  static var kind: Kind { .receipt }

  static var listing: Listing<ReceiptRow> {
    Listing(
      columns: columns,
      searched: (
        "the shop, the note, the lines, other names of their items, and the products' titles and barcodes",
        { [$0.receipt.title, $0.receipt.note] + $0.lines + $0.itemWords(in: $1) }
      ),
      states: [.init("archived", remark: "void", holds: \.receipt.isTombstone)])
  }

  private static var columns: [Column<ReceiptRow>] {
    [
      Column("timestamp", "day", "at") { .instant($0.receipt.timestamp) }
        .inTable("Paid", minimumWidth: 16) { $0.cell($0.paid) }
        .inRecord(1),
      Column("shopName", "shop") { .text($0.receipt.title) }
        .inTable("Shop", need: .most) {
          $0.cell(
            $0.receipt.title + ($0.digits.map { " \($0)" } ?? "")
              + ($0.receipt.isTombstone ? " (void)" : ""))
        }
        .inRecord(2),
      Column("amount") { FilterValue($0.receipt.number(.amount)) }
        .inTable("Amount", .right, need: .most) { $0.cell($0.amount) }
        .inRecord(3),
      Column("currency") { FilterValue($0.receipt.currency) }.inRecord(4),
      Column("line", "items", "item", remark: "what was bought") { .texts($0.lines) }
        .inTable("Lines", minimumWidth: 16) {
          .init($0.lines.joined(separator: ", "), .dim)
        }
        .inRecord(5, as: "lines") { String($0.lines.count) },
    ] + Column.identity(record: 6)
  }

  private var lines: [String] { receipt.lines.map(\.itemName) }

  /// The words that find the receipt by the items on its lines.
  private func itemWords(in survey: Survey) -> [String] {
    let items = receipt.lines.compactMap { line in
      line.itemID.flatMap { survey.household[.stockItem, $0] }
    }
    return items.flatMap { [$0.title] + $0.aliases + survey.words(ofProducts: $0.productIDs) }
  }

  private var amount: String {
    receipt.number(.amount).map { TypedMoney($0, receipt.currency).description } ?? ""
  }

  private func cell(_ text: String) -> Table.Cell {
    .init(text, receipt.isTombstone ? .dim : nil)
  }
}

/// A line of a receipt, with the current total of its item.
struct ReceiptLineRow {
  private let line: ReceiptLine
  private let currency: String?
  private let item: Entity?
  private let place: String?
  private let total: Quantity?

  static func all(of receipt: Entity, in survey: Survey) -> [ReceiptLineRow] {
    receipt.lines.map { line in
      let item = line.itemID.flatMap { survey.household[.stockItem, $0] }
      return ReceiptLineRow(
        line: line, currency: receipt.currency, item: item,
        place: line.locationID.flatMap { survey.household[.storageLocation, $0]?.title },
        total: item.map { survey.total(of: $0) })
    }
  }

  static var columns: [Column<ReceiptLineRow>] {
    [
      Column("itemName") { .text($0.line.itemName) }.inTable("Line", minimumWidth: 12).inRecord(1),
      Column("quantity") { .quantity($0.quantity) }.inTable("Quantity", .right).inRecord(2),
      Column("unit") { FilterValue($0.line.unit?.rawValue) }.inRecord(3),
      Column("price") { FilterValue($0.line.price) }
        .inTable("Price", .right) { .init($0.price) }
        .inRecord(4),
      Column("expiry") { FilterValue($0.line.expiry) }.inTable("Keeps until").inRecord(5),
      Column("place") { FilterValue($0.place) }.inTable("Place"),
      Column("lot") { FilterValue($0.line.lotCode) }.inTable("Lot code"),
      Column("total") { FilterValue($0.total) }.inTable("Stock now", .right),
      Column("itemId") { FilterValue($0.line.itemID) }.inRecord(6),
    ]
  }

  private var quantity: Quantity { Quantity(line.quantity, line.unit ?? item?.unit ?? .piece) }

  private var price: String { line.price.map { TypedMoney($0, currency).description } ?? "" }
}

extension Output {
  /// Prints the lines of a receipt as a table.
  func lines(of receipt: Entity, in survey: Survey) {
    let rows = ReceiptLineRow.all(of: receipt, in: survey)
    table(Table(rows, ReceiptLineRow.columns))
  }
}
