public import LarderModel

extension HouseholdReport {
  /// The pictures for which there are figures, in the order of the page.
  ///
  /// Their names are `due`, `runs-out`, `months`, `categories`, `shops`, `prices`, `waste` and
  /// `stock`. For other currencies than the first one, the names of spending end with the
  /// currency's code, as in `months-chf`.
  public var pictures: [ReportPicture] {
    let spending = byMonth.totals.flatMap { total in
      SpendingPictures(report: self, currency: total.currency).all
    }
    return ([duePicture, runsOutPicture] + spending + [pricesPicture, wastePicture, stockPicture])
      .compactMap(\.self)
  }

  private var duePicture: ReportPicture? {
    guard !due.isEmpty else { return nil }
    return .calendar(
      self,
      table: MarkupTable(
        "What is due", of: due,
        [
          ("Item", .text, { $0.title }), ("Keeps until", .day, { $0.expiry?.description ?? "" }),
          ("Quantity", .number, { $0.quantity.description }), ("Place", .text, { $0.place ?? "" }),
          (
            "Left over", .words,
            // The text wraps only before the amount.
            { $0.leftOver.map { "about " + "\($0)".replacing(" ", with: "\u{A0}") } ?? "" }
          ),
        ]))
  }

  private var runsOutPicture: ReportPicture? {
    guard let first = runsOut.first else { return nil }
    func lasts(_ item: RunningItem) -> String {
      item.total.value <= .zero
        ? "none left" : item.days == 0 ? "today" : item.days == 1 ? "1 day" : "\(item.days) days"
    }
    return .bars(
      runsOut.map { item in
        .init(
          name: item.item.title, value: Number(item.days), text: lasts(item),
          isMarked: item.days <= 7)
      }, name: "runs-out", title: "What runs out next",
      note: "a longer bar is more days: the shortest runs out first",
      summary:
        "Bars for the days that things last at the usual pace. The first is \(first.item.title): \(lasts(first)).",
      table: MarkupTable(
        "What runs out next, at the pace of the last 90 days, or of a year", of: runsOut,
        [
          ("Item", .text, { $0.item.title }), ("Left", .number, { $0.total.description }),
          ("Used", .words, { "about \($0.pace.words)" }), ("Lasts", .number, lasts),
        ]))
  }

  private var pricesPicture: ReportPicture? {
    guard !prices.isEmpty else { return nil }
    let panels = prices.map { price in
      let change = price.course.changeInPercent.map { change in
        ", \(change > .zero ? "+" : "")\(change) %"
      }
      return ReportPicture.Panel(
        name: price.thing.name, words: price.course.last.perUnitText + (change ?? ""),
        points: price.course.months.map { ($0.month.firstDay, $0.price) }, hasRange: true)
    }
    return .panels(
      panels, name: "prices", title: "Prices of what is bought most",
      summary:
        "A line for each of \(panels.count) things, on a scale from 0 to its highest price. A point is what one unit cost on average in a month.",
      table: courses(
        "What one unit cost on average in each month", by: "Month",
        prices.map { price in
          (
            "\(price.thing.name), \(price.course.unitText)",
            price.course.months.map { month in
              (month.month, TypedMoney(month.price.shortened, price.course.currency).number)
            }
          )
        }))
  }

  /// Returns a table of values over time, the latest first, with a column for each thing.
  private func courses<Time: Comparable & Hashable & CustomStringConvertible>(
    _ caption: String, by time: String, _ things: [(name: String, values: [(Time, String)])]
  ) -> MarkupTable {
    let times = Set(things.flatMap { $0.values.map(\.0) }).sorted(by: >)
    let columns = things.map { thing -> MarkupTable.Column<Time> in
      let values = Dictionary(thing.values) { $1 }
      return (thing.name, .number, { values[$0] ?? "" })
    }
    return MarkupTable(caption, of: times, [(time, .day, { $0.description })] + columns)
  }

  private var wastePicture: ReportPicture? {
    guard !waste.rows.isEmpty else { return nil }
    let currency = waste.totals.first?.currency
    let priced = waste.rows.filter { $0.worth != nil && $0.worth?.currency == currency }
    let sums = waste.totals.map { TypedMoney($0.cost, $0.currency).description }
    return .bars(
      priced.map { row in
        let cost = row.worth?.cost ?? .zero
        return .init(
          name: row.thing.name, value: cost, text: TypedMoney(cost, currency).description)
      }, name: "waste", title: "What was thrown away",
      summary: "Bars for what things had cost that were thrown away, together "
        + (sums.isEmpty ? "unknown." : sums.joined(separator: " and ") + "."),
      table: MarkupTable(
        "What was thrown away", of: waste.rows,
        [
          ("Item", .text, { $0.thing.name }), ("Amount", .number, { $0.quantity.description }),
          (
            "Worth", .number,
            { $0.worth.map { TypedMoney($0.cost, $0.currency).description } ?? "" }
          ),
          (
            "Why", .text,
            { row in
              row.reasons.map { $0.times == 1 ? $0.reason : "\($0.reason) (\($0.times)×)" }
                .joined(separator: ", ")
            }
          ),
        ]))
  }

  private var stockPicture: ReportPicture? {
    guard !stock.isEmpty else { return nil }
    let panels = stock.map { course in
      let full = course.item.fullStock
      let unit = course.item.unit
      let now = Quantity(course.points.last?.quantity ?? .zero, unit)
      return ReportPicture.Panel(
        name: course.item.title,
        words: full > .zero ? "\(now), full \(Quantity(full, unit))" : "\(now)",
        points: course.points.map { ($0.day, $0.quantity) }, isStepped: true,
        wanted: full > .zero ? full : nil)
    }
    return .panels(
      panels, name: "stock", title: "How the stock stood",
      summary:
        "A line for each of \(panels.count) items that are used most, week by week. The dashed line is the full stock.",
      table: courses(
        "How the stock stood at the ends of days", by: "Day",
        stock.map { course in
          let (title, unit) = (course.item.title, course.item.unit)
          return (
            unit == .piece ? title : "\(title), \(unit.symbol ?? unit.rawValue)",
            course.points.map { ($0.day, $0.quantity.description) }
          )
        }))
  }
}

extension Pace {
  /// The quantity and its time for people, such as `1.5 l a week`.
  fileprivate var words: String {
    "\(shown.quantity) a \(shown.isMonthly ? "month" : "week")"
  }
}

extension PriceCourse {
  /// The average price of one unit in each month with purchases, the earliest first.
  public var months: [(month: Month, price: Number)] {
    let groups = Dictionary(grouping: purchases) { Month(of: $0.day) }
    return groups.sorted { $0.key < $1.key }.compactMap { month, purchases in
      let price = purchases.map(\.price).reduce(.zero, +)
      let amount = purchases.compactMap { $0.quantity.converted(to: unit) }.reduce(.zero, +)
      return price.divided(by: amount).map { (month, $0) }
    }
  }

  /// The currency and the unit of its prices, such as `GBP per l`.
  var unitText: String { (currency.map { "\($0) " } ?? "") + "per \(unit.symbol ?? unit.rawValue)" }
}

extension PricedPurchase {
  /// The price of one unit for people, such as `1.70 GBP per l`.
  public var perUnitText: String { "\(shownPrice) per \(unit.symbol ?? unit.rawValue)" }
}
