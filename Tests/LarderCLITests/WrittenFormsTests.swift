import LarderKit
import TestSupport
import Testing

@testable import LarderCLI

@Suite("The help about amounts, days and filters")
struct WrittenFormsTests {
  /// A Saturday.
  private let calendar = HouseholdCalendar(
    timeZone: "Europe/Berlin", now: Instant("2026-11-21T12:00:00Z") ?? Instant(milliseconds: 0))

  /// The table of a topic: what people write, and its meaning.
  private func examples(of topic: HelpTopic) -> [(written: String, meaning: String)] {
    topic.text.split(separator: "\n").filter { $0.hasPrefix("  ") }.compactMap { line in
      let cells = line.dropFirst(2).split(separator: "  ", maxSplits: 1).map(String.init)
      return cells.count == 2 ? (cells[0], cells[1].trimmingPrefix { $0 == " " }.description) : nil
    }
  }

  @Test("every amount reads, and what is called the same is the same")
  func amounts() throws {
    var last: TypedAmount?
    for (written, meaning) in examples(of: Topics.amounts) {
      let amount = try TypedAmount(written)
      if meaning == "the same" { #expect(amount == last, "\(written)") }
      last = amount
    }
  }

  @Test("every day reads, and what is called the same is the same")
  func dates() throws {
    var last: Day?
    for (written, meaning) in examples(of: Topics.dates) {
      let day = try calendar.day(reading: written)
      if meaning.hasPrefix("the same") { #expect(day == last, "\(written)") }
      last = day
      let (year, month, number) = day.civil
      if meaning.hasSuffix("2026") {
        #expect(meaning == "\(number) \(HouseholdCalendar.monthNames[month - 1]) \(year)")
      }
    }
    #expect(calendar.day(typed: "3/4/2026") == nil)
  }

  @Test("every filter reads")
  func filters() throws {
    let nest = try Nest()
    try nest.prepare(
      "location new Freezer", "stock new Milk 2l --category Dairy",
      "put milk 1 --location freezer --expiry 2026-12-01")
    for (written, _) in examples(of: Topics.filters) {
      let words = written.contains(" ") ? written : "'\(written)'"
      #expect(try nest("stock list \(words)").code == 0, "\(written)")
    }
  }

  @Test("the topics are listed, shown, and named where something can't be read")
  func topics() throws {
    let nest = try Nest()
    try nest.prepare("stock new Milk 2l")
    let overview = try nest("help").output
    let mistakes = [
      "amounts": "stock new Tea 1,000", "dates": "put milk 1 --expiry 31.11.2026",
      "filters": "stock list 'total>many'",
    ]
    for (topic, line) in mistakes {
      #expect(overview.contains("  \(topic) "))
      #expect(try nest("help \(topic)").code == 0)
      let refused = try nest(line).errors
      #expect(refused.contains("'larder help \(topic)' shows how to write it"), "\(refused)")
    }
  }
}
