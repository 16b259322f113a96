internal import LarderModel

/// The printed day and time of a purchase.
struct PrintedMoment: Equatable {
  var day: Day
  /// The minutes since midnight; nil if no time is printed.
  var minutes: Int?
}

/// A search for the day and time of a purchase.
///
/// If day and month can be in either order, a day in the future is ruled out. Otherwise the day
/// comes first, unless the household's country writes the month first.
struct MomentFinder {
  let today: Day
  let monthFirst: Bool

  func moment(in lines: [String]) -> PrintedMoment? {
    var found: (place: Int, day: Day, rank: Int)?
    for (place, line) in lines.enumerated() {
      let label = ReceiptWords.label(of: line)
      guard let day = day(in: line) else { continue }
      let before = ReceiptWords.label(of: String(line.prefix { !$0.isASCIIDigit }))
      let isOther = before.hasWord(of: Self.others)
      let rank =
        isOther ? 0 : Self.clock(in: line) != nil ? 3 : label.hasWord(of: Self.days) ? 2 : 1
      if rank > found?.rank ?? 0 { found = (place, day, rank) }
    }
    guard let found else { return nil }
    return PrintedMoment(day: found.day, minutes: clock(near: found.place, in: lines))
  }

  /// Words on lines with a day that is not the day of the purchase.
  private static let others: Set<String> = [
    "expires", "expiry", "valid", "until", "gultig", "bis", "return", "returns", "retour", "born",
    "valable", "jusqu", "vence", "valido", "luput", "sah", "mhd", "haltbar", "before",
  ]
  private static let days: Set<String> = [
    "date", "datum", "fecha", "tarikh", "le", "du", "dt", "delivered", "paid", "data", "vom",
  ]

  private func clock(near place: Int, in lines: [String]) -> Int? {
    let near = [place, place + 1, place - 1, place + 2, place - 2]
      .filter(lines.indices.contains).map { lines[$0] }
    for line in near + lines where !ReceiptWords.label(of: line).hasWord(of: Self.opening) {
      if let minutes = Self.clock(in: line) { return minutes }
    }
    return nil
  }

  /// Words on lines with opening hours.
  private static let opening: Set<String> = [
    "open", "opening", "hours", "geoffnet", "offnungszeiten", "ouvert", "horaires", "abierto",
    "horario", "buka",
  ]

  /// Returns the first clock time on a line, in minutes: `18:04`, `18:04:37`, `7:45 PM`, `12h34`.
  static func clock(in line: String) -> Int? {
    let characters = closed(Array(line.lowercased()))
    for index in characters.indices where characters[index] == ":" || characters[index] == "h" {
      let before = digits(characters, endingAt: index)
      let after = digits(characters, startingAt: index + 1)
      guard (1...2).contains(before.count), after.count == 2, let hour = Int(before),
        let minute = Int(after), hour < 24, minute < 60
      else { continue }
      let start = index - before.count
      if start > 0, ":.,".contains(characters[start - 1]) { continue }
      var rest = characters[(index + 3)...]
      if rest.first == ":" { rest = rest.dropFirst(3) }
      let suffix = String(rest.filter { $0 != " " && $0 != "." }.prefix(2))
      if suffix == "pm", hour < 12 { return (hour + 12) * 60 + minute }
      if suffix == "am", hour == 12 { return minute }
      return hour * 60 + minute
    }
    return nil
  }

  /// Returns characters without the spaces around a colon between digits: `15 : 21`.
  private static func closed(_ characters: [Character]) -> [Character] {
    var result: [Character] = []
    for (index, character) in characters.enumerated() {
      let before = characters[..<index].last { $0 != " " && $0 != ":" }
      let after = characters[(index + 1)...].first { $0 != " " && $0 != ":" }
      let isAtColon =
        (index > 0 && characters[index - 1] == ":")
        || (index + 1 < characters.count && characters[index + 1] == ":")
      let isGap =
        character == " " && isAtColon && before?.isASCIIDigit ?? false
        && after?.isASCIIDigit ?? false
      if !isGap { result.append(character) }
    }
    return result
  }

  private static func digits(_ characters: [Character], endingAt end: Int) -> String {
    var start = end
    while start > 0, characters[start - 1].isASCIIDigit { start -= 1 }
    return String(characters[start..<end])
  }

  private static func digits(_ characters: [Character], startingAt start: Int) -> String {
    var end = start
    while end < characters.count, characters[end].isASCIIDigit { end += 1 }
    return start < end ? String(characters[start..<end]) : ""
  }
}

extension MomentFinder {
  /// A part of a written day: a number with the count of its digits, or a month's name.
  private enum Part {
    case number(Int, digits: Int)
    case month(Int)
  }

  /// Returns the first day on a line.
  func day(in line: String) -> Day? {
    let parts = Self.parts(of: line)
    guard parts.count > 2 else { return nil }
    for start in 0..<(parts.count - 2) {
      let three = Array(parts[start..<(start + 3)])
      guard three[1].isNear, three[2].isNear else { continue }
      // In `18:21:07 17NOV2026`, the first numbers are a time, and a day follows.
      if let day = day(of: three.map(\.part), isWritten: three[1].separator) { return day }
    }
    return nil
  }

  private func day(of parts: [Part], isWritten separator: Character) -> Day? {
    switch (parts[0], parts[1], parts[2]) {
    case (.number(let day, let digits), .month(let month), .number(let year, let count))
    where digits <= 2:
      return known(year, count, month, day)
    case (.month(let month), .number(let day, let digits), .number(let year, let count))
    where digits <= 2:
      return known(year, count, month, day)
    case (.number(let year, 4), .number(let month, _), .number(let day, let digits))
    where digits <= 2 && "-/.".contains(separator):
      return known(year, 4, month, day)
    case (.number(let one, let first), .number(let two, let second), .number(let year, let count))
    where first <= 2 && second <= 2 && (count == 2 || count == 4) && "-/.".contains(separator):
      let dayFirst = known(year, count, two, one)
      let american = known(year, count, one, two)
      if separator == "." { return dayFirst }
      return monthFirst ? american ?? dayFirst : dayFirst ?? american
    default: return nil
    }
  }

  /// Returns a day, unless it is after tomorrow or too long ago for a receipt.
  private func known(_ year: Int, _ digits: Int, _ month: Int, _ day: Int) -> Day? {
    guard digits == 2 || digits == 4 else { return nil }
    let full = digits == 2 ? 2000 + year : year
    guard full >= 1990, let found = Day(year: full, month: month, day: day) else { return nil }
    return found <= today.adding(days: 1) ? found : nil
  }

  /// Returns the numbers and month names of a line, each with the separator before it.
  private static func parts(of line: String) -> [(part: Part, separator: Character, isNear: Bool)] {
    var parts: [(part: Part, separator: Character, isNear: Bool)] = []
    let characters = Array(line)
    var index = 0
    var gap = ""
    while index < characters.count {
      let start = index
      if characters[index].isASCIIDigit {
        while index < characters.count, characters[index].isASCIIDigit { index += 1 }
        let digits = String(characters[start..<index])
        add(.number(Int(digits) ?? 0, digits: digits.count), behind: &gap)
      } else if characters[index].isLetter {
        while index < characters.count, characters[index].isLetter { index += 1 }
        let word = fold(String(characters[start..<index]))
        if let month = months[word] {
          add(.month(month), behind: &gap)
        } else if !["de", "del", "th", "st", "nd", "rd"].contains(word) {
          gap += "!!!!"
        }
      } else {
        gap.append(characters[index])
        index += 1
      }
    }
    return parts

    func add(_ part: Part, behind gap: inout String) {
      let plain = gap.filter { $0 != " " }
      let isNear = plain.count <= 1 && ["", "-", "/", ".", ","].contains(plain)
      parts.append((part, plain.first ?? " ", isNear))
      gap = ""
    }
  }

  private static let months: [String: Int] = {
    let names = [
      "jan january januar janner janvier janv enero ene januari",
      "feb february februar fevrier fev febrero februari",
      "mar march marz maerz mars marzo mac", "apr april avril avr abril abr",
      "may mai mayo mei", "jun june juni juin junio jun", "jul july juli juillet juil julio julai",
      "aug august aout agosto ago ogos", "sep sept september septembre septiembre set",
      "oct october oktober okt octobre octubre", "nov november novembre noviembre",
      "dec december dezember dez decembre diciembre dic dis disember",
    ]
    var months: [String: Int] = [:]
    for (index, line) in names.enumerated() {
      for name in line.split(separator: " ") { months[String(name)] = index + 1 }
    }
    return months
  }()
}
