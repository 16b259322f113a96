internal import LarderModel

/// A written date: a month by number or name, with a day, a year or both.
struct WrittenDate {
  let year: Int?
  let month: Int
  /// The day of the month; nil for the last one.
  let day: Int?

  /// Reads a folded text.
  init(_ word: String) throws(DayMistake) {
    self = try word.contains(where: \.isLetter) ? Self.named(word) : Self.numbered(word)
    guard (1...12).contains(month) else { throw .noSuchMonth(month) }
    if let year, let day {
      guard Day(year: year, month: month, day: day) != nil else {
        throw .noSuchDay(month: month, year: year)
      }
    }
  }

  private init(_ year: Int?, _ month: Int, _ day: Int?) {
    self.year = year
    self.month = month
    self.day = day
  }

  func day(in year: Int) throws(DayMistake) -> Day {
    if let day {
      guard let day = Day(year: year, month: month, day: day) else {
        throw .noSuchDay(month: month, year: year)
      }
      return day
    }
    guard year >= 1000, let first = Day(year: year, month: month, day: 1) else { throw .noDay }
    return first.adding(months: 1).adding(days: -1)
  }
}

extension WrittenDate {
  /// One of a date's numbers.
  private struct Part {
    let value: Int
    /// The number of its digits.
    let length: Int

    init?(_ digits: some StringProtocol) {
      guard (1...8).contains(digits.utf8.count),
        digits.utf8.allSatisfy({ (48...57).contains($0) }), let value = Int(digits)
      else { return nil }
      self.value = value
      length = digits.utf8.count
    }

    var isShort: Bool { length <= 2 }
    var isYear: Bool { length == 4 }
    /// The year of four digits, or of two digits from 2000 on; nil for any other number of digits.
    var year: Int? { isYear ? value : length == 2 ? 2000 + value : nil }
  }

  private static func numbered(_ word: String) throws(DayMistake) -> WrittenDate {
    // People write `24. 12. 2026` too.
    let text = word.split(separator: ". ").joined(separator: ".")
    if text.utf8.count == 8, let part = Part(text) {
      return WrittenDate(part.value / 10_000, part.value / 100 % 100, part.value % 100)
    }
    for separator in ["-", ".", "/"] where text.contains(separator) {
      var pieces = text.split(separator: separator, omittingEmptySubsequences: false)
      if separator == ".", pieces.count == 3, pieces[2].isEmpty { pieces.removeLast() }
      let parts = pieces.compactMap { Part($0) }
      guard parts.count == pieces.count else { throw .noDay }
      if parts.count == 3, parts[0].isYear, parts[1].isShort, parts[2].isShort {
        return WrittenDate(parts[0].value, parts[1].value, parts[2].value)
      }
      switch separator {
      case "-": return try hyphened(parts)
      case ".": return try pointed(parts)
      default: return try slashed(parts)
      }
    }
    throw .noDay
  }

  /// Reads `12-24`, `2026-12` or `24-12-2026`.
  private static func hyphened(_ parts: [Part]) throws(DayMistake) -> WrittenDate {
    switch parts.count {
    case 2 where parts[0].isShort && parts[1].isShort:
      return WrittenDate(nil, parts[0].value, parts[1].value)
    case 2 where parts[0].isYear && parts[1].isShort:
      return WrittenDate(parts[0].value, parts[1].value, nil)
    case 3 where parts[2].isYear: return try slashed(parts)
    default: throw .noDay
    }
  }

  /// Reads `24.12`, `12.2026`, `24.12.26` or `24.12.2026`.
  private static func pointed(_ parts: [Part]) throws(DayMistake) -> WrittenDate {
    guard parts.count >= 2, parts[0].isShort else { throw .noDay }
    if parts.count == 2, parts[1].isYear {
      return WrittenDate(parts[1].value, parts[0].value, nil)
    }
    guard parts[1].isShort, parts.count <= 3 else { throw .noDay }
    guard parts.count == 3 else { return WrittenDate(nil, parts[1].value, parts[0].value) }
    guard let year = parts[2].year else { throw .noDay }
    return WrittenDate(year, parts[1].value, parts[0].value)
  }

  /// Reads `12/2026`, and `24/12` or `24/12/2026` if the first number can't be a month or both are
  /// equal.
  private static func slashed(_ parts: [Part]) throws(DayMistake) -> WrittenDate {
    guard (2...3).contains(parts.count), parts[0].isShort else { throw .noDay }
    let (first, second) = (parts[0].value, parts[1].value)
    if parts.count == 2, parts[1].isYear { return WrittenDate(second, first, nil) }
    guard parts[1].isShort, parts.count == 2 || parts[2].isYear else { throw .noDay }
    let year = parts.count == 3 ? parts[2].value : nil
    if first > 12 || first == second { return WrittenDate(year, second, first) }
    throw .dayOrMonth(readings(first, second, year))
  }

  /// Returns the two days that the numbers can mean in a year; none without a year.
  private static func readings(_ first: Int, _ second: Int, _ year: Int?) -> [Day] {
    guard let year else { return [] }
    return [
      Day(year: year, month: second, day: first), Day(year: year, month: first, day: second),
    ].compactMap(\.self)
  }

  /// Reads a date with a month's name.
  private static func named(_ word: String) throws(DayMistake) -> WrittenDate {
    guard let (runs, gaps) = runs(of: word),
      gaps.allSatisfy({ ["", " ", ", ", ",", ". ", ".", "-", "/"].contains($0) })
    else { throw .noDay }
    let words = runs.filter { $0.first?.isLetter ?? false }
    let numbers = runs.compactMap { Part($0) }
    guard words.count == 1, let month = month(words[0]), numbers.count + 1 == runs.count else {
      throw .noDay
    }
    switch numbers.count {
    case 1 where numbers[0].isYear: return WrittenDate(numbers[0].value, month, nil)
    case 1 where numbers[0].isShort: return WrittenDate(nil, month, numbers[0].value)
    case 2 where numbers[0].isYear && numbers[1].isShort:
      return WrittenDate(numbers[0].value, month, numbers[1].value)
    case 2 where numbers[0].isShort:
      guard let year = numbers[1].year else { throw .noDay }
      return WrittenDate(year, month, numbers[0].value)
    default: throw .noDay
    }
  }

  /// Splits a text into its runs of letters and of digits, and the gaps between them.
  ///
  /// Nil if the text begins or ends with anything else; a full stop at the end is allowed.
  private static func runs(of word: String) -> (runs: [String], gaps: [String])? {
    var runs: [String] = []
    var gaps: [String] = []
    var gap = ""
    for character in word {
      let isDigit = character.isASCII && character.isNumber
      guard isDigit || character.isLetter else {
        gap.append(character)
        continue
      }
      let last = runs.last?.last
      if let last, gap.isEmpty, last.isLetter != isDigit {
        runs[runs.count - 1].append(character)
      } else {
        if runs.isEmpty, !gap.isEmpty { return nil }
        if !runs.isEmpty { gaps.append(gap) }
        runs.append(String(character))
        gap = ""
      }
    }
    return gap.isEmpty || gap == "." ? (runs, gaps) : nil
  }

  /// Returns the number of a month by its folded name or the first letters of it, at least three.
  static func month(_ word: String) -> Int? {
    guard word.count >= 3 else { return nil }
    return HouseholdCalendar.monthNames.firstIndex { fold($0).hasPrefix(word) }.map { $0 + 1 }
  }
}

extension HouseholdCalendar {
  /// The months' names.
  public static let monthNames = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]
}
