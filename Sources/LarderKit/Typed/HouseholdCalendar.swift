internal import Foundation
public import LarderModel

/// Days and clock times in the household's time zone, independent of the device's.
public struct HouseholdCalendar: Sendable {
  private let timeZone: TimeZone
  public let now: Instant

  /// Creates a calendar for a time zone by name; a zone that this system does not know counts as
  /// UTC.
  public init(timeZone name: String, now: Instant) {
    timeZone = TimeZone(identifier: name) ?? .gmt
    self.now = now
  }

  public init(of household: Household, now: Instant) {
    self.init(timeZone: household.own?.timeZone ?? "UTC", now: now)
  }

  public var today: Day { day(of: now) }

  /// Returns the day of a moment.
  public func day(of instant: Instant) -> Day {
    Day(daysSinceEpoch: Int(local(instant).flooredDays))
  }

  /// Returns the moment of a clock time on a day; a time that the clocks skip moves forward by the
  /// skipped length.
  public func instant(of day: Day, minutes: Int = 0, seconds: Int = 0) -> Instant {
    let wanted =
      (Int64(day.daysSinceEpoch) * 1440 + Int64(minutes)) * 60_000 + Int64(seconds) * 1000
    // The offset before a clock change gives a moment after it, so the offset is looked up again.
    let guess = Instant(milliseconds: wanted - offset(at: Instant(milliseconds: wanted)))
    return Instant(milliseconds: wanted - offset(at: guess))
  }

  /// Returns a moment as text for people, such as `2026-11-20 18:30`.
  public func text(of instant: Instant) -> String {
    let day = day(of: instant)
    let minutes = (local(instant) - Int64(day.daysSinceEpoch) * 86_400_000) / 60_000
    return "\(day) \(twoDigits(minutes / 60)):\(twoDigits(minutes % 60))"
  }

  /// Returns the milliseconds since 1970 on the wall clock.
  private func local(_ instant: Instant) -> Int64 {
    instant.milliseconds + offset(at: instant)
  }

  private func offset(at instant: Instant) -> Int64 {
    let date = Date(timeIntervalSince1970: Double(instant.milliseconds) / 1000)
    return Int64(timeZone.secondsFromGMT(for: date)) * 1000
  }
}

private func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }

extension Int64 {
  /// The number of whole days in these milliseconds, rounded down.
  fileprivate var flooredDays: Int64 {
    let day: Int64 = 86_400_000
    return self >= 0 ? self / day : -((day - 1 - self) / day)
  }
}

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

  /// Reads a written moment; nil if the text is not a moment.
  public func instant(typed text: String) -> Instant? {
    try? instant(reading: text)
  }

  /// Whether a written moment is a day without a time, other than today.
  public func isDayAlone(_ text: String) -> Bool {
    day(typed: text, .back).map { $0 != today } ?? false
  }

  /// Reads a written moment.
  ///
  /// The forms are an RFC 3339 instant, a clock time of today, a day with a clock time, and a day
  /// alone. Without a clock time, today means now, and any other day means its noon.
  public func instant(reading text: String) throws(DayMistake) -> Instant {
    let trimmed = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    if let instant = Instant(trimmed) { return instant }
    if fold(trimmed) == "now" { return now }
    if let clock = clock(trimmed[...]) {
      return instant(of: today, minutes: clock.minutes, seconds: clock.seconds)
    }
    // A name of a day may also have a `t`, but no clock time follows it.
    for isSeparator: (Character) -> Bool in [{ $0 == " " }, { $0 == "T" || $0 == "t" }] {
      guard let index = trimmed.lastIndex(where: isSeparator),
        let clock = clock(trimmed[trimmed.index(after: index)...])
      else { continue }
      let day = try day(reading: String(trimmed[..<index]), .back)
      return instant(of: day, minutes: clock.minutes, seconds: clock.seconds)
    }
    let day = try day(reading: trimmed, .back)
    return day == today ? now : instant(of: day, minutes: 12 * 60)
  }

  /// Reads `18:30` or `18:30:15`.
  private func clock(_ text: Substring) -> (minutes: Int, seconds: Int)? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in
      (1...2).contains(part.utf8.count) && part.utf8.allSatisfy { (48...57).contains($0) }
        ? Int(part) : nil
    }
    guard (2...3).contains(parts.count), numbers.count == parts.count, numbers[0] < 24,
      numbers[1] < 60, numbers.count == 2 || numbers[2] < 60
    else { return nil }
    return (numbers[0] * 60 + numbers[1], numbers.count == 3 ? numbers[2] : 0)
  }

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

  /// Returns how a day or a moment without a year was completed, if it is so more than nine months
  /// away; a day that has just passed is nearer then.
  public func completed(_ text: String, _ direction: Direction = .ahead) -> CompletedDay? {
    let written = withoutClock(text)
    let word = fold(written)
    guard let date = try? WrittenDate(word), date.year == nil,
      !direction.takesStretch || stretch(word) == nil,
      let day = day(typed: written, direction),
      day > today.adding(months: 9) || day < today.adding(months: -9)
    else { return nil }
    let year = today.civil.year
    let distance = { (day: Day) in abs(day.daysSinceEpoch - today.daysSinceEpoch) }
    let days = (year - 1...year + 1).compactMap { try? date.day(in: $0) }
    guard let nearer = days.min(by: { distance($0) < distance($1) }), nearer != day else {
      return nil
    }
    return CompletedDay(written: written, day: day, nearer: nearer)
  }

  /// Returns a text without the clock time at its end.
  private func withoutClock(_ text: String) -> String {
    let trimmed = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard trimmed.contains(":"), let gap = trimmed.lastIndex(where: { " Tt".contains($0) }) else {
      return trimmed
    }
    return String(trimmed[..<gap])
  }
}

/// A day whose year was not written, so that another one may be meant.
public struct CompletedDay: Hashable, Sendable {
  /// The text without the year.
  public let written: String
  /// The day that was taken.
  public let day: Day
  /// The nearest day that the text may mean too.
  public let nearer: Day
}
