import TestSupport
import Testing

@testable import LarderCLI

@Suite("What was thrown away, and how long things last")
struct WasteTests {
  /// Runs lines, each at a day of November 2026 at noon.
  private func live(_ nest: inout Nest, _ lines: (day: Int, line: String)...) throws {
    for (day, line) in lines {
      nest.larder.now = "2026-11-\(day < 10 ? "0" : "")\(day)T12:00:00Z"
      try nest.prepare(line)
    }
  }

  @Test("each thing has its amount, its worth by the prices paid, and the reasons")
  func waste() throws {
    var nest = try Nest()
    try live(
      &nest, (1, "stock new Milk 0l"), (1, "stock new Eggs 12"),
      (2, "receipt save --shop Aldi --line milk=4l@@4.00"), (3, "put milk 1l --expiry 2026-11-20"),
      (4, "stock discard milk 0.5 --reason sour"), (5, "stock discard milk 0.5 --reason Sour"),
      (6, "receipt save --shop Aldi --line milk=1l@@1.20"), (7, "stock discard milk 500ml"),
      (8, "stock discard eggs 2 --reason broken"), (9, "stock discard eggs 1"), (9, "undo"),
      (10, "use milk 1"), (10, "count milk 0.5"))
    let shown = try nest("waste")
    #expect(
      shown.output == """
        Item  Thrown away  Times     Worth  Why
        Milk        1.5 l      3  1.60 EUR  sour (2×)
        Eggs            2      1            broken
        Together: 1.60 EUR, 3 times

        """)
    #expect(shown.errors == "no price is known of 1 of 4 times\n")
    #expect(
      try nest("waste --since 2026-11-05 --until 2026-11-07 --plain").records.map { $0.prefix(7) }
        == [["Milk", "1", "liter", "2", "1.1", "EUR", "Sour"]])
    let events = try nest("waste --json").array("events")
    #expect(events.map { $0["worth"] as? Double } == [0.5, 0.5, 0.6, nil])
    #expect(events.map { $0["reason"] as? String } == ["sour", "Sour", nil, "broken"])
  }

  @Test("nothing thrown away is no error, and what is brought back does not count")
  func nothing() throws {
    var nest = try Nest()
    try live(
      &nest, (1, "stock new Milk 1l --expiry 2026-11-20"), (2, "stock discard milk 1l"),
      (3, "stock restore milk --batch 2026-11-20"))
    let outcome = try nest("waste")
    #expect(outcome.code == 0 && outcome.output.isEmpty)
    #expect(outcome.errors == "nothing was thrown away\n")
  }

  @Test("only uses make the pace: no counts, no waste, no moves, and nothing undone")
  func pace() throws {
    var nest = try Nest()
    try live(
      &nest, (1, "location new Fridge"), (1, "stock new Milk 20l"), (2, "use milk 1l"),
      (3, "use milk 1l"), (4, "put milk 4 --location fridge --expiry 2026-12-30"),
      (5, "use milk 1l"), (6, "stock discard milk 2l"), (7, "use milk 9l"), (7, "undo"),
      (8, "count milk 10"), (9, "stock move milk fridge 1"), (10, "use milk 4l"))
    // Seven litres in ten days, and six are left.
    let shown = try nest("show milk").output
    #expect(shown.contains("\n  used: about 4.9 l a week\n  lasts: about 9 days\n"), "\(shown)")
    let item = try #require(try nest("show milk --json").json()["item"] as? [String: Any])
    let pace = try #require(item["pace"] as? [String: Any])
    #expect(pace["perWeek"] as? Double == 4.9)
    #expect([pace["used"], pace["days"], pace["uses"]] as? [Int] == [7, 10, 4])
    #expect(item["lastsDays"] as? Int == 9)
    #expect(try nest("show milk --plain").records.contains(["lasts", "about 9 days"]))
  }

  @Test("a pace is told from three uses and seven days on, and forgets what is long ago")
  func fewUses() throws {
    var nest = try Nest()
    try live(&nest, (1, "stock new Milk 20l"), (2, "use milk 1"), (2, "use milk 1"))
    #expect(!(try nest("show milk").output.contains("used:")))
    try live(&nest, (3, "use milk 1"))
    #expect(!(try nest("show milk").output.contains("used:")))
    try live(&nest, (7, "use milk 1"))
    #expect(try nest("show milk").output.contains("used: about 4 l a week"))
    nest.larder.now = "2027-03-01T12:00:00Z"
    #expect(try nest("show milk").output.contains("used: about 0.99 l a month"))
    nest.larder.now = "2027-12-01T12:00:00Z"
    #expect(!(try nest("show milk").output.contains("used:")))
  }

  @Test("due marks what will not be used by its last day, what expires first before the rest")
  func leftOver() throws {
    var nest = try Nest()
    try live(
      &nest, (1, "stock new Milk 10l"), (2, "use milk 4l"), (6, "use milk 3l"),
      (10, "use milk 3l"), (10, "put milk 2 --expiry 2026-11-11"),
      (10, "put milk 5 --expiry 2026-11-14"), (10, "put milk 1 --expiry 2026-11-20"),
      (10, "stock new Jam 3 --expiry 2026-11-12"))
    // A litre a day: two by the 11th, three more by the 14th, so two are left of five.
    let rows = try nest("due --plain").records
    #expect(
      rows.map { [$0[0], $0[3], $0[8]] } == [
        ["Milk", "2026-11-11", ""], ["Jam", "2026-11-12", ""], ["Milk", "2026-11-14", "2"],
        ["Milk", "2026-11-20", ""],
      ])
    let shown = try nest("due").output
    #expect(shown.contains("Milk    5 l  about 2 l"), "\(shown)")
    let items = try nest("due --json").array("items")
    #expect(items.map { $0["leftOver"] as? Int } == [nil, nil, 2, nil])
  }

  @Test("what has no last day hides nothing that will be left over")
  func withoutLastDay() throws {
    var nest = try Nest()
    try live(
      &nest, (1, "stock new Rice 10kg"), (2, "use rice 1kg"), (6, "use rice 1kg"),
      (10, "use rice 1kg"), (10, "put rice 1 --packaged 2025-06-01"),
      (10, "put rice 9 --expiry 2026-11-13"))
    #expect(try nest("due --plain").records.map { $0[8] } != [""])
  }

  @Test("what one command takes of several batches is thrown away once")
  func atOnce() throws {
    let nest = try Nest()
    try nest.prepare(
      "stock new Butter 2", "put butter 3 --expiry 2026-12-01",
      "stock discard butter all")
    #expect(try nest("waste --plain").records.map { $0[0...3] } == [["Butter", "5", "piece", "1"]])
  }
}
