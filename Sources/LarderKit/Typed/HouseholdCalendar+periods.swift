public import LarderModel

extension HouseholdCalendar {
  /// Reads a written period.
  ///
  /// The forms are a year (`2026`), a month (`2026-11`, `november`), `this week`, `last month`,
  /// `last year`, a day, and `30d` for the days from 30 days ago until today. Throws like
  /// ``day(reading:_:)``.
  public func period(reading text: String) throws(DayMistake) -> ClosedRange<Day> {
    if let days = stretch(fold(text)) { return days }
    let first = try day(reading: text, .since)
    let last = Self.length(typed: text) == nil ? try day(reading: text, .until) : today
    return first <= last ? first...last : last...first
  }

  /// Returns the days that a folded text names; nil for any other text.
  ///
  /// The forms are a year, a month without a year, and the current or last week, month or year.
  func stretch(_ word: String) -> ClosedRange<Day>? {
    if word.utf8.count == 4, word.utf8.allSatisfy({ (48...57).contains($0) }), let year = Int(word)
    {
      return days(ofYear: year)
    }
    if let month = WrittenDate.month(word) {
      let year = today.civil.year
      return days(ofMonth: month, in: month <= today.civil.month ? year : year - 1)
    }
    let isLast = word.hasPrefix("last ")
    guard isLast || word.hasPrefix("this ") else { return nil }
    let (year, month, _) = today.civil
    switch word.dropFirst(5) {
    case "week":
      let monday = today.adding(days: (isLast ? -6 : 1) - today.weekday)
      return monday...monday.adding(days: 6)
    case "month":
      let start = Day(year: year, month: month, day: 1)?.adding(months: isLast ? -1 : 0)
      return start.flatMap { days(ofMonth: $0.civil.month, in: $0.civil.year) }
    case "year": return days(ofYear: isLast ? year - 1 : year)
    default: return nil
    }
  }

  private func days(ofYear year: Int) -> ClosedRange<Day>? {
    guard year >= 1000, let first = Day(year: year, month: 1, day: 1),
      let last = Day(year: year, month: 12, day: 31)
    else { return nil }
    return first...last
  }

  private func days(ofMonth month: Int, in year: Int) -> ClosedRange<Day>? {
    guard let first = Day(year: year, month: month, day: 1) else { return nil }
    return first...first.adding(months: 1).adding(days: -1)
  }
}
