import LarderModel

extension ReportPicture {
  /// Returns the calendar of what is due: five weeks, beginning with this week's Monday.
  static func calendar(_ report: HouseholdReport, table: MarkupTable) -> ReportPicture {
    let monday = report.today.adding(days: 1 - report.today.weekday)
    let lots = Dictionary(grouping: report.due, by: \.day.day)
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

/// A day of the calendar.
private struct DayCell {
  let day: Day
  /// The number of days since the calendar's first day.
  let number: Int
  let lots: [HouseholdReport.DueLot]
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
