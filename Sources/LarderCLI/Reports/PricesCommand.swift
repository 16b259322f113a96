import LarderKit

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
    "prices", group: "Costs", arguments: [thing],
    options: [Period.since, Period.until, limit, .csv],
    records: [PricedPurchase.columns.form("of a thing"), PriceRow.columns.form("without a thing")],
    isPaged: true
  ) { invocation in
    let survey = try await invocation.survey()
    let (thing, days) = survey.thingAndPeriod(invocation.all(thing))
    let period = try invocation.period(survey, named: days)
    let purchases = Purchases(in: survey, since: period.since, until: period.until)
    let (output, isCSV) = (invocation.output, try invocation.wantsCSV())
    let most = try invocation.most(limit) ?? (output.mode == .human && !isCSV ? 20 : .max)
    guard let words = thing else {
      let all = PriceRow.all(of: purchases)
      let rows = Array(all.prefix(most))
      return try invocation.report(rows, PriceRow.columns, below: members(of: period)) {
        if rows.isEmpty { output.note("no receipt has a price") }
        output.table(Table(rows, PriceRow.columns.shown(on: output.terminal)))
        guard all.count > rows.count else { return }
        output.note("and \(all.count - rows.count) more; '--limit 0' shows all")
      }
    }
    let history = try survey.prices(of: words, in: purchases)
    let newest = Array(history.purchases.reversed().prefix(most))
    let head: JSON = [
      "name": .string(history.thing.name), "itemId": history.thing.itemID.map { .string($0) },
    ]
    try invocation.report(
      newest, PricedPurchase.columns, below: head + members(of: period),
      above: [
        "courses": .array(history.courses.map(\.json)),
        "linesWithoutPrice": .number(history.unpriced),
      ]
    ) { tell(newest, of: history, output) }
  }

  private static func tell(_ newest: [PricedPurchase], of history: PriceHistory, _ output: Output) {
    output.line(history.thing.name, .bold)
    for course in history.courses {
      for (name, text) in course.lines(isDrawn: output.terminal.outputIsTerminal) {
        output.line("  \(name): \(text)")
      }
    }
    if !newest.isEmpty { output.write("\n") }
    output.table(Table(newest, PricedPurchase.columns))
    tellRest(of: history, shown: newest.count, output)
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
      Column("currency") { ListValue($0.course.currency) }.inRecord(3),
      Column("pricedUnit") { .text($0.course.unit.rawValue) }.inRecord(4),
      Column("day") { .day($0.course.last.day) }.inTable("On").inRecord(6),
      Column(.init("Course", isOnlyForTerminals: true)) {
        .init(sparkline($0.course.purchases.map(\.pricePerUnit), width: 12), .cyan)
      },
      Column("changeInPercent") { ListValue($0.course.changeInPercent) }
        .inTable("In a year", .right) { .init($0.course.changeText ?? "") }.inRecord(7),
      Column("cheapest") { ListValue($0.course.cheapest?.shop) }
        .inTable("Cheapest").inRecord(8),
      Column("itemId") { ListValue($0.thing.itemID) }.inRecord(9).inJSON(2),
      Column("course") { _ in .none }.inJSON(5) { $0.course.json },
    ]
  }
}

extension PriceCourse {
  /// Returns the lines about the prices for people, each with its name.
  ///
  /// `isDrawn` adds a sparkline, for a terminal.
  func lines(isDrawn: Bool) -> [NamedText] {
    let lowest = TypedMoney(self.lowest.shortened, nil).description
    let highest = TypedMoney(self.highest.shortened, currency).description
    let spark = isDrawn ? sparkline(purchases.map(\.pricePerUnit), width: 24) + "  " : ""
    return known([
      ("last price", "\(last.perUnitText) (\(last.shop), \(last.day))"),
      (
        "course",
        purchases.count > 1
          ? "\(spark)\(lowest) to \(highest) in \(purchases.count) purchases" : nil
      ),
      ("cheapest", cheapest.map { "\($0.shop), \($0.perUnitText) on \($0.day)" }),
      ("a year ago", yearAgoText),
    ])
  }

  private var yearAgoText: String? {
    guard let yearAgo, let changeText else { return nil }
    return "\(yearAgo.shownPrice) on \(yearAgo.day), \(changeText) since"
  }

  /// The change since a year ago, such as `+6.2 %`.
  var changeText: String? { changeInPercent.map { ($0 > .zero ? "+" : "") + "\($0) %" } }

  var json: JSON {
    [
      "currency": currency.map { .string($0) }, "unit": .string(unit.rawValue),
      "purchases": .number(purchases.count), "last": last.point, "lowest": lowest.json,
      "highest": highest.json, "cheapest": cheapest.map { $0.point },
      "yearAgo": yearAgo.map { $0.point }, "changeInPercent": changeInPercent.map { $0.json },
    ]
  }
}

extension PricedPurchase {
  /// The price per unit with its day and shop, as JSON.
  fileprivate var point: JSON {
    ["day": .string(day.description), "shop": .string(shop), "pricePerUnit": pricePerUnit.json]
  }

  /// The columns of purchases of one thing.
  static var columns: [Column<PricedPurchase>] {
    [
      Column("day") { .day($0.day) }.inTable("Day", need: .most).inRecord(1).inJSON(1),
      Column("shop") { .text($0.shop) }.inTable("Shop", minimumWidth: 10).inRecord(2).inJSON(2),
      Column("quantity") { .quantity($0.quantity) }
        .inTable("Quantity", .right).inRecord(3).inJSON(3),
      Column("unit") { .text($0.quantity.unit.rawValue) }.inRecord(4).inJSON(4),
      Column("price") { .number($0.price) }
        .inTable("Price", .right) { .init(TypedMoney($0.price, $0.currency).description) }
        .inRecord(5).inJSON(5),
      Column("currency") { ListValue($0.currency) }.inRecord(6).inJSON(6),
      Column("pricePerUnit") { .number($0.pricePerUnit) }
        .inTable("Per unit", .right, need: .most) { .init($0.perUnitText) }
        .inRecord(7).inJSON(7),
      Column("pricedUnit") { .text($0.unit.rawValue) }.inRecord(8).inJSON(8),
      Column("receiptId") { .text($0.receiptID) }.inRecord(9).inJSON(9),
    ]
  }
}

/// The figures that `show` adds to an item: its pace and its prices.
struct ItemFigures {
  private let pace: Pace?
  private let daysLeft: Int?
  /// The part of the total that has not expired.
  private let usable: Number
  private let course: PriceCourse?

  init(of item: Entity, in survey: Survey) {
    pace = survey.pace(of: item)
    usable = survey.usableTotal(of: item).value
    daysLeft = pace?.days(for: usable)
    course = survey.prices(of: item, in: Purchases(in: survey)).courses.first
  }

  /// Returns the lines, each with its name; `isDrawn` adds a sparkline, for a terminal.
  func lines(isDrawn: Bool = false) -> [NamedText] {
    let time = daysLeft.map { "about \(counted($0, "day"))" } ?? "more than 10 years"
    return known([("used", pace?.words), ("lasts", pace != nil && usable > .zero ? time : nil)])
      + (course?.lines(isDrawn: isDrawn) ?? [])
  }

  var json: JSON {
    ["pace": pace?.json, "lastsDays": daysLeft.map { .number($0) }, "price": course?.json]
  }
}

extension Pace {
  /// The pace for people, such as `about 5.2 l a week`.
  var words: String {
    let (amount, isMonthly) = shown
    return "about \(amount) a \(isMonthly ? "month" : "week")"
  }

  fileprivate var json: JSON {
    [
      "perWeek": perWeek.value.json, "unit": .string(used.unit.rawValue), "used": used.value.json,
      "days": .number(days), "uses": .number(uses),
    ]
  }
}
