public import LarderModel

/// The reason why a text is not a day.
public enum DayMistake: Error, Equatable, Sendable {
  /// The text has none of the forms.
  case noDay
  /// The month does not have this day; `year` is nil if the text has none.
  case noSuchDay(month: Int, year: Int?)
  /// There is no month of this number.
  case noSuchMonth(Int)
  /// Two numbers that can be day and month in either order. If the text has a year, these are the
  /// two days.
  case dayOrMonth([Day])
}

extension HouseholdCalendar {
  /// The direction in which to look for a weekday, or for a day without a year.
  public enum Direction: Sendable {
    /// Forwards, beginning with today for a day without a year, and with tomorrow for a weekday.
    case ahead
    /// Backwards, beginning with today.
    case back
    /// Like ``back``. A year, a month or `last week` means its first day, and `3d` means three days
    /// ago.
    case since
    /// Like ``since``, but a year, a month or a week means its last day.
    case until

    /// Whether a year, a month or a week may stand for one of its days.
    var takesStretch: Bool { self == .since || self == .until }
  }

  /// Reads a written day; nil if the text is not a day.
  public func day(typed text: String, _ direction: Direction = .ahead) -> Day? {
    try? day(reading: text, direction)
  }

  /// Reads a written day.
  ///
  /// The forms are:
  ///
  /// * `2026-12-24`, `20261224`, `24.12.2026`, `24.12.26`, `24/12/2026`, `24 Dec 2026`, `Dec 24,
  ///   2026`;
  /// * without the year, `12-24`, `24.12.`, `24.12`, `24/12`, `24 Dec`, `Dec 24`;
  /// * a month for its last day, as printed on tins: `12/2026`, `12.2026`, `2026-12`, `Dec 2026`;
  /// * `today`, `tomorrow`, `yesterday`, and weekdays of three letters or more;
  /// * `10d`, `+10d`, `-3d`, `2w`, `1m`, `1y`, `3 days`, `in 2 weeks`, `3 days ago`.
  ///
  /// With slashes, the first number is the day only if it is above 12. A year of two digits is one
  /// from 2000 on.
  public func day(
    reading text: String, _ direction: Direction = .ahead
  ) throws(DayMistake) -> Day {
    guard text.utf8.count <= 200 else { throw .noDay }
    let word = fold(text)
    switch word {
    case "today": return today
    case "tomorrow": return today.adding(days: 1)
    case "yesterday": return today.adding(days: -1)
    default: break
    }
    if direction.takesStretch, let days = stretch(word) {
      return direction == .since ? days.lowerBound : days.upperBound
    }
    if let day = distant(word, direction) ?? weekday(word, direction) { return day }
    let written = try WrittenDate(word)
    if let year = written.year {
      let day = try written.day(in: year)
      return written.day == nil && direction == .since
        ? day.adding(days: 1).adding(months: -1) : day
    }
    let year = today.civil.year
    // The next 29 February may be eight years away.
    let years = direction == .ahead ? Array(year...year + 8) : (year - 8...year).reversed()
    let days = years.compactMap { try? written.day(in: $0) }
    let day = days.first { direction == .ahead ? $0 >= today : $0 <= today }
    guard let day else { throw .noSuchDay(month: written.month, year: nil) }
    return day
  }

  /// Reads a written number of days, from 0 to 36500; nil for any other text.
  ///
  /// The forms are `10`, `10d`, `3 weeks`, `2m` for 30 days each, and `1y` for 365 days.
  public static func length(typed text: String) -> Int? {
    let word = fold(text)
    let isBare = word.last?.isNumber ?? false
    guard let (count, unit) = distance(isBare ? word + "d" : word), word.first?.isNumber ?? false
    else { return nil }
    let lengths: [DistanceUnit: Int] = [.day: 1, .week: 7, .month: 30, .year: 365]
    let days = count * (lengths[unit] ?? 1)
    return days <= 36_500 ? days : nil
  }

  private enum DistanceUnit { case day, week, month, year }

  /// Reads `10d`, `-2w`, `1m`, `+1y` or `3 days`; the number is at most 36500.
  private static func distance(_ word: String) -> (count: Int, unit: DistanceUnit)? {
    let sign = word.first.flatMap { "+-".contains($0) ? $0 : nil }
    let unsigned = word.dropFirst(sign == nil ? 0 : 1)
    let digits = unsigned.prefix { $0.isASCII && $0.isNumber }
    let rest = unsigned.dropFirst(digits.count)
    guard let count = Int(digits), count <= 36_500 else { return nil }
    let unit: DistanceUnit
    switch rest.first == " " ? rest.dropFirst() : rest {
    case "d", "day", "days": unit = .day
    case "w", "week", "weeks": unit = .week
    case "m", "month", "months": unit = .month
    case "y", "year", "years": unit = .year
    default: return nil
    }
    return (sign == "-" ? -count : count, unit)
  }

  /// Returns the day at a written distance from today, such as `10d`, `in 2 weeks` or `3 days ago`.
  private func distant(_ word: String, _ direction: Direction) -> Day? {
    if word.hasSuffix(" ago"), word.first?.isNumber ?? false {
      return distant("-" + word.dropLast(4), .ahead)
    }
    let hasPreposition = word.hasPrefix("in ") && word.dropFirst(3).first?.isNumber ?? false
    guard let (number, unit) = Self.distance(String(word.dropFirst(hasPreposition ? 3 : 0))) else {
      return nil
    }
    let isBack = direction.takesStretch && !hasPreposition && word.first?.isNumber ?? false
    let count = isBack ? -number : number
    let day =
      switch unit {
      case .day: today.adding(days: count)
      case .week: today.adding(days: count * 7)
      case .month: today.adding(months: count)
      case .year: today.adding(months: count * 12)
      }
    return (0...9999).contains(day.civil.year) ? day : nil
  }

  private func weekday(_ word: String, _ direction: Direction) -> Day? {
    let names = [
      "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    ]
    guard word.count >= 3, let index = names.firstIndex(where: { $0.hasPrefix(word) }) else {
      return nil
    }
    switch direction {
    case .ahead: return today.adding(days: (index + 7 - today.weekday) % 7 + 1)
    case .back, .since, .until: return today.adding(days: -((today.weekday - 1 - index + 7) % 7))
    }
  }
}
