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
    /// `d` for a day or a month, `y` for a year.
    fileprivate var form: Character { isYear ? "y" : isShort ? "d" : "?" }
  }

  private static func numbered(_ word: String) throws(DayMistake) -> WrittenDate {
    // People write `24. 12. 2026` too.
    let text = word.split(separator: ". ").joined(separator: ".")
    if text.utf8.count == 8, let part = Part(text) {
      return WrittenDate(part.value / 10_000, part.value / 100 % 100, part.value % 100)
    }
    guard let separator = ["-", ".", "/"].first(where: text.contains) else { throw .noDay }
    var pieces = text.split(separator: separator, omittingEmptySubsequences: false)
    if separator == ".", pieces.count == 3, pieces[2].isEmpty { pieces.removeLast() }
    let parts = pieces.compactMap { Part($0) }
    guard (2...3).contains(parts.count), parts.count == pieces.count else { throw .noDay }
    let (first, second, third) = (parts[0].value, parts[1].value, parts.dropFirst(2).first)
    switch (separator, String(parts.map(\.form))) {
    case (_, "ydd"): return WrittenDate(first, second, third?.value)
    case ("-", "dd"): return WrittenDate(nil, first, second)
    case ("-", "yd"): return WrittenDate(first, second, nil)
    case (".", "dy"), ("/", "dy"): return WrittenDate(second, first, nil)
    case (".", "dd"): return WrittenDate(nil, second, first)
    case (".", "ddy"), (".", "ddd"):
      guard let year = third?.year else { throw .noDay }
      return WrittenDate(year, second, first)
    case ("-", "ddy"), ("/", "dd"), ("/", "ddy"):
      // With both numbers a month, nobody knows which is the day, unless they are equal.
      if first > 12 || first == second { return WrittenDate(third?.value, second, first) }
      let days = third.map { year in
        [(second, first), (first, second)].map {
          Day(year: year.value, month: $0.0, day: $0.1)
        }
      }
      throw .dayOrMonth(days?.compactMap(\.self) ?? [])
    default: throw .noDay
    }
  }

  /// Reads a date with a month's name.
  private static func named(_ word: String) throws(DayMistake) -> WrittenDate {
    let runs = word.matches(of: /[0-9]+|\p{L}+/).map { String($0.0) }
    let gaps = word.split(separator: /[0-9]+|\p{L}+/, omittingEmptySubsequences: false)
    guard gaps.first == "", ["", "."].contains(gaps.last),
      gaps.dropFirst().dropLast().allSatisfy({
        ["", " ", ", ", ",", ". ", ".", "-", "/"].contains($0)
      })
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
