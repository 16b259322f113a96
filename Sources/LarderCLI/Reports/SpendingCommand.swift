import LarderKit

/// `larder spending`.
enum SpendingCommand {
  private static let grouping = Option(
    "by", value: "WHAT", values: .oneOf(Spending.Grouping.allCases.map(\.rawValue)),
    help: "what to add up by; month if left out")

  static let command = Command(
    "spending", group: "Costs", arguments: [Period.argument],
    options: [grouping, Period.since, Period.until, .csv],
    records: [Spending.Row.columns(by: .month).form()], isPaged: true
  ) { invocation in
    let survey = try await invocation.survey()
    let (typed, words) = try typedGrouping(invocation)
    let period = try invocation.period(survey, in: words)
    let purchases = Purchases(in: survey, since: period.since, until: period.until)
    let grouping = invocation[grouping].flatMap(Spending.Grouping.init) ?? typed ?? .month
    let spending = Spending(purchases, by: grouping)
    let rows = spending.rows
    let columns = Spending.Row.columns(by: grouping, beside: rows)
    let output = invocation.output
    try invocation.report(
      rows, columns, below: ["by": .string(grouping.rawValue)] + members(of: period),
      above: ["totals": .array(spending.totals.map(json))]
    ) {
      output.table(Table(rows, columns.shown(on: output.terminal)))
      tell(spending, output)
    }
  }

  /// Returns what to add up by if it is among the words, as in `last month by shop`, and the other
  /// words.
  private static func typedGrouping(
    _ invocation: Invocation
  ) throws -> (Spending.Grouping?, words: [String]) {
    var words = invocation.all(Period.argument)
    let found = words.indices.compactMap { index in
      let word = fold(words[index])
      let one =
        word == "categories" ? "category" : word.hasSuffix("s") ? String(word.dropLast()) : word
      return Spending.Grouping(rawValue: one).map { (index: index, grouping: $0) }
    }
    let isBy = { (index: Int) in index > 0 && ["by", "per"].contains(fold(words[index - 1])) }
    // A month may be a period, as in `last month`; nothing else may.
    guard
      let (index, typed) = found.first(where: { isBy($0.index) })
        ?? found.first(where: { $0.grouping != .month || words.count == 1 })
    else { return (nil, words) }
    guard invocation[grouping] == nil else {
      throw invocation.usage(
        .conflictingOptions("\(grouping.spelling)", "'\(words[index])'"))
    }
    words.removeSubrange((isBy(index) ? index - 1 : index)...index)
    return (typed, words)
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
    [
      "amount": total.amount.json, "currency": total.currency.map { .string($0) },
      "receipts": .number(total.receipts), "rest": total.rest.json,
      "incompleteReceipts": .number(total.incompleteReceipts),
      "linesWithoutPrice": .number(total.linesWithoutPrice),
    ]
  }
}

extension Spending.Row {
  /// Returns the columns for a grouping; the bars compare amounts with the largest one of these rows
  /// in the same currency.
  fileprivate static func columns(
    by grouping: Spending.Grouping, beside rows: [Spending.Row] = []
  ) -> [Column<Spending.Row>] {
    let largest = Dictionary(rows.map { ($0.currency, $0.amount) }, uniquingKeysWith: max)
    return [
      Column("name") { ListValue($0.group.name) }
        .inTable(grouping.heading, minimumWidth: 12, need: .most) {
          .init($0.group.label, $0.group.name == nil ? .dim : nil)
        }
        .inRecord(2).inJSON(2),
      Column("kind") { .text($0.group.kind) }.inRecord(1).inJSON(1),
      Column("receipts") { .number(Number($0.receipts)) }
        .inTable("Receipts", .right, need: .little).inRecord(5).inJSON(5),
      Column("amount") { .number($0.amount) }
        .inTable("Spent", .right, need: .most) { .init($0.money) }
        .inRecord(3).inJSON(3),
      Column("currency") { ListValue($0.currency) }.inRecord(4).inJSON(4),
      Column(.init("", isOnlyForTerminals: true)) { row in
        let fraction = row.amount.fraction(of: max(largest[row.currency] ?? .zero, .zero))
        return .init(fraction.map { LarderCLI.bar($0, width: 20) } ?? "", .cyan)
      },
      Column("itemId") { ListValue($0.group.itemID) }.inRecord(6).inJSON(6),
    ]
  }

  private var money: String { TypedMoney(amount, currency).description }
}

extension Spending.Grouping {
  fileprivate var heading: String {
    switch self {
    case .month: "Month"
    case .shop: "Shop"
    case .category: "Category"
    case .item: "Item"
    }
  }
}

extension Spending.Group {
  /// The group's name for scripts.
  fileprivate var kind: String {
    switch self {
    case .month: "month"
    case .shop: "shop"
    case .category: "category"
    case .noCategory: "noCategory"
    case .item(_, let id): id == nil ? "other" : "item"
    case .rest: "rest"
    }
  }
}

/// `larder waste`.
enum WasteCommand {
  static let command = Command(
    "waste", group: "Costs", arguments: [Period.argument],
    options: [Period.since, Period.until, .csv], records: [Waste.Row.columns.form()], isPaged: true
  ) { invocation in
    let survey = try await invocation.survey()
    let period = try period(invocation, survey)
    let waste = Waste(in: survey, Purchases(in: survey), since: period.since, until: period.until)
    try invocation.report(
      waste.rows, Waste.Row.columns, below: members(of: period),
      above: [
        "events": .array(waste.events.map(json)), "totals": .array(waste.totals.map(worth)),
        "eventsWithoutPrice": .number(waste.unpriced),
      ]
    ) {
      invocation.output.table(Table(waste.rows, Waste.Row.columns))
      tell(waste, invocation.output)
    }
  }

  /// Returns the period.
  ///
  /// Some people name a thing here because they want to throw it away; a hint says how.
  private static func period(
    _ invocation: Invocation, _ survey: Survey
  ) throws -> (since: Day?, until: Day?) {
    do {
      return try invocation.period(survey)
    } catch var error as ErrorWords where !invocation.all(Period.argument).isEmpty {
      let words = invocation.all(Period.argument)
      let things = TypedThings(words, kind: .stockItem, in: survey, splitting: .byFullNames).things
      let areKnown = things.allSatisfy { (try? survey.naming.find($0.name, .stockItem)) != nil }
      if areKnown, !things.isEmpty {
        let line = words.map(shellWord).joined(separator: " ")
        error.hints.insert(
          "'larder stock discard \(line)' records that something was thrown away", at: 0)
      }
      throw error
    }
  }

  private static func tell(_ waste: Waste, _ output: Output) {
    guard !waste.events.isEmpty else { return output.note("nothing was thrown away") }
    if !waste.totals.isEmpty {
      let sums = waste.totals.map { TypedMoney($0.cost, $0.currency).description }
      let times = counted(waste.events.count - waste.unpriced, "time")
      output.line("Together: \(sums.joined(separator: ", ")), \(times)", .bold)
    }
    if waste.unpriced > 0 {
      output.note(
        "no price is known of \(waste.unpriced) of \(counted(waste.events.count, "time"))")
    }
  }

  private static func worth(_ worth: Waste.Worth) -> JSON {
    ["worth": worth.cost.json, "currency": worth.currency.map { .string($0) }]
  }

  private static func json(_ event: Waste.Event) -> JSON {
    [
      "at": .string(event.moment.description), "day": .string(event.day.description),
      "name": .string(event.thing.name), "itemId": event.thing.itemID.map { .string($0) },
      "quantity": event.quantity.value.json, "unit": .string(event.quantity.unit.rawValue),
      "reason": event.reason.map { .string($0) },
    ] + (event.worth.map(worth) ?? [:])
  }
}

/// A thing that was thrown away, as a row of a list.
extension Waste.Row {
  fileprivate static var columns: [Column<Waste.Row>] {
    [
      Column("name") { .text($0.thing.name) }
        .inTable("Item", minimumWidth: 12, need: .most).inRecord(1).inJSON(1),
      Column("quantity") { .quantity($0.quantity) }
        .inTable("Thrown away", .right, need: .most).inRecord(2).inJSON(2),
      Column("unit") { .text($0.quantity.unit.rawValue) }.inRecord(3).inJSON(3),
      Column("times") { .number(Number($0.times)) }
        .inTable("Times", .right, need: .little).inRecord(4).inJSON(4),
      Column("worth") { ListValue($0.worth?.cost) }
        .inTable("Worth", .right) { row in
          .init(row.worth.map { TypedMoney($0.cost, $0.currency).description } ?? "")
        }
        .inRecord(5).inJSON(5),
      Column("currency") { ListValue($0.worth?.currency) }.inRecord(6).inJSON(6),
      Column("reasons") { .texts($0.reasons.map(\.reason)) }
        .inTable("Why", minimumWidth: 12) { .init($0.why) }
        .inRecord(7, text: \.why)
        .inJSON(7) { .array($0.reasons.map(json)) },
      Column("itemId") { ListValue($0.thing.itemID) }.inRecord(8).inJSON(8),
    ]
  }

  private var why: String {
    reasons.map { $0.times == 1 ? $0.reason : "\($0.reason) (\($0.times)×)" }
      .joined(separator: ", ")
  }

  private static func json(_ reason: (reason: String, times: Int)) -> JSON {
    ["reason": .string(reason.reason), "times": .number(reason.times)]
  }
}
