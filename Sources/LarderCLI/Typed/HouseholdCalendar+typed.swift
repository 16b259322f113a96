import LarderKit
import LarderModel

extension HouseholdCalendar {
  /// The direction in which a weekday's name is looked for.
  enum Direction {
    /// The next one after today.
    case ahead
    /// The last one, including today.
    case back
  }

  /// The message for a day that can't be read.
  static let dayForms = "write a day like 2026-12-01, today, tomorrow, +10d, +2w, +1m or fri"
  /// The message for a moment that can't be read.
  static let instantForms =
    "write a moment like '2026-11-20 18:30', 18:30, 'yesterday 18:30' or 2026-11-20"

  /// Reads a typed day; nil if the text is none.
  ///
  /// The forms are `2026-12-01`, `today`, `tomorrow`, `yesterday`, `+10d`, `-3d`, `+2w`, `+1m`,
  /// `+1y`, and weekdays of three letters or more.
  func day(typed text: String, _ direction: Direction = .ahead) -> Day? {
    let word = fold(text)
    switch word {
    case "today": return today
    case "tomorrow": return today.adding(days: 1)
    case "yesterday": return today.adding(days: -1)
    default: return Day(word) ?? distant(word) ?? weekday(word, direction)
    }
  }

  /// Reads a typed moment; nil if the text is none.
  ///
  /// The forms are an RFC 3339 instant, a clock time of today, a day with a clock time, and a day
  /// alone: today means now, and another day means its noon.
  func instant(typed text: String) -> Instant? {
    let trimmed = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    if let instant = Instant(trimmed) { return instant }
    if fold(trimmed) == "now" { return now }
    if let clock = clock(trimmed) {
      return instant(of: today, minutes: clock.minutes, seconds: clock.seconds)
    }
    if let day = day(typed: trimmed, .back) {
      return day == today ? now : instant(of: day, minutes: 12 * 60)
    }
    let parts = trimmed.split(maxSplits: 1) { $0 == " " || $0 == "T" || $0 == "t" }
    guard parts.count == 2 else { return dayWithLetter(trimmed) }
    return self.instant(day: String(parts[0]), clock: String(parts[1])) ?? dayWithLetter(trimmed)
  }

  /// Reads a day whose name has a `t`, as in `today 18:30`.
  private func dayWithLetter(_ text: String) -> Instant? {
    let parts = text.split(separator: " ")
    return parts.count == 2 ? instant(day: String(parts[0]), clock: String(parts[1])) : nil
  }

  private func instant(day: String, clock: String) -> Instant? {
    guard let day = self.day(typed: day, .back), let clock = self.clock(clock) else { return nil }
    return instant(of: day, minutes: clock.minutes, seconds: clock.seconds)
  }

  /// Reads `+10d`, `-2w`, `+1m` or `+1y`, counted from today.
  private func distant(_ word: String) -> Day? {
    guard let sign = word.first, sign == "+" || sign == "-", let unit = word.last,
      let count = Int(word.dropFirst().dropLast()), (0...36_500).contains(count),
      word.dropFirst().first?.isNumber == true
    else { return nil }
    let signed = sign == "-" ? -count : count
    let day: Day? =
      switch unit {
      case "d": today.adding(days: signed)
      case "w": today.adding(days: signed * 7)
      case "m": today.adding(months: signed)
      case "y": today.adding(months: signed * 12)
      default: nil
      }
    return day.flatMap { (0...9999).contains($0.civil.year) ? $0 : nil }
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
    case .back: return today.adding(days: -((today.weekday - 1 - index + 7) % 7))
    }
  }

  /// Reads `18:30` or `18:30:15`.
  private func clock(_ text: String) -> (minutes: Int, seconds: Int)? {
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
}
