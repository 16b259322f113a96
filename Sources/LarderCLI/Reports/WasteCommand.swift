import LarderKit

/// `larder waste`.
enum WasteCommand {
  static let command = Command(
    "waste", group: "Costs", arguments: [Period.argument],
    options: [Period.since, Period.until, .csv], records: [WasteRow.columns.form()], isPaged: true
  ) { invocation in
    let survey = try invocation.survey()
    let period = try period(invocation, survey.calendar)
    let waste = Waste(
      in: survey, Purchases(in: survey), since: period.since, until: period.until)
    let rows = waste.rows.map { WasteRow(row: $0) }
    let output = invocation.output
    if try invocation.wantsCSV() { return output.csv(rows, WasteRow.columns) }
    switch output.mode {
    case .json:
      output.json(
        members(of: period) + [
          JSONMember("items", .array(rows.map { WasteRow.columns.object(of: $0) })),
          JSONMember("events", .array(waste.events.map(json))),
          JSONMember("totals", .array(waste.totals.map { .object(worth($0)) })),
          JSONMember("eventsWithoutPrice", .number(String(waste.unpriced))),
        ])
    case .plain: output.records(rows, WasteRow.columns)
    case .human:
      output.table(Table(rows, WasteRow.columns))
      tell(waste, output)
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

  private static func worth(_ worth: Waste.Worth) -> [JSONMember] {
    [JSONMember("worth", worth.cost.json)]
      + (worth.currency.map { [JSONMember("currency", .string($0))] } ?? [])
  }

  private static func json(_ event: Waste.Event) -> JSON {
    .object(
      [
        JSONMember("at", .string(event.moment.description)),
        JSONMember("day", .string(event.day.description)),
        JSONMember("name", .string(event.thing.name)),
        event.thing.itemID.map { JSONMember("itemId", .string($0)) },
        JSONMember("quantity", event.quantity.value.json),
        JSONMember("unit", .string(event.quantity.unit.rawValue)),
        event.reason.map { JSONMember("reason", .string($0)) },
      ].compactMap(\.self) + (event.worth.map { worth($0) } ?? []))
  }
}

/// A thing that was thrown away, as a row of a list.
struct WasteRow {
  let row: Waste.Row

  static var columns: [Column<WasteRow>] {
    [
      Column("name") { .text($0.row.thing.name) }
        .inTable("Item", minimumWidth: 12, need: .most).inRecord(1).inJSON(1),
      Column("quantity") { .quantity($0.row.quantity) }
        .inTable("Thrown away", .right, need: .most).inRecord(2).inJSON(2),
      Column("unit") { .text($0.row.quantity.unit.rawValue) }.inRecord(3).inJSON(3),
      Column("times") { .number(Number($0.row.times)) }
        .inTable("Times", .right, need: .little).inRecord(4).inJSON(4),
      Column("worth") { FilterValue($0.row.worth?.cost) }
        .inTable("Worth", .right) { row in
          .init(row.row.worth.map { TypedMoney($0.cost, $0.currency).description } ?? "")
        }
        .inRecord(5).inJSON(5),
      Column("currency") { FilterValue($0.row.worth?.currency) }.inRecord(6).inJSON(6),
      Column("reasons") { .texts($0.row.reasons.map(\.reason)) }
        .inTable("Why", minimumWidth: 12) { .init($0.why) }
        .inRecord(7, text: \.why)
        .inJSON(7) { .array($0.row.reasons.map(WasteRow.json)) },
      Column("itemId") { FilterValue($0.row.thing.itemID) }.inRecord(8).inJSON(8),
    ]
  }

  private var why: String {
    row.reasons.map { $0.times == 1 ? $0.reason : "\($0.reason) (\($0.times)×)" }
      .joined(separator: ", ")
  }

  private static func json(_ reason: (reason: String, times: Int)) -> JSON {
    ["reason": .string(reason.reason), "times": .number(String(reason.times))]
  }
}
