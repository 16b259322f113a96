import LarderModel

extension ReportPicture {
  /// A bar with its name and value.
  struct Bar {
    let name: String
    let value: Number
    /// The value as text.
    let text: String
    var isMarked = false
  }

  /// The largest number of bars that are drawn.
  static let mostBars = 10

  /// Returns horizontal bars below each other, each with its name and value above it.
  ///
  /// The table has all bars; the picture has the first ten. A note stands above them.
  static func bars(
    _ bars: [Bar], name: String, title: String, note: String? = nil, summary: String,
    table: MarkupTable
  ) -> ReportPicture {
    let greatest = bars.map(\.value).max() ?? .zero
    let height = 36.0
    let top = note == nil ? 0.0 : 22
    let shown = bars.prefix(mostBars).enumerated().map { index, bar in
      let y = top + Double(index) * height
      let fraction = min(max(bar.value.fraction(of: greatest) ?? 0, 0), 1)
      return Shape.text(bar.name.shortened(to: 34), x: 0, y: y + 13, "label")
        + Shape.text(bar.text, x: Double(width), y: y + 13, "label", anchor: .end)
        + Shape.rectangle(
          x: 0, y: y + 20, width: Double(width), height: 8, "track", radius: 2)
        + Shape.rectangle(
          x: 0, y: y + 20, width: fraction * Double(width), height: 8,
          bar.isMarked ? "lost" : "bar", radius: 2, tip: "\(bar.name): \(bar.text)")
    }
    return ReportPicture(
      name: name, title: title, summary: summary,
      height: shown.isEmpty ? 0 : Int(top) + Int(height) * shown.count,
      body: (note.map { Shape.text($0, x: 0, y: 11, "small") } ?? "") + shown.joined(),
      table: table)
  }

  /// Returns a column for each month, side by side.
  static func months(
    _ months: [(month: Month, value: Number, text: String)], name: String, title: String,
    summary: String, table: MarkupTable
  ) -> ReportPicture {
    let (left, right, top, bottom) = (44.0, Double(width), 12.0, 160.0)
    let scale = Scale(upTo: months.map(\.value).max() ?? .zero)
    var body = scale.ticks.map { tick in
      let y = bottom - tick.fraction * (bottom - top)
      return Shape.line(x1: left, y1: y, x2: right, y2: y, "grid")
        + Shape.text(tick.label, x: left - 6, y: y + 4, "small", anchor: .end)
    }
    let step = (right - left) / Double(max(months.count, 1))
    let columnWidth = min(step * (step > 6 ? 0.72 : 0.86), 40)
    for (index, month) in months.enumerated() {
      let middle = left + (Double(index) + 0.5) * step
      let height = scale.fraction(of: month.value) * (bottom - top)
      body.append(
        Shape.rectangle(
          x: middle - columnWidth / 2, y: bottom - height, width: columnWidth, height: height,
          "bar", radius: step > 6 ? 1.5 : 0, tip: "\(month.month): \(month.text)"))
    }
    // Each label has 72 units of room, counted back from the last month, whose label may be moved
    // inwards.
    let stride = max(Int((72 / step).rounded(.up)), 1)
    for index in months.indices where (months.count - 1 - index) % stride == 0 {
      let middle = min(left + (Double(index) + 0.5) * step, right - 24)
      body.append(
        Shape.text("\(months[index].month)", x: middle, y: bottom + 17, "small", anchor: .middle))
    }
    return ReportPicture(
      name: name, title: title, summary: summary, height: 184, body: body.joined(), table: table)
  }

  /// A small picture of values over time from zero on, with a name and a line of text above it.
  struct Panel {
    let name: String
    let words: String
    /// The points, the earliest first; at least one.
    let points: [(day: Day, value: Number)]
    /// Whether a value stays until the next point.
    var isStepped = false
    /// A wanted value, drawn as a line; nil for none.
    var wanted: Number?
    /// Whether the lowest and the highest value are printed below the line.
    var hasRange = false
  }

  private static let panelWidth = 170.0
  private static let panelHeight = 112.0

  /// Returns small pictures in two columns, all for the same days.
  static func panels(
    _ panels: [Panel], name: String, title: String, summary: String, table: MarkupTable
  ) -> ReportPicture {
    let days = panels.flatMap { $0.points.map(\.day) }
    let first = days.min() ?? Day(daysSinceEpoch: 0)
    let last = max(days.max() ?? first, first.adding(days: 1))
    let body = panels.enumerated().map { index, panel in
      let x = index % 2 == 0 ? 0 : Double(width) - panelWidth
      return panel.drawn(
        x: x, y: Double(index / 2) * panelHeight, width: panelWidth, from: first, to: last)
    }
    return ReportPicture(
      name: name, title: title, summary: summary,
      height: Int(panelHeight) * ((panels.count + 1) / 2) - 6, body: body.joined(), table: table)
  }

  /// Returns the calendar of what is due: five weeks, beginning with this week's Monday.
  static func calendar(_ report: HouseholdReport, table: MarkupTable) -> ReportPicture {
    let monday = report.today.adding(days: 1 - report.today.weekday)
    let lots = Dictionary(grouping: report.due, by: \.expiry?.day)
    let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    var parts = weekdays.enumerated().map { index, name in
      Shape.text(name, x: DayCell.left(index) + 4, y: 11, "small")
    }
    for number in 0..<35 {
      let day = monday.adding(days: number)
      let cell = DayCell(day: day, number: number, lots: lots[day] ?? [], today: report.today)
      parts.append(cell.drawn)
    }
    parts.append(Shape.rectangle(x: 0, y: 256, width: 11, height: 11, "due", radius: 2))
    parts.append(Shape.text("due", x: 16, y: 266, "small"))
    parts.append(Shape.rectangle(x: 52, y: 256, width: 11, height: 11, "lost", radius: 2))
    parts.append(
      Shape.text("! some will be left over at the usual pace", x: 68, y: 266, "small"))
    let until = monday.adding(days: 34)
    let lost = report.due.count { $0.leftOver != nil }
    return ReportPicture(
      name: "due", title: "What is due",
      summary:
        "A calendar from \(monday) to \(until): \(report.due.count) due, of which \(lost) will not be used in time at the usual pace.",
      height: 274, body: parts.joined(), table: table)
  }
}

/// A scale from zero to a round number.
struct Scale {
  private let greatest: Double
  /// The round numbers from zero on, as fractions of the largest one.
  let ticks: [(fraction: Double, label: String)]

  init(upTo value: Number) {
    let most = max(value.fraction(of: Number(1)) ?? 0, 0.000_001)
    var unit = 1.0
    while unit * 10 <= most { unit *= 10 }
    while unit > most { unit /= 10 }
    let step = [0.25, 0.5, 1, 2.5, 5].map { $0 * unit }.first { most / $0 <= 4 } ?? unit * 10
    let count = Int((most / step).rounded(.up))
    greatest = step * Double(count)
    ticks = (0...count).map { index in
      (Double(index) / Double(count), Self.label(step * Double(index)))
    }
  }

  func fraction(of value: Number) -> Double {
    min(max((value.fraction(of: Number(1)) ?? 0) / greatest, 0), 1)
  }

  private static func label(_ value: Double) -> String {
    guard value < 1_000_000_000_000 else { return "\(value)" }
    return Number(Int((value * 1000).rounded()), over: 1000).description
  }
}

extension ReportPicture.Panel {
  fileprivate func drawn(x: Double, y: Double, width: Double, from first: Day, to last: Day)
    -> String
  {
    let (top, bottom) = (y + 40, y + 84)
    let line = places(x: x, width: width, top: top, bottom: bottom, from: first, to: last)
    var parts = ["<g><title>\("\(name): \(words)".markup)</title>"]
    parts.append(Shape.text(name.shortened(to: 23), x: x, y: y + 12, "name"))
    parts.append(Shape.text(words, x: x, y: y + 28, "small"))
    parts.append(Shape.line(x1: x, y1: bottom + 4, x2: x + width, y2: bottom + 4, "grid"))
    if isStepped, let start = line.first, let end = line.last {
      parts.append(Shape.path([(start.x, bottom)] + line + [(end.x, bottom)], "area"))
    }
    if let wanted, wanted > .zero {
      let height = bottom - part(of: wanted) * (bottom - top)
      parts.append(Shape.line(x1: x, y1: height, x2: x + width, y2: height, "want"))
    }
    if line.count > 1 { parts.append(Shape.path(line, "course")) }
    if let end = line.last { parts.append(Shape.dot(x: end.x, y: end.y, "dot")) }
    parts.append(Shape.text("\(Month(of: first))", x: x, y: bottom + 17, "small"))
    parts.append(
      Shape.text("\(Month(of: last))", x: x + width, y: bottom + 17, "small", anchor: .end))
    if hasRange, let range {
      parts.append(Shape.text(range, x: x + width / 2, y: bottom + 17, "small", anchor: .middle))
    }
    return parts.joined() + "</g>"
  }

  /// The lowest and the highest value, as prices; nil if all values are equal.
  private var range: String? {
    guard let lowest = points.map(\.value).min(), let highest = points.map(\.value).max(),
      lowest < highest
    else { return nil }
    return [lowest, highest].map { TypedMoney($0.shortened, nil).number }.joined(separator: "–")
  }

  /// Returns the corners of the line.
  private func places(
    x: Double, width: Double, top: Double, bottom: Double, from first: Day, to last: Day
  ) -> [(x: Double, y: Double)] {
    let all = Double(last.daysSinceEpoch - first.daysSinceEpoch)
    var line: [(x: Double, y: Double)] = []
    for point in points {
      let place = x + Double(point.day.daysSinceEpoch - first.daysSinceEpoch) / all * (width - 3)
      let height = bottom - part(of: point.value) * (bottom - top)
      if isStepped, let before = line.last { line.append((place, before.y)) }
      line.append((place, height))
    }
    return line
  }

  /// Returns the height of a value as a fraction of the panel's, which begins at zero: a small change
  /// looks small.
  private func part(of value: Number) -> Double {
    let values = points.map(\.value) + [wanted].compactMap(\.self)
    let lowest = min(values.min() ?? .zero, .zero)
    let highest = values.max() ?? .zero
    return min(max((value - lowest).fraction(of: highest - lowest) ?? 0.5, 0), 1)
  }
}

/// A day of the calendar.
private struct DayCell {
  let day: Day
  /// The number of days since the calendar's first day.
  let number: Int
  let lots: [LotRow]
  let today: Day

  private static let width = 48.6
  private static let height = 44.0

  static func left(_ column: Int) -> Double {
    Double(column) * (Double(ReportPicture.width) - width) / 6
  }

  var drawn: String {
    let x = Self.left(number % 7)
    let y = 18 + Double(number / 7) * (Self.height + 3)
    let isLost = lots.contains { $0.leftOver != nil }
    let kind = day < today ? "past" : lots.isEmpty ? "cell" : isLost ? "lost" : "due"
    var parts = [
      Shape.rectangle(
        x: x, y: y, width: Self.width, height: Self.height, kind, radius: 3,
        tip: lots.isEmpty ? nil : tip)
    ]
    let label = lots.isEmpty ? "small" : isLost ? "day-lost" : "day-due"
    parts.append(Shape.text(dayName, x: x + 4, y: y + 13, label))
    if !lots.isEmpty {
      parts.append(
        Shape.text(
          "\(lots.count)\(isLost ? "!" : "")", x: x + Self.width / 2, y: y + 34,
          isLost ? "on-lost" : "on-due", anchor: .middle))
    }
    if day == today {
      parts.append(
        Shape.rectangle(
          x: x, y: y, width: Self.width, height: Self.height, "today", radius: 3))
    }
    return parts.joined()
  }

  /// The number of the day.
  ///
  /// The first of a month and the calendar's first day have the month's name too.
  private var dayName: String {
    let civil = day.civil
    let names = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    return civil.day == 1 || number == 0 ? "\(civil.day) \(names[civil.month - 1])" : "\(civil.day)"
  }

  private var tip: String {
    "\(day): " + lots.map { "\($0.title) \($0.quantity)" }.joined(separator: ", ")
  }
}

/// The pictures of spending in one currency.
struct SpendingPictures {
  let report: HouseholdReport
  let currency: String?

  /// The end of a picture's name if its currency is not the first one.
  private var ending: String {
    currency == report.byMonth.totals.first?.currency ? "" : "-\(currency?.lowercased() ?? "other")"
  }

  /// The end of a title if there are several currencies.
  private var place: String { currency.map { ", \($0)" } ?? "" }

  var all: [ReportPicture] { [months, categories, shops].compactMap(\.self) }

  private func rows(of spending: Spending) -> [Spending.Row] {
    spending.rows.filter { $0.currency == currency }
  }

  private func money(_ number: Number) -> String { TypedMoney(number, currency).description }

  private func sum(_ spending: Spending) -> Number {
    spending.totals.first { $0.currency == currency }?.amount ?? .zero
  }

  private var months: ReportPicture? {
    let rows = rows(of: report.byMonth)
    var amounts: [Month: Number] = [:]
    for row in rows {
      if case .month(let month) = row.group { amounts[month] = row.amount }
    }
    guard let first = amounts.keys.min(), let last = amounts.keys.max() else { return nil }
    let months = drawn(amounts, from: first, to: last).map { month in
      (month: month, value: amounts[month] ?? .zero, text: money(amounts[month] ?? .zero))
    }
    let greatest = months.max { $0.value < $1.value }
    let most = greatest.map { " Most was spent in \($0.month): \($0.text)." } ?? ""
    return .months(
      months, name: "months" + ending, title: "Spending by month" + place,
      summary: "Columns from \(first) to \(last).\(most)",
      table: table(
        "Month", rows, sum(report.byMonth), caption: "Spending by month" + place,
        isNewestFirst: true))
  }

  /// The largest number of months for which months without receipts are drawn, too.
  private static let mostMonths = 240

  /// Returns the months to draw: all from the first to the last.
  ///
  /// If there are too many, because a receipt may have a wrong year, only the latest months with
  /// receipts are drawn.
  private func drawn(_ amounts: [Month: Number], from first: Month, to last: Month) -> [Month] {
    if last < first.adding(Self.mostMonths) { return first.through(last) }
    return amounts.keys.sorted().suffix(Self.mostMonths)
  }

  private var categories: ReportPicture? {
    bars(report.byCategory, "categories", "Spending by category", "Category")
  }

  private var shops: ReportPicture? { bars(report.byShop, "shops", "Spending by shop", "Shop") }

  private func bars(
    _ spending: Spending, _ name: String, _ title: String, _ heading: String
  ) -> ReportPicture? {
    let rows = rows(of: spending)
    guard let first = rows.first else { return nil }
    let bars = rows.map { row in
      ReportPicture.Bar(name: row.group.label, value: row.amount, text: money(row.amount))
    }
    let count = rows.count > bars.prefix(ReportPicture.mostBars).count ? "the first ten of " : ""
    return .bars(
      bars, name: name + ending, title: title + place,
      summary:
        "Bars for \(count)\(rows.count). The first is \(first.group.label): \(money(first.amount)).",
      table: table(heading, rows, sum(spending), caption: title + place))
  }

  private func table(
    _ heading: String, _ rows: [Spending.Row], _ sum: Number, caption: String,
    isNewestFirst: Bool = false
  ) -> MarkupTable {
    let shown = isNewestFirst ? rows.reversed() : rows
    return MarkupTable(
      caption, of: shown,
      [
        (heading, isNewestFirst ? .day : .text, { $0.group.label }),
        ("Receipts", .number, { String($0.receipts) }),
        (currency ?? "Spent", .number, { TypedMoney($0.amount, currency).number }),
      ], foot: ["Together", "", TypedMoney(sum, currency).number])
  }
}

extension Spending.Group {
  /// The name for people.
  public var label: String {
    name ?? (self == .rest ? "(on no line with a price)" : "(without a category)")
  }
}
