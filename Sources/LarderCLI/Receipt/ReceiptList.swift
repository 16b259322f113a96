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
    let receipts = ReceiptRow.all(
      in: survey, from: first, to: last, isWhole: invocation.wantsDeleted(all))
    let rows = try invocation.choose(receipts, in: survey)
    let output = invocation.output
    await invocation.list(rows, in: survey)
    if output.mode == .human, output.terminal.outputIsTerminal, rows.count > 1 {
      let sums = ReceiptRow.sums(of: rows).map { TypedMoney($0.amount, $0.currency).description }
      let words = sums.isEmpty ? "no amounts are known" : sums.joined(separator: ", ")
      output.line("Together: \(words)", .bold)
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
}

extension ReceiptRow: ListedRow {
  static let columns: [Column<ReceiptRow>] = [
    Column("timestamp").inTable("Paid", minimumWidth: 16) { $0.cell($0.paid) }.inRecord(1),
    Column("shopName")
      .inTable("Shop", need: .most) {
        $0.cell(
          $0.receipt.title + ($0.digits.map { " \($0)" } ?? "")
            + ($0.receipt.isTombstone ? " (void)" : ""))
      }
      .inRecord(2),
    Column("amount").inTable("Amount", .right, need: .most) { $0.cell($0.amount) }.inRecord(3),
    Column("currency").inRecord(4),
    Column("line")
      .inTable("Lines", minimumWidth: 16) { .init($0.lines.joined(separator: ", "), .dim) }
      .inRecord(5, as: "lines") { String($0.lines.count) },
    Column("id").inRecord(6),
  ]

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
      Column("unit") { ListValue($0.line.unit?.rawValue) }.inRecord(3),
      Column("price") { ListValue($0.line.price) }
        .inTable("Price", .right) { .init($0.price) }
        .inRecord(4),
      Column("expiry") { ListValue($0.line.expiry) }.inTable("Keeps until").inRecord(5),
      Column("place") { ListValue($0.place) }.inTable("Place"),
      Column("lot") { ListValue($0.line.lotCode) }.inTable("Lot code"),
      Column("total") { ListValue($0.total) }.inTable("Stock now", .right),
      Column("itemId") { ListValue($0.line.itemID) }.inRecord(6),
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
