import LarderJSON
import LarderKit
import LarderModel

/// `larder spending`.
enum SpendingCommand {
  private static let grouping = Option(
    "by", value: "WHAT", values: .oneOf(Spending.Grouping.allCases.map(\.rawValue)),
    help: "what to add up by; month if left out")

  static let command = Command(
    "spending", summary: "Show what was spent, by month, shop, category or item",
    discussion: """
      Adds up the receipts; void ones don't count. By month and shop, a receipt counts with its total, \
      or with the prices of its lines if it has none. By category and item, the prices of the lines \
      count, and what the totals have beyond them is a row of its own. Currencies are never added up \
      together. A receipt without a currency is in the household's. Days are those of the household's \
      time zone.

      In a record, the kind is month, shop, category, noCategory, item, other (no item) or rest (on no \
      line with a price).
      """,
    group: "Costs",
    examples: [
      Example("larder spending", "month by month"),
      Example("larder spending 2026 --by category"),
      Example("larder spending last month --by item"),
      Example("larder spending --by shop --csv", "for a spreadsheet"),
    ],
    arguments: [Period.argument],
    options: [grouping, Period.since, Period.until, .csv],
    records: [SpendingRow.columns(by: .month).form()], isPaged: true
  ) { invocation in
    let survey = try invocation.survey()
    let period = try invocation.period(survey.calendar)
    let purchases = Purchases(in: survey, since: period.since, until: period.until)
    let grouping = invocation[grouping].flatMap(Spending.Grouping.init) ?? .month
    let spending = Spending(purchases, by: grouping)
    let rows = SpendingRow.all(of: spending)
    let columns = SpendingRow.columns(by: grouping)
    let output = invocation.output
    if try invocation.wantsCSV() { return output.csv(rows, columns) }
    switch output.mode {
    case .json:
      output.json(
        [JSONMember("by", .string(grouping.rawValue))] + members(of: period) + [
          JSONMember("items", .array(rows.map { columns.object(of: $0) })),
          JSONMember("totals", .array(spending.totals.map(json))),
        ])
    case .plain: output.records(rows, columns)
    case .human:
      output.table(Table(rows, columns.shown(on: output.terminal)))
      tell(spending, output)
    }
  }

  /// Reports the totals, and the unknown parts.
  private static func tell(_ spending: Spending, _ output: Output) {
    guard !spending.totals.isEmpty else { return output.note("no receipts to add up") }
    let sums = spending.totals.map { total in
      TypedMoney(total.amount, total.currency).description
        + " on \(counted(total.receipts, "receipt"))"
    }
    output.line("Together: " + sums.joined(separator: ", "), .bold)
    let incomplete = spending.totals.reduce(0) { $0 + $1.incompleteReceipts }
    if incomplete > 0 {
      let verb = incomplete == 1 ? "says" : "say"
      output.note(
        "\(counted(incomplete, "receipt")) \(verb) no total, and not the price of every line: more was spent"
      )
    }
    let unpriced = spending.totals.reduce(0) { $0 + $1.linesWithoutPrice }
    if unpriced > 0, [.category, .item].contains(spending.grouping) {
      let verb = unpriced == 1 ? "has" : "have"
      output.note("\(counted(unpriced, "line")) \(verb) no price")
    }
  }

  private static func json(_ total: Spending.Total) -> JSON {
    .object(
      [
        JSONMember("amount", total.amount.json),
        total.currency.map { JSONMember("currency", .string($0)) },
        JSONMember("receipts", .number(String(total.receipts))),
        JSONMember("rest", total.rest.json),
        JSONMember("incompleteReceipts", .number(String(total.incompleteReceipts))),
        JSONMember("linesWithoutPrice", .number(String(total.linesWithoutPrice))),
      ].compactMap(\.self))
  }
}
