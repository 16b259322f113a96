public import LarderModel

extension HouseholdCalendar {
  /// The direction in which a weekday's name, or a day without its year, is looked for.
  public enum Direction: Sendable {
    /// The next one after today.
    case ahead
    /// The last one, including today.
    case back
  }

  /// Reads a written day; nil if the text is none.
  ///
  /// The forms are `2026-12-01`, `01.12.2026`, `1 Dec 2026`, and without the year `12-01`, `01.12.`,
  /// `1 Dec`; a month for its last day, as printed on tins: `12/2026`, `2026-12`, `Dec 2026`;
  /// `today`, `tomorrow`, `yesterday`; `10d`, `+10d`, `-3d`, `2w`, `1m`, `1y`; and weekdays of three
  /// letters or more.
  public func day(typed text: String, _ direction: Direction = .ahead) -> Day? {
    let word = fold(text)
    switch word {
    case "today": return today
    case "tomorrow": return today.adding(days: 1)
    case "yesterday": return today.adding(days: -1)
    default:
      return Day(word) ?? distant(word) ?? weekday(word, direction) ?? dated(word, direction)
    }
  }

  /// Reads a written number of days, from 0 to 36500: `10`, `10d`, `3w`, `2m` for 30 days each, `1y` for
  /// 365; nil for any other text.
  public static func length(typed text: String) -> Int? {
    let word = fold(text)
    let lengths: [Character: Int] = ["d": 1, "w": 7, "m": 30, "y": 365]
    let length = word.last.flatMap { lengths[$0] }
    let digits = length == nil ? word[...] : word.dropLast()
    guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let count = Int(digits),
      count <= 36_500, count * (length ?? 1) <= 36_500
    else { return nil }
    return count * (length ?? 1)
  }

  /// Reads `10d`, `-2w`, `1m` or `+1y`, counted from today.
  private func distant(_ word: String) -> Day? {
    guard let unit = word.last else { return nil }
    let sign = word.first.flatMap { "+-".contains($0) ? $0 : nil }
    let digits = word.dropLast().dropFirst(sign == nil ? 0 : 1)
    guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let count = Int(digits),
      count <= 36_500
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

  /// Reads a day with a month by number or name.
  private func dated(_ word: String, _ direction: Direction) -> Day? {
    let names = word.split { $0 == " " || $0 == "," }.map(String.init)
    if let month = names.compactMap({ self.month($0) }).first {
      let numbers = names.filter { self.month($0) == nil }
        .map { Int($0.last == "." ? String($0.dropLast()) : $0) ?? -1 }
      return day(month: month, numbers, direction)
    }
    if let (month, year) = pair(word, "/") { return Day.last(of: month, year) }
    if let (year, month) = pair(word, "-"), year >= 1000 { return Day.last(of: month, year) }
    if let (month, day) = pair(word, "-") { return near(month, day, direction) }
    return pointed(word, direction)
  }

  /// Reads `01.12.2026` or `01.12.`.
  private func pointed(_ word: String, _ direction: Direction) -> Day? {
    let parts = word.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let day = number(parts[0]), let month = number(parts[1]) else {
      return nil
    }
    guard !parts[2].isEmpty else { return near(month, day, direction) }
    guard parts[2].count == 4, let year = number(parts[2]) else { return nil }
    return Day(year: year, month: month, day: day)
  }

  /// Returns the day of a named month with the other numbers beside it: a year, a day, or both.
  private func day(month: Int, _ numbers: [Int], _ direction: Direction) -> Day? {
    switch numbers.count {
    case 1 where numbers[0] > 31: Day.last(of: month, numbers[0])
    case 1: near(month, numbers[0], direction)
    case 2 where numbers[1] >= 1000: Day(year: numbers[1], month: month, day: numbers[0])
    default: nil
    }
  }

  /// Returns the next such day, today included, or the last one.
  private func near(_ month: Int, _ day: Int, _ direction: Direction) -> Day? {
    let year = today.civil.year
    // A leap day may be years away.
    let years = direction == .ahead ? Array(year...year + 8) : (year - 8...year).reversed()
    return years.compactMap { Day(year: $0, month: month, day: day) }
      .first { direction == .ahead ? $0 >= today : $0 <= today }
  }

  private func month(_ word: String) -> Int? {
    let names = [
      "january", "february", "march", "april", "may", "june", "july", "august", "september",
      "october", "november", "december",
    ]
    let name = word.last == "." ? String(word.dropLast()) : word
    guard name.count >= 3 else { return nil }
    return names.firstIndex { $0.hasPrefix(name) }.map { $0 + 1 }
  }

  private func pair(_ word: String, _ separator: Character) -> (Int, Int)? {
    let parts = word.split(separator: separator, omittingEmptySubsequences: false)
    guard parts.count == 2, let one = number(parts[0]), let other = number(parts[1]),
      parts[0].count == 4 || parts[0].count <= 2, parts[1].count == 4 || parts[1].count <= 2
    else { return nil }
    return (one, other)
  }

  private func number(_ digits: Substring) -> Int? {
    digits.allSatisfy { $0.isASCII && $0.isNumber } ? Int(digits) : nil
  }
}

extension Day {
  /// The last day of a month; nil if there is no such month, or if the year has less than four
  /// digits.
  fileprivate static func last(of month: Int, _ year: Int) -> Day? {
    guard year >= 1000 else { return nil }
    return Day(year: year, month: month, day: 1)?.adding(months: 1).adding(days: -1)
  }
}
