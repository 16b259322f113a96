import LarderKit

/// `larder receipt list` and `larder receipt show`.
enum ReceiptList {
  private static let all = Option("all", short: "a", help: "show void receipts too")

  static let list = Command.list(
    "receipt list", of: ReceiptRow.self, [Period.since, Period.until], [all]
  ) {
    invocation in
    let survey = try await invocation.survey()
    let first = try invocation.day(Period.since, survey.calendar, .since)
    let last = try invocation.day(Period.until, survey.calendar, .until)
    let receipts = ReceiptRow.receipts(survey, isWhole: invocation.wantsDeleted(all))
      .filter { receipt in
        let day = survey.calendar.day(of: receipt.timestamp)
        return first.map { $0 <= day } ?? true && last.map { day <= $0 } ?? true
      }
    let rows = try invocation.choose(ReceiptRow.all(receipts, in: survey), in: survey)
    let output = invocation.output
    invocation.list(rows, in: survey)
    if output.mode == .human, output.terminal.outputIsTerminal, rows.count > 1 {
      output.line("Together: " + sums(of: rows.map(\.receipt)).joined(separator: ", "), .bold)
    }
  }

  static let show = Command(
    "receipt show", arguments: [ReceiptCommand.receipt], records: [ReceiptLineRow.columns.form()],
    isPaged: true
  ) { invocation in
    let survey = try await invocation.survey()
    let receipt = try survey.naming.find(invocation[ReceiptCommand.receipt], .receipt, .any)
    switch invocation.output.mode {
    case .json: invocation.output.json(["receipt": survey.whole(receipt)])
    case .plain:
      invocation.output.records(ReceiptLineRow.all(of: receipt, in: survey), ReceiptLineRow.columns)
    case .human:
      let void = receipt.isTombstone ? " (void)" : ""
      invocation.output.line(survey.heading(receipt) + void, .bold)
      invocation.output.lines(of: receipt, in: survey)
      let path = survey.household.path(of: receipt.key) ?? ""
      invocation.output.line(path.text, .dim)
    }
  }

  /// Returns the total amounts by currency, without void receipts.
  ///
  /// A receipt without an amount counts with the sum of its lines.
  private static func sums(of receipts: [Entity]) -> [String] {
    var sums: [String: Number] = [:]
    for receipt in receipts where !receipt.isTombstone {
      guard let amount = receipt.number(.amount) ?? Receipt(entity: receipt).sum else { continue }
      sums[receipt.currency ?? "", default: .zero] =
        sums[receipt.currency ?? "", default: .zero] + amount
    }
    if sums.isEmpty { return ["no amounts are known"] }
    return sums.sorted { $0.key < $1.key }.map {
      TypedMoney($0.value, $0.key.isEmpty ? nil : $0.key).description
    }
  }
}

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

  static func all(in survey: Survey, isWhole: Bool) -> [ReceiptRow] {
    all(receipts(survey, isWhole: isWhole), in: survey)
  }

  /// Returns the receipts, the newest first.
  fileprivate static func receipts(_ survey: Survey, isWhole: Bool) -> [Entity] {
    survey.household.all(.receipt).filter { isWhole || !$0.isTombstone }
      .sorted { ($0.timestamp, $0.id) > ($1.timestamp, $1.id) }
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
        .inTable("Lines", minimumWidth: 16) { .init($0.lines.joined(separator: ", "), .dim) }
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

  private func cell(_ text: String) -> Table.Cell { .init(text, receipt.isTombstone ? .dim : nil) }
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
