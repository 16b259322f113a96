import LarderJSON
import LarderKit
import LarderModel

/// `larder receipt list` and `larder receipt show`.
enum ReceiptList {
  private static let since = Option("since", value: "DAY", help: "from this day on")
  private static let until = Option("until", value: "DAY", help: "up to this day")
  private static let all = Option("all", short: "a", help: "show void receipts too")

  static let list = Command(
    "list", summary: "List receipts, the newest first",
    discussion: """
      Words match the shop and the lines, without regard to case and accents. 'field:value' compares \
      a field, named as in the files; a number or a day may begin with >, >=, < or <=. \
      '-field:value' matches if it is anything else. A receipt must match all filters.

      Fields: shopName or shop, amount, currency, timestamp or day, line (what was bought), \
      createdAt, updatedAt.
      States: is:archived (void).
      """,
    examples: [
      Example("larder receipt"), Example("larder receipt list shop:greenway --since 2026-11-01"),
      Example("larder receipt list coffee --limit 1", "when coffee was bought last"),
      Example("larder receipt list 'amount:>50' --sort amount-"),
    ],
    arguments: [ListOptions.filters],
    options: [since, until, ListOptions.sort, ListOptions.limit, ListOptions.sync, all]
  ) { invocation in
    let survey = try invocation.survey()
    let first = try day(since, invocation, survey.calendar)
    let last = try day(until, invocation, survey.calendar)
    let receipts = survey.household.all(.receipt)
      .filter { invocation.wantsDeleted(all) || !$0.isTombstone }
      .filter { receipt in
        let day = survey.calendar.day(of: receipt.timestamp)
        return first.map { $0 <= day } ?? true && last.map { day <= $0 } ?? true
      }
      .sorted { ($0.timestamp, $0.id) > ($1.timestamp, $1.id) }
    show(try invocation.choose(receipts, with: listing(survey)), survey, invocation.output)
  }

  static let show = Command(
    "show", summary: "Show a receipt with its lines",
    examples: [
      Example("larder receipt show 'greenway market 2026-11-20'"),
      Example("larder receipt show 2026-11-20 --json"),
    ],
    arguments: [ReceiptCommand.receipt]
  ) { invocation in
    let survey = try invocation.survey()
    let receipt = try survey.naming.find(invocation[ReceiptCommand.receipt], .receipt, .any)
    switch invocation.output.mode {
    case .json: invocation.output.json([JSONMember("receipt", survey.whole(receipt))])
    case .plain:
      for line in receipt.lines {
        invocation.output.record([
          line.itemName, line.quantity.description, line.unit?.rawValue ?? "",
          line.price?.description ?? "", line.expiry?.description ?? "", line.itemID ?? "",
        ])
      }
    case .human:
      let void = receipt.isTombstone ? " (void)" : ""
      invocation.output.line(survey.heading(receipt) + void, .bold)
      invocation.output.table(survey.table(of: receipt).withoutEmptyColumns)
      let path = survey.household.path(of: receipt.key) ?? ""
      invocation.output.line(path, .dim)
    }
  }

  private static func day(
    _ option: Option, _ invocation: Invocation, _ calendar: HouseholdCalendar
  ) throws -> Day? {
    guard let text = invocation[option] else { return nil }
    guard let day = calendar.day(typed: text, .back) else {
      throw invocation.unreadable(text, for: option.spelling, HouseholdCalendar.dayForms)
    }
    return day
  }

  private static func listing(_ survey: Survey) -> Listing<Entity> {
    Listing(
      entity: { $0 },
      words: { [$0.title, $0.note].compactMap { $0 } + $0.lines.map(\.itemName) },
      fields: [
        .init("shopName", "shop") { .text($0.title) },
        .init("amount") { FilterValue($0.number(.amount)) },
        .init("currency") { FilterValue($0.currency) },
        .init("timestamp", "day", "at") { .instant($0.timestamp) },
        .init("line", "items", "item") { .texts($0.lines.map(\.itemName)) },
        .init("id") { .text($0.id) },
        .init("createdAt", "created") { .instant($0.createdAt) },
        .init("updatedAt", "updated") { .instant($0.updatedAt) },
      ],
      states: [.init(name: "archived") { $0.isTombstone }], calendar: survey.calendar)
  }
}

extension ReceiptList {
  private static func show(_ receipts: [Entity], _ survey: Survey, _ output: Output) {
    output.list(receipts.map(ReceiptRow.init), in: survey) { _ in table(of: receipts, survey) }
    if output.mode == .human, output.terminal.outputIsTerminal, receipts.count > 1 {
      output.line("Together: " + sums(of: receipts).joined(separator: ", "), .bold)
    }
  }

  private static func table(of receipts: [Entity], _ survey: Survey) -> Table {
    Table(
      columns: [
        .init("Paid", minimumWidth: 16), .init("Shop", minimumWidth: 12), .init("Amount", .right),
        .init("Lines", minimumWidth: 16),
      ],
      rows: receipts.map { receipt in
        let style: Style? = receipt.isTombstone ? .dim : nil
        let amount = receipt.number(.amount).map { money($0, receipt.currency) } ?? ""
        let void = receipt.isTombstone ? " (void)" : ""
        return [
          .init(survey.calendar.text(of: receipt.timestamp), style),
          .init(receipt.title + void, style), .init(amount, style),
          .init(receipt.lines.map(\.itemName).joined(separator: ", "), style ?? .dim),
        ]
      })
  }

  /// Returns the total amounts by currency; void receipts don't count.
  private static func sums(of receipts: [Entity]) -> [String] {
    var sums: [String: Number] = [:]
    for receipt in receipts where !receipt.isTombstone {
      guard let amount = receipt.number(.amount) else { continue }
      sums[receipt.currency ?? "", default: .zero] =
        sums[receipt.currency ?? "", default: .zero] + amount
    }
    if sums.isEmpty { return ["no amounts are known"] }
    return sums.sorted { $0.key < $1.key }.map { money($0.value, $0.key.isEmpty ? nil : $0.key) }
  }
}

/// A receipt as a row of the list.
private struct ReceiptRow: ListRow {
  let receipt: Entity

  var entities: [Entity] { [receipt] }

  /// Returns the record: time of payment, shop, amount, currency, number of lines, id.
  func fields(in survey: Survey) -> [String] {
    [
      receipt.timestamp.description, receipt.title, receipt.number(.amount)?.description ?? "",
      receipt.currency ?? "", String(receipt.lines.count), receipt.id,
    ]
  }

  func json(in survey: Survey) -> [JSON] { [survey.listed(receipt)] }
}
