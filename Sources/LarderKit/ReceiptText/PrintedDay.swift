internal import LarderModel

/// A day on a line.
struct PrintedDay: Equatable {
  var day: Day
  /// Whether the year has four digits.
  var isFull: Bool
  /// The text before it, after the day before it.
  var before = ""
  /// Whether the month stands first in its numbers, as in `10/25/26`; nil if they don't tell, or if it
  /// is written in another way.
  var monthFirst: Bool?
  /// The same numbers in the other order, if these are a day of the past as well.
  var other: Day?
}

/// A search for the days on a line.
struct DayFinder {
  /// A part of a written day: a number with the count of its digits, or a month's name.
  private enum Part {
    case number(Int, digits: Int)
    case month(Int)
  }

  /// A part with what separates it from the part before it.
  private struct Written {
    var part: Part
    var separator: Character
    /// Whether only one sign is between it and the part before it.
    var isNear: Bool
    var range: Range<Int>
  }

  private let characters: [Character]
  private let parts: [Written]

  /// Finds the parts of days on a line; a clock time is none.
  init(_ line: String, without clocks: [Range<Int>]) {
    let characters = Array(line)
    var parts: [Written] = []
    var index = 0
    var gap = ""
    while index < characters.count {
      let start = index
      if let clock = clocks.first(where: { $0.contains(index) }) {
        index = max(clock.upperBound, index + 1)
        gap += "!!!!"
      } else if characters[index].isASCIIDigit {
        while index < characters.count, characters[index].isASCIIDigit,
          !clocks.contains(where: { $0.contains(index) })
        {
          index += 1
        }
        let digits = String(characters[start..<index])
        add(.number(Int(digits) ?? 0, digits: digits.count), start..<index)
      } else if characters[index].isLetter {
        while index < characters.count, characters[index].isLetter { index += 1 }
        let word = fold(String(characters[start..<index]))
        if let month = Self.months[word] {
          add(.month(month), start..<index)
        } else if !["de", "del", "th", "st", "nd", "rd"].contains(word) {
          gap += "!!!!"
        }
      } else {
        gap.append(characters[index])
        index += 1
      }
    }
    (self.characters, self.parts) = (characters, parts)

    func add(_ part: Part, _ range: Range<Int>) {
      let plain = gap.filter { $0 != " " }
      // The parts of a day stand close together.
      let isNear =
        plain.count <= 1 && gap.count <= 4 && ["", "-", "/", ".", ","].contains(plain)
      parts.append(
        Written(part: part, separator: plain.first ?? " ", isNear: isNear, range: range))
      gap = ""
    }
  }

  /// Returns the days on the line; `last` is the last day that a receipt can have.
  func days(until last: Day, monthFirst: Bool) -> [PrintedDay] {
    guard parts.count > 2 else { return [] }
    var days: [PrintedDay] = []
    var start = 0
    var end = 0
    while start < parts.count - 2 {
      let three = parts[start..<(start + 3)]
      if three.dropFirst().allSatisfy(\.isNear), isEnded(start + 3),
        let day = day(of: Array(three), until: last, monthFirst)
      {
        var day = day
        day.before = String(characters[end..<parts[start].range.lowerBound])
        days.append(day)
        end = parts[start + 2].range.upperBound
        start += 3
      } else {
        start += 1
      }
    }
    return days
  }

  /// Whether the day ends before a part: in `24.11. 18.14`, no year is printed.
  private func isEnded(_ next: Int) -> Bool {
    guard next < parts.count, case .number(_, let digits) = parts[next].part else { return true }
    if case .number(_, 4) = parts[next - 1].part { return true }
    let isTight = parts[next].range.lowerBound == parts[next - 1].range.upperBound + 1
    return !(isTight && digits == 2 && parts[next].separator == ".")
  }

  private func day(
    of parts: [Written], until last: Day, _ monthFirst: Bool
  ) -> PrintedDay? {
    let separator = parts[1].separator
    let isOne = separator == parts[2].separator
    switch (parts[0].part, parts[1].part, parts[2].part) {
    case (.number(let day, let digits), .month(let month), .number(let year, let count))
    where digits <= 2:
      return Self.day(year, count, month, day)
    case (.month(let month), .number(let day, let digits), .number(let year, let count))
    where digits <= 2:
      return Self.day(year, count, month, day)
    case (.number(let year, 4), .number(let month, _), .number(let day, let digits))
    where digits <= 2 && "-/.".contains(separator):
      return Self.day(year, 4, month, day)
    case (.number(let one, let first), .number(let two, let second), .number(let year, let count))
    where first <= 2 && second <= 2 && "-/.".contains(separator) && (isOne || count == 4):
      let dayFirst = Self.day(year, count, two, one)
      guard separator != "." else { return dayFirst }
      let american = Self.day(year, count, one, two)
      guard var day = dayFirst, var other = american else {
        var day = dayFirst ?? american
        day?.monthFirst = dayFirst == nil
        return day
      }
      if monthFirst { swap(&day, &other) }
      guard day.day <= last, other.day <= last else {
        return day.day <= last || other.day > last ? day : other
      }
      guard one != two else { return day }
      (day.monthFirst, day.other) = (monthFirst, other.day)
      return day
    default: return nil
    }
  }

  private static func day(
    _ year: Int, _ digits: Int, _ month: Int, _ day: Int
  ) -> PrintedDay? {
    guard digits == 2 || digits == 4 else { return nil }
    let full = digits == 2 ? 2000 + year : year
    guard full >= 1990, full < 2100, let day = Day(year: full, month: month, day: day) else {
      return nil
    }
    return PrintedDay(day: day, isFull: digits == 4)
  }

  private static let months: [String: Int] = {
    let names = [
      "jan january januar janner janvier janv enero ene januari gennaio gen janeiro",
      "feb february februar fevrier fev febrero februari febbraio fevereiro",
      "mar march marz maerz mars marzo mac maart mrt marts marco",
      "apr april avril avr abril abr aprile",
      "may mai mayo mei maj maggio mag maio", "jun june juni juin junio giugno giu junho",
      "jul july juli juillet juil julio julai luglio lug julho",
      "aug august aout agosto ago ogos augustus augusti",
      "sep sept september septembre septiembre set settembre setembro",
      "oct october oktober okt octobre octubre ottobre ott outubro out",
      "nov november novembre noviembre novembro",
      "dec december dezember dez decembre diciembre dic dis disember dicembre dezembro",
    ]
    var months: [String: Int] = [:]
    for (index, line) in names.enumerated() {
      for name in line.split(separator: " ") { months[String(name)] = index + 1 }
    }
    return months
  }()
}
