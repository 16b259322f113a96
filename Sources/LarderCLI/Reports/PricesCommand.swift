import LarderJSON
import LarderKit
import LarderModel

/// `larder prices`.
enum PricesCommand {
  private static let thing = Argument(
    "THING-or-PERIOD", .zeroOrMore, values: .named(.item),
    help:
      "an item, or what stands on a receipt; everything that was bought if left out; then a period")
  private static let limit = Option(
    "limit", short: "n", value: "N",
    help: "show at most N purchases or things; 0 shows all (20 if left out)")

  static let command = Command(
    "prices", summary: "Show what a thing cost, purchase by purchase",
    discussion: """
      The price per kilogram, litre, or piece of each purchase, from the lines of receipts; void \
      receipts don't count. The cheapest shop is the one where the last purchase cost least. A year \
      ago is the purchase nearest to a year before the last one, at most 60 days away. Only prices in \
      one currency and one unit are compared.

      Without a thing, it lists everything that was bought, the most frequent first. A period is a year, \
      a month, 'last month', 'this week', a day or 30d, behind the thing or alone.
      """,
    group: "Costs",
    examples: [
      Example("larder prices milk"), Example("larder prices oat milk last month"),
      Example("larder prices 2026", "what is bought most, and what it costs"),
    ],
    arguments: [thing], options: [Period.since, Period.until, limit, .csv],
    records: [
      PricedPurchase.columns.form("of a thing"), PriceRow.columns.form("without a thing"),
    ], isPaged: true
  ) { invocation in
    let survey = try invocation.survey()
    let (thing, days) = survey.thingAndPeriod(invocation.all(thing))
    let period = try invocation.period(survey.calendar, named: days)
    let purchases = Purchases(in: survey, since: period.since, until: period.until)
    let (output, isCSV) = (invocation.output, try invocation.wantsCSV())
    let most = try invocation.most(limit) ?? (output.mode == .human && !isCSV ? 20 : .max)
    guard let words = thing else {
      let rows = PriceRow.all(of: purchases)
      if isCSV { return output.csv(Array(rows.prefix(most)), PriceRow.columns) }
      return showAll(rows, members(of: period), most: most, output)
    }
    let history = try survey.prices(of: words, in: purchases)
    let newest = Array(history.purchases.reversed().prefix(most))
    if isCSV { return output.csv(newest, PricedPurchase.columns) }
    show(newest, of: history, members(of: period), output)
  }

  private static func show(
    _ newest: [PricedPurchase], of history: PriceHistory, _ period: [JSONMember], _ output: Output
  ) {
    let columns = PricedPurchase.columns
    switch output.mode {
    case .json:
      let id = history.thing.itemID.map { [JSONMember("itemId", .string($0))] } ?? []
      output.json(
        [JSONMember("name", .string(history.thing.name))] + id + period + [
          JSONMember("items", .array(newest.map { columns.object(of: $0) })),
          JSONMember("courses", .array(history.courses.map(\.json))),
          JSONMember("linesWithoutPrice", .number(String(history.unpriced))),
        ])
    case .plain: output.records(newest, columns)
    case .human:
      output.line(history.thing.name, .bold)
      for course in history.courses {
        for (name, text) in course.lines(isDrawn: output.terminal.outputIsTerminal) {
          output.line("  \(name): \(text)")
        }
      }
      if !newest.isEmpty { output.write("\n") }
      output.table(Table(newest, columns))
      tellRest(of: history, shown: newest.count, output)
    }
  }

  private static func tellRest(of history: PriceHistory, shown: Int, _ output: Output) {
    if history.purchases.isEmpty { output.note("no receipt has a price of \(history.thing.name)") }
    if history.purchases.count > shown {
      output.note("and \(history.purchases.count - shown) older ones; '--limit 0' shows all")
    }
    guard history.unpriced > 0 else { return }
    let verb = history.unpriced == 1 ? "has" : "have"
    output.note("\(counted(history.unpriced, "more line")) of it \(verb) no price")
  }

  private static func showAll(
    _ all: [PriceRow], _ period: [JSONMember], most: Int, _ output: Output
  ) {
    let rows = Array(all.prefix(most))
    switch output.mode {
    case .json:
      output.json(
        period + [JSONMember("items", .array(rows.map { PriceRow.columns.object(of: $0) }))])
    case .plain: output.records(rows, PriceRow.columns)
    case .human:
      if rows.isEmpty { output.note("no receipt has a price") }
      let columns = PriceRow.columns.shown(on: output.terminal)
      output.table(Table(rows, columns))
      if all.count > rows.count {
        output.note("and \(all.count - rows.count) more; '--limit 0' shows all")
      }
    }
  }
}

/// A thing with its price over time, as a row of a list.
struct PriceRow {
  let thing: PaidThing
  let course: PriceCourse

  static func all(of purchases: Purchases) -> [PriceRow] {
    purchases.prices().flatMap { history in
      history.courses.map { PriceRow(thing: history.thing, course: $0) }
    }
  }

  static var columns: [Column<PriceRow>] {
    [
      Column("name") { .text($0.thing.name) }
        .inTable("Item", minimumWidth: 12, need: .most).inRecord(1).inJSON(1),
      Column("purchases") { .number(Number($0.course.purchases.count)) }
        .inTable("Bought", .right, need: .little) { .init("\($0.course.purchases.count)×") }
        .inRecord(5).inJSON(3),
      Column("pricePerUnit") { .number($0.course.last.pricePerUnit) }
        .inTable("Last price", .right, need: .most) { .init($0.course.last.perUnitText) }
        .inRecord(2),
      Column("currency") { FilterValue($0.course.currency) }.inRecord(3),
      Column("pricedUnit") { .text($0.course.unit.rawValue) }.inRecord(4),
      Column("day") { .day($0.course.last.day) }.inTable("On").inRecord(6),
      Column(.init("Course", isOnlyForTerminals: true)) {
        .init(sparkline($0.course.purchases.map(\.pricePerUnit), width: 12), .cyan)
      },
      Column("changeInPercent") { FilterValue($0.course.changeInPercent) }
        .inTable("In a year", .right) { .init($0.course.changeText ?? "") }.inRecord(7),
      Column("cheapest") { FilterValue($0.course.cheapest?.shop) }
        .inTable("Cheapest").inRecord(8),
      Column("itemId") { FilterValue($0.thing.itemID) }.inRecord(9).inJSON(2),
      Column("course") { _ in .none }.inJSON(5) { $0.course.json },
    ]
  }
}
