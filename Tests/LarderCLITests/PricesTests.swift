import TestSupport
import Testing

@testable import LarderCLI

@Suite("What things cost")
struct PricesTests {
  /// A household that bought milk in two shops for more than a year.
  static func household() throws -> Nest {
    let nest = try Nest()
    try nest.prepare(
      "stock new Milk 0l", "stock new Rice 0g", "stock new Eggs",
      "receipt save --shop Aldi --at 2025-10-20 --line milk=2l@@2.00 --line rice=500g@@1.25",
      "receipt save --shop Rewe --at 2026-08-01 --line milk=500ml@@0.75",
      "receipt save --shop Aldi --at 2026-11-10 --line milk=3l@@3.60 --line eggs=3@@1",
      "receipt save --shop Rewe --at 2026-11-12 --line milk=1l@@1.30 --line eggs")
    return nest
  }

  @Test("a line that says no amount has no price per kilogram")
  func noAmount() throws {
    let nest = try Nest()
    try nest.prepare("stock new Butter 500g", "location new Fridge")
    try nest.larder.folder.write(
      "CORNER SHOP\nButter 1,99\nSalt 0,89\nTOTAL 2,88\n02.11.2026 10:00\n", to: "receipt.txt")
    try nest.prepare("receipt read ../receipt.txt", "stock discard butter 250g")
    #expect(try !nest("prices butter").output.contains("per kg"))
    #expect(try nest("prices butter").output.contains("1.99 EUR per piece"))
    #expect(try nest("waste --plain").records.first?[4] == "")
    #expect(try nest("show butter").output.contains("250 g"))
  }

  @Test("each purchase has its price per litre or kilogram, and per piece")
  func perUnit() throws {
    let nest = try Self.household()
    #expect(
      try nest("prices milk --plain").records.map { $0.prefix(8) } == [
        ["2026-11-12", "Rewe", "1", "liter", "1.3", "EUR", "1.3", "liter"],
        ["2026-11-10", "Aldi", "3", "liter", "3.6", "EUR", "1.2", "liter"],
        ["2026-08-01", "Rewe", "500", "milliliter", "0.75", "EUR", "1.5", "liter"],
        ["2025-10-20", "Aldi", "2", "liter", "2", "EUR", "1", "liter"],
      ])
    #expect(try nest("prices rice --plain").records.map { $0[6...7] } == [["2.5", "kilogram"]])
    #expect(try nest("prices eggs --plain").records.map { $0[6...7] } == [["0.333333", "piece"]])
  }

  @Test("it says the course, the shop that was cheapest last, and the change in a year")
  func course() throws {
    let nest = try Self.household()
    #expect(
      try nest("prices milk").output == """
        Milk
          last price: 1.30 EUR per l (Rewe, 2026-11-12)
          course: 1.00 to 1.50 EUR in 4 purchases
          cheapest: Aldi, 1.20 EUR per l on 2026-11-10
          a year ago: 1.00 EUR on 2025-10-20, +30 % since

        Day         Shop  Quantity     Price        Per unit
        2026-11-12  Rewe       1 l  1.30 EUR  1.30 EUR per l
        2026-11-10  Aldi       3 l  3.60 EUR  1.20 EUR per l
        2026-08-01  Rewe    500 ml  0.75 EUR  1.50 EUR per l
        2025-10-20  Aldi       2 l  2.00 EUR  1.00 EUR per l

        """)
    let told = try nest("prices eggs")
    #expect(!told.output.contains("a year ago") && !told.output.contains("cheapest"))
    #expect(told.errors == "1 more line of it has no price\n")
  }

  @Test("prices in another currency or unit are a course of their own")
  func apart() throws {
    let nest = try Self.household()
    try nest.prepare(
      "receipt save --shop Spar --at 2026-11-13 --currency CHF --line milk=1l@@2",
      "receipt save --shop Rewe --at 2026-11-14 --line rice=1kg@@2")
    let courses = try nest("prices milk --json").array("courses")
    #expect(courses.map { $0["currency"] as? String } == ["CHF", "EUR"])
    #expect(courses.map { $0["purchases"] as? Int } == [1, 4])
    #expect(try nest("prices rice --json").array("courses").map { $0["purchases"] as? Int } == [2])
  }

  @Test("what is no item has prices by its name on receipts, and an unknown name is told")
  func named() throws {
    let nest = try Self.household()
    try nest.prepare("receipt save --shop Aldi --line 'Birthday candles=10@@2'")
    #expect(try nest("prices candles --plain").records.map { $0[6] } == ["0.2"])
    #expect(try nest("prices 'birthday candles' --json").json()["itemId"] == nil)
    let unknown = try nest("prices mlik")
    #expect(unknown.code == 3)
    #expect(unknown.errors.contains("did you mean 'Milk'?"))
    try nest.prepare("stock new Salt")
    #expect(try nest("prices salt").errors == "no receipt has a price of Salt\n")
  }

  @Test("a period behind the thing, or alone, says which purchases are shown")
  func periods() throws {
    let nest = try Self.household()
    try nest.prepare("stock new 'Oat milk' 1l", "stock new 'Glue 2026'")
    #expect(
      try nest("prices milk november --plain").records.map { $0[0] } == [
        "2026-11-12", "2026-11-10",
      ])
    #expect(try nest("prices milk 2025 --plain").records.map { $0[0] } == ["2025-10-20"])
    #expect(try nest("prices 2025 --plain").records.map { $0[0] } == ["Milk", "Rice"])
    #expect(try nest("prices oat milk last month").errors.contains("no receipt has a price of Oat"))
    #expect(try nest("prices glue 2026").errors == "no receipt has a price of Glue 2026\n")
    #expect(try nest("prices milk 2025 --since 2026").code == 2)
    #expect(try nest("prices mlik last month").errors.contains("no item is called 'mlik'"))
  }

  @Test("without a name, everything that was bought is listed, the most frequent first")
  func all() throws {
    let nest = try Self.household()
    let rows = try nest("prices --plain").records
    #expect(rows.map { $0[0] } == ["Milk", "Eggs", "Rice"])
    #expect(rows[0].prefix(8) == ["Milk", "1.3", "EUR", "liter", "4", "2026-11-12", "30", "Aldi"])
    #expect(try nest("prices --limit 1").errors == "and 2 more; '--limit 0' shows all\n")
  }

  @Test("the list says what it will cost, by shop, and of what no price is known")
  func basket() throws {
    let nest = try Self.household()
    try nest.prepare("buy milk 4l", "buy rice 750g", "buy jam", "buy eggs 6", "got milk")
    let shown = try nest("shop list --prices")
    #expect(
      shown.output == """
             Quantity  Entry     About
        [ ]         6  Eggs   2.00 EUR
        [ ]         1  jam
        [ ]     750 g  Rice   1.88 EUR
        [x]       4 l  Milk   5.20 EUR

        At the last prices in   Known     About
        any shop               3 of 4  9.08 EUR
        Aldi                   3 of 4  8.68 EUR
        Rewe                   1 of 4  5.20 EUR

        """)
    #expect(shown.errors == "no price is known of jam\n")
    #expect(
      try nest("shop list --prices milk --plain").records
        == [
          ["", "5.2", "EUR", "1", "1"], ["Aldi", "4.8", "EUR", "1", "1"],
          ["Rewe", "5.2", "EUR", "1", "1"],
        ])
    let json = try nest("shop list --prices --json")
    let prices = try json.array("items").map { ($0["prices"] as? [[String: Any]])?.count }
    #expect(prices == [1, 0, 1, 2])
    let plain = try nest("shop list --json").array("items")
    #expect(plain.count == 4 && plain.allSatisfy { $0["prices"] == nil })
  }
}
