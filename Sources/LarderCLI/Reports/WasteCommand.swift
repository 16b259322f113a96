import LarderKit

/// `larder waste`.
enum WasteCommand {
  static let command = Command(
    "waste", group: "Costs", arguments: [Period.argument],
    options: [Period.since, Period.until, .csv], records: [Waste.Row.columns.form()], isPaged: true
  ) { invocation in
    let survey = try invocation.survey()
    let period = try period(invocation, survey.calendar)
    let waste = Waste(
      in: survey, Purchases(in: survey), since: period.since, until: period.until)
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
    _ invocation: Invocation, _ calendar: HouseholdCalendar
  ) throws -> (since: Day?, until: Day?) {
    do {
      return try invocation.period(calendar)
    } catch var error as CommandError where !invocation.all(Period.argument).isEmpty {
      let words = invocation.all(Period.argument).map(shellWord).joined(separator: " ")
      error.hints.insert(
        "'larder stock discard \(words)' records that something was thrown away", at: 0)
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
      Column("worth") { FilterValue($0.worth?.cost) }
        .inTable("Worth", .right) { row in
          .init(row.worth.map { TypedMoney($0.cost, $0.currency).description } ?? "")
        }
        .inRecord(5).inJSON(5),
      Column("currency") { FilterValue($0.worth?.currency) }.inRecord(6).inJSON(6),
      Column("reasons") { .texts($0.reasons.map(\.reason)) }
        .inTable("Why", minimumWidth: 12) { .init($0.why) }
        .inRecord(7, text: \.why)
        .inJSON(7) { .array($0.reasons.map(json)) },
      Column("itemId") { FilterValue($0.thing.itemID) }.inRecord(8).inJSON(8),
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
