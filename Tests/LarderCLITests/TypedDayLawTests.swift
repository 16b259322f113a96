import LarderKit
import Seeded
import TestSupport
import Testing

@Suite("Days that are drawn at random")
struct TypedDayLawTests {
  /// A Saturday.
  private let calendar = HouseholdCalendar(
    timeZone: "Europe/Berlin", now: Instant("2026-11-21T12:00:00Z") ?? Instant(milliseconds: 0))

  @Test("what is written in any form is read back", arguments: TypedAmountLawTests.seeds)
  func readBack(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<20 {
      let day = calendar.today.adding(days: random.number(-10_000...20_000))
      for text in forms(of: day) {
        #expect(calendar.day(typed: text) == day, "\(text)")
        #expect(calendar.day(typed: text.uppercased(), .back) == day, "\(text)")
      }
      let ahead = calendar.today.adding(days: random.number(0...364))
      for text in formsWithoutYear(of: ahead) {
        #expect(calendar.day(typed: text) == ahead, "\(text)")
      }
      let back = calendar.today.adding(days: -random.number(0...364))
      for text in formsWithoutYear(of: back) {
        #expect(calendar.day(typed: text, .back) == back, "\(text)")
      }
    }
  }

  @Test(
    "a period is a year, a month, a week, a day, or what is between then and today",
    arguments: [
      ("2025", "2025-01-01", "2025-12-31"), ("2026-02", "2026-02-01", "2026-02-28"),
      ("02/2024", "2024-02-01", "2024-02-29"), ("Feb 2024", "2024-02-01", "2024-02-29"),
      ("november", "2026-11-01", "2026-11-30"), ("dec", "2025-12-01", "2025-12-31"),
      ("last month", "2026-10-01", "2026-10-31"), ("this month", "2026-11-01", "2026-11-30"),
      ("Last Year", "2025-01-01", "2025-12-31"), ("this year", "2026-01-01", "2026-12-31"),
      ("this week", "2026-11-16", "2026-11-22"), ("last week", "2026-11-09", "2026-11-15"),
      ("yesterday", "2026-11-20", "2026-11-20"), ("fri", "2026-11-20", "2026-11-20"),
      ("24.12.", "2025-12-24", "2025-12-24"), ("30d", "2026-10-22", "2026-11-21"),
      ("2 weeks", "2026-11-07", "2026-11-21"), ("1y", "2025-11-21", "2026-11-21"),
    ])
  func periods(text: String, first: String, last: String) throws {
    let period = try calendar.period(reading: text)
    #expect("\(period.lowerBound) \(period.upperBound)" == "\(first) \(last)")
  }

  @Test("what is no period is refused, and a year is no day of a receipt or a package")
  func noPeriods() {
    for text in ["", "0999", "20266", "2026-13", "next month", "last", "last decade", "this"] {
      #expect(throws: DayMistake.self, "\(text)") { try calendar.period(reading: text) }
    }
    for direction in [HouseholdCalendar.Direction.ahead, .back] {
      for text in ["2026", "november", "last month"] {
        #expect(calendar.day(typed: text, direction) == nil, "\(text)")
      }
    }
  }

  /// Every way to write a day that has one meaning.
  private func forms(of one: Day) -> [String] {
    let (year, month, day) = one.civil
    let name = HouseholdCalendar.monthNames[month - 1]
    let short = String(name.prefix(3))
    let dates = [
      one.description, "\(year)-\(month)-\(day)", "\(day).\(month).\(year)",
      "\(two(day)).\(two(month)).\(year)", "\(day). \(month). \(year)", "\(day) \(name) \(year)",
      "\(short) \(day), \(year)", "\(day)-\(short)-\(year)", "\(day)\(short)\(year)",
      "\(year)/\(month)/\(day)",
    ]
    let compact = one.description.filter { $0 != "-" }
    let slashed = day > 12 || day == month ? ["\(day)/\(month)/\(year)"] : []
    let years =
      (2000...2099).contains(year)
      ? ["\(day).\(month).\(two(year % 100))", "\(day) \(short) \(two(year % 100))"] : []
    let isLast = one.adding(days: 1).civil.day == 1
    let months = [
      "\(month)/\(year)", "\(two(month)).\(year)", "\(short) \(year)", "\(year)-\(month)",
    ]
    let distance = one.daysSinceEpoch - calendar.today.daysSinceEpoch
    let distances =
      distance > 0
      ? ["\(distance)d", "in \(distance) days", "\(distance) day"] : ["\(distance) days"]
    return dates + [compact] + slashed + years + (isLast ? months : []) + distances
  }

  private func formsWithoutYear(of one: Day) -> [String] {
    let (_, month, day) = one.civil
    let name = HouseholdCalendar.monthNames[month - 1]
    let slashed = day > 12 ? ["\(day)/\(month)"] : []
    return slashed + [
      "\(two(month))-\(two(day))", "\(month)-\(day)", "\(day).\(month).",
      "\(two(day)).\(two(month))",
      "\(day) \(name.prefix(3))", "\(name) \(day)", "\(day). \(name)",
    ]
  }

  private func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  @Test("a text of a day's signs is read as its own numbers", arguments: TypedAmountLawTests.seeds)
  func oneMeaning(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let pieces = ["1", "12", "24", "3", "26", "2026", "00", "31", "may"]
    let signs = [".", "-", "/", " ", ". ", ", ", ""]
    var understood = 0
    for _ in 0..<100 {
      var text = ""
      for _ in 0..<random.number(2...4) {
        text += (random.pick(pieces) ?? "") + (random.pick(signs) ?? "")
      }
      guard let read = calendar.day(typed: text) else { continue }
      understood += 1
      let (year, month, day) = read.civil
      let numbers = numbers(in: text)
      let isLast = read.adding(days: 1).civil.day == 1
      let meanings = [
        [year, month, day], [year % 100, month, day], [month, day], isLast ? [year, month] : [],
      ].map { $0.sorted() }
      #expect(meanings.contains(numbers), "\(text) is read as \(read)")
    }
    #expect(understood > 0, "seed \(seed)")
  }

  /// Returns the numbers of a text, a month's name as its number, in order of their size.
  private func numbers(in text: String) -> [Int] {
    if text.count == 8, let whole = Int(text) {
      return [whole / 10_000, whole / 100 % 100, whole % 100].sorted()
    }
    let words = text.split(separator: "may", omittingEmptySubsequences: false)
    let digits = words.flatMap { $0.split { !$0.isNumber } }.compactMap { Int($0) }
    return (digits + Array(repeating: 5, count: words.count - 1)).sorted()
  }
}
