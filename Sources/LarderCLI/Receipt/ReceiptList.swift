import LarderJSON
import LarderKit
import LarderModel
internal import LarderText

/// `larder receipt list` and `larder receipt show`.
enum ReceiptList {
  private static let since = Option("since", value: "DAY", help: "from this day on")
  private static let until = Option("until", value: "DAY", help: "up to this day")
  private static let all = Option("all", short: "a", help: "show void receipts too")

  static let list = Command(
    "list", summary: "List receipts, the newest first",
    discussion: ReceiptRow.listing.discussion,
    examples: [
      Example("larder receipt"), Example("larder receipt list shop:greenway --since 2026-11-01"),
      Example("larder receipt list coffee --limit 1", "when coffee was bought last"),
      Example("larder receipt list 'amount:>50' --sort amount-"),
    ],
    arguments: [ListOptions.filters.choosing(from: ReceiptRow.listing)],
    options: [since, until, ListOptions.sort, ListOptions.limit, ListOptions.sync, all],
    records: ReceiptRow.forms, isPaged: true
  ) { invocation in
    let survey = try invocation.survey()
    let first = try day(since, .since, invocation, survey.calendar)
    let last = try day(until, .until, invocation, survey.calendar)
    let receipts = survey.household.all(.receipt)
      .filter { invocation.wantsDeleted(all) || !$0.isTombstone }
      .filter { receipt in
        let day = survey.calendar.day(of: receipt.timestamp)
        return first.map { $0 <= day } ?? true && last.map { day <= $0 } ?? true
      }
      .sorted { ($0.timestamp, $0.id) > ($1.timestamp, $1.id) }
    let rows = try invocation.choose(ReceiptRow.all(receipts, in: survey), in: survey)
    let output = invocation.output
    invocation.list(rows, in: survey)
    if output.mode == .human, output.terminal.outputIsTerminal, rows.count > 1 {
      output.line("Together: " + sums(of: rows.map(\.receipt)).joined(separator: ", "), .bold)
    }
  }

  static let show = Command(
    "show", summary: "Show a receipt with its lines",
    examples: [
      Example("larder receipt show 'greenway market 2026-11-20'"),
      Example("larder receipt show 2026-11-20 --json"),
    ],
    arguments: [ReceiptCommand.receipt], records: [ReceiptLineRow.columns.form()], isPaged: true
  ) { invocation in
    let survey = try invocation.survey()
    let receipt = try survey.naming.find(invocation[ReceiptCommand.receipt], .receipt, .any)
    switch invocation.output.mode {
    case .json: invocation.output.json([JSONMember("receipt", survey.whole(receipt))])
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

  private static func day(
    _ option: Option, _ direction: HouseholdCalendar.Direction, _ invocation: Invocation,
    _ calendar: HouseholdCalendar
  ) throws -> Day? {
    try invocation[option].map { try invocation.day($0, for: option.spelling, calendar, direction) }
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
