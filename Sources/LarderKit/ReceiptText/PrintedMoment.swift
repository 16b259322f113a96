internal import LarderModel

/// The printed day and time of a purchase.
struct PrintedMoment: Equatable {
  var day: Day
  /// The day with its month and day exchanged, if nothing on the receipt says which comes first.
  var other: Day?
  /// The minutes since midnight; nil if no time is printed.
  var minutes: Int?
  /// The index of the line with the day.
  var place: Int
}

/// A search for the day and time of a purchase.
///
/// A day that is printed in full goes before one with a year of two digits, and a day next to its
/// time or a word for a day before a day alone. If day and month can be in either order, a day in
/// the future is ruled out. Otherwise the currency, words of a country or another day on the receipt
/// say which comes first, and if nothing does, the household's currency.
struct MomentFinder {
  let calendar: HouseholdCalendar
  /// The currency that the receipt prints.
  let printed: String?
  /// The household's currency.
  let currency: String?

  func moment(in printed: [String]) -> PrintedMoment? {
    // `15 : 21` is a time, too.
    let lines = printed.map(PrintedClock.closed)
    let hasPoints = NumberStyle(of: printed.joined(separator: "\n")).decimalMark == ","
    let clocks = lines.map { PrintedClock.all(in: $0, withPoints: hasPoints) }
    let order = monthFirst(on: lines)
    var all: [PrintedDay] = []
    var best: (rank: Int, place: Int, day: PrintedDay)?
    for (place, line) in lines.enumerated() where line.contains(where: \.isASCIIDigit) {
      let finder = DayFinder(line, without: clocks[place].map(\.range))
      let days = finder.days(
        until: calendar.today.adding(days: 1), monthFirst: order ?? (currency == "USD"))
      all += days
      for day in days {
        let rank = rank(of: day, on: line, with: clocks[place])
        if rank > best?.rank ?? 0 { best = (rank, place, day) }
      }
    }
    guard var best else { return nil }
    if order != nil { best.day.other = nil } else { best.day.settle(among: all) }
    let own = clocks[best.place].first
    if let own, own.isUniversal {
      // Its day and its time are those of Greenwich.
      let zone = HouseholdCalendar(timeZone: "UTC", now: calendar.now)
      let instant = zone.instant(of: best.day.day, minutes: own.minutes)
      let day = calendar.day(of: instant)
      let midnight = calendar.instant(of: day)
      let minutes = Int((instant.milliseconds - midnight.milliseconds) / 60_000)
      return PrintedMoment(day: day, minutes: minutes, place: best.place)
    }
    return PrintedMoment(
      day: best.day.day, other: best.day.other,
      minutes: clock(near: best.place, in: lines, clocks), place: best.place)
  }

  /// Whether the receipt's country writes the month first; nil if nothing on the receipt tells.
  private func monthFirst(on lines: [String]) -> Bool? {
    // In Canada, people write it both ways.
    if let printed, printed != "CAD" { return printed == "USD" }
    let labels = lines.map { ReceiptWords.label(of: $0) }
    if labels.contains(where: { $0.hasWord(of: Self.american) }) { return true }
    return labels.contains { $0.hasWord(of: Self.foreignTaxes) } ? false : nil
  }

  /// Words that only receipts of the United States have.
  private static let american: Set<String> = ["lb", "lbs", "ebt", "wic"]
  /// Words for taxes of countries that write the day first.
  private static let foreignTaxes = ReceiptWords.taxes.subtracting([
    "tax", "taxes", "gst", "hst", "pst", "qst", "tps", "tvq",
  ])

  /// Returns how sure it is that a day is the day of the purchase; 0 if it is another day.
  private func rank(of day: PrintedDay, on line: String, with clocks: [PrintedClock]) -> Int {
    if ReceiptWords.label(of: day.before).hasWord(of: ReceiptWords.otherDays) { return 0 }
    // Nothing else on the receipt may be in the future, so such a day is the last resort.
    if day.day > calendar.today.adding(days: 1) { return 1 }
    // The signature of a till has its own clock.
    let label = ReceiptWords.label(of: line)
    if clocks.first?.isUniversal ?? false || label.hasWord(of: Self.signatures) { return 2 }
    if !clocks.isEmpty { return day.isFull ? 8 : 6 }
    if label.hasWord(of: ReceiptWords.dayWords) { return day.isFull ? 7 : 4 }
    return day.isFull ? 5 : 3
  }

  private static let signatures: Set<String> = ["tse", "signatur", "signature", "serien"]

  private func clock(near place: Int, in lines: [String], _ clocks: [[PrintedClock]]) -> Int? {
    let near = [place, place + 1, place - 1, place + 2, place - 2].filter(lines.indices.contains)
    for line in near + lines.indices {
      guard let clock = clocks[line].first(where: { !$0.isUniversal }) else { continue }
      if !ReceiptWords.label(of: lines[line]).hasWord(of: ReceiptWords.openingWords) {
        return clock.minutes
      }
    }
    return nil
  }
}

/// A clock time on a line: `18:04`, `18:04:37`, `7:45 PM`, `7:45P`, `12h34`, `18.04 Uhr`,
/// `31.10.2026 18.04`, `09:21:40.000Z`.
struct PrintedClock: Equatable {
  var minutes: Int
  /// Whether it is the time of Greenwich, which `Z` says.
  var isUniversal = false
  /// The places of its characters.
  var range: Range<Int>

  /// Returns the times on a line; `withPoints` says that no amount has a point.
  static func all(in line: String, withPoints: Bool) -> [PrintedClock] {
    guard line.contains(where: { ":hH.".contains($0) }) else { return [] }
    let characters = Array(line.lowercased())
    let pointed = withPoints ? besideDay(line) : []
    var all: [PrintedClock] = []
    for index in characters.indices where ":h.".contains(characters[index]) {
      if let last = all.last, index < last.range.upperBound { continue }
      if let clock = clock(at: index, in: characters, pointed.contains(index)) { all.append(clock) }
    }
    return all
  }

  /// Returns the places of the points of times beside a day: `15.24 31.10.2026`.
  private static func besideDay(_ line: String) -> [Int] {
    let words = line.split(separator: " ")
    let isDay = { (place: Int) in
      words.indices.contains(place)
        && words[place].wholeMatch(of: /[0-9]{1,2}\.[0-9]{1,2}\.([0-9]{2}|[0-9]{4})/) != nil
    }
    return words.indices.compactMap { place in
      guard words[place].wholeMatch(of: /[0-9]{1,2}\.[0-9]{2}/) != nil,
        let point = words[place].firstIndex(of: "."),
        // `31.10.2026 klo 15.24`
        isDay(place - 1) || isDay(place + 1)
          || (isDay(place - 2) && words[place - 1].allSatisfy { $0.isLetter || $0 == "." })
      else { return nil }
      return line.distance(from: line.startIndex, to: point)
    }
  }

  private static func clock(
    at index: Int, in characters: [Character], _ isBesideDay: Bool
  ) -> PrintedClock? {
    let digits = { (start: Int) in characters[start...].prefix(while: \.isASCIIDigit).count }
    var start = index
    while start > 0, characters[start - 1].isASCIIDigit { start -= 1 }
    guard (1...2).contains(index - start), digits(index + 1) == 2,
      start == 0 || !":.,".contains(characters[start - 1]),
      var hour = Int(String(characters[start..<index])),
      let minute = Int(String(characters[(index + 1)...(index + 2)])), hour < 24, minute < 60
    else { return nil }
    var end = index + 3
    if end < characters.count, characters[end] == ":", digits(end + 1) == 2 { end += 3 }
    if end > index + 3, end < characters.count, ".,".contains(characters[end]) {
      end += 1 + digits(end + 1)
    }
    let rest = characters[end...]
    let words = String(rest.prefix(8).filter { $0 != " " && $0 != "." })
    // A point is the mark of a time only if a word says so.
    if characters[index] == "." {
      guard words.hasPrefix("uhr") || isBesideDay else { return nil }
    }
    let mark = rest.drop { $0 == " " }.prefix { $0.isLetter || $0 == "." }.filter { $0 != "." }
    if words.hasPrefix("pm") || String(mark) == "p", hour < 12 { hour += 12 }
    if words.hasPrefix("am") || (String(mark) == "a" && rest.first == "a"), hour == 12 { hour = 0 }
    let isUniversal =
      rest.first == "z" && !(rest.dropFirst().first?.isLetter ?? false) && characters[index] == ":"
    if let sign = rest.first, "+-".contains(sign), digits(end + 1) == 2 {
      end += 3
      if end < characters.count, characters[end] == ":" { end += 1 + digits(end + 1) }
    }
    return PrintedClock(
      minutes: hour * 60 + minute, isUniversal: isUniversal, range: start..<end)
  }

  /// Returns a line without the spaces around a colon between digits: `15 : 21`.
  static func closed(_ line: String) -> String {
    guard line.contains(" :") || line.contains(": ") else { return line }
    let characters = Array(line)
    let isDigit = { (place: Int?) in place.map { characters[$0].isASCIIDigit } ?? false }
    var closed: [Character] = []
    var index = 0
    while index < characters.count {
      guard characters[index] == " " || characters[index] == ":" else {
        closed.append(characters[index])
        index += 1
        continue
      }
      var end = index
      while end < characters.count, characters[end] == " " || characters[end] == ":" { end += 1 }
      let gap = characters[index..<end]
      let isClock =
        gap.count(where: { $0 == ":" }) == 1 && isDigit(index > 0 ? index - 1 : nil)
        && isDigit(end < characters.count ? end : nil)
      closed += isClock ? [":"] : Array(gap)
      index = end
    }
    return String(closed)
  }
}

extension PrintedDay {
  /// Takes the order in which the other days of the receipt are written, if all of them have one, or the
  /// day that it also prints in another way.
  fileprivate mutating func settle(among days: [PrintedDay]) {
    guard let other else { return }
    let clear = days.filter { $0.other == nil }
    let orders = Set(clear.compactMap(\.monthFirst))
    let written = Set(clear.filter { $0.monthFirst == nil }.map(\.day))
    if orders.count == 1, let first = orders.first {
      if first != monthFirst { day = other }
    } else if written.contains(other) != written.contains(day) {
      if written.contains(other) { day = other }
    } else {
      return
    }
    self.other = nil
  }
}

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
    var characters = Array(line)
    for place in clocks.joined() where place < characters.count { characters[place] = "!" }
    var parts: [Written] = []
    var index = 0
    var gap = ""
    while index < characters.count {
      let start = index
      let isDigit = characters[index].isASCIIDigit
      guard isDigit || characters[index].isLetter else {
        gap.append(characters[index])
        index += 1
        continue
      }
      let rest = characters[index...]
      index += rest.prefix { isDigit ? $0.isASCIIDigit : $0.isLetter }.count
      let word = fold(String(characters[start..<index]))
      if isDigit {
        add(.number(Int(word) ?? 0, digits: word.count), start..<index)
      } else if let month = ReceiptWords.months[word] {
        add(.month(month), start..<index)
      } else if !["de", "del", "th", "st", "nd", "rd"].contains(word) {
        gap += "!!!!"
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
}
