import Foundation
import TestSupport
import Testing

@testable import LarderCLI

@Suite("What was spent")
struct SpendingTests {
  /// A household with receipts of two shops, in two months and two currencies.
  static func household() throws -> Nest {
    let nest = try Nest()
    try nest.prepare(
      "stock new Milk 0l --category Dairy", "stock new Cheese 0kg --category dairy",
      "stock new Bread",
      "receipt save --shop Aldi --at 2026-10-03 --line milk=2l@@3.10 --line 'Candles=1@@2.05'",
      "receipt save --shop Aldi --at '2026-11-01 00:30' --amount 12 --line cheese=1kg@@9.99 "
        + "--line bread@1.10",
      "receipt save --shop Rewe --at 2026-11-02 --amount 5.50 --line milk=1l@@1.50 --line bread",
      "receipt save --shop Boots --at 2026-11-03 --currency GBP --amount 4.20 --line soap@4.20",
      "receipt save --shop Rewe --at 2026-11-04 --amount 1000 --line bread=1@@1000",
      "receipt void 'rewe 2026-11-04'")
    return nest
  }

  @Test("months add up the totals of receipts, each currency alone, and void receipts don't count")
  func months() throws {
    let nest = try Self.household()
    #expect(
      try nest("spending --plain").records == [
        ["month", "2026-10", "5.15", "EUR", "1", ""], ["month", "2026-11", "17.5", "EUR", "2", ""],
        ["month", "2026-11", "4.2", "GBP", "1", ""],
      ])
    let shown = try nest("spending").output
    #expect(
      shown == """
        Month    Receipts      Spent
        2026-10         1   5.15 EUR
        2026-11         2  17.50 EUR
        2026-11         1   4.20 GBP
        Together: 22.65 EUR on 3 receipts, 4.20 GBP on 1 receipt

        """)
  }

  @Test("a period is said in words, or by its first and its last day")
  func periods() throws {
    let nest = try Self.household()
    for words in [
      "spending 2026-10", "spending october", "spending last month",
      "spending --since oct --until oct",
      "spending --until 'last month'",
    ] {
      let rows = try nest(words + " --plain").records
      #expect(rows.map { $0[1] } == ["2026-10"], "\(words)")
    }
    #expect(try nest("spending 2026 --plain").records.count == 3)
    #expect(try nest("spending 2025 --plain").records.isEmpty)
    #expect(try nest("spending 2026 --since oct").code == 2)
    #expect(try nest("spending milk").errors.contains("'milk' is no period"))
    #expect(try nest("spending milk").errors.contains("'larder prices milk' tells"))
    #expect(try nest("waste milk 1l").errors.contains("'larder stock discard milk 1l' records"))
    #expect(try nest("spend").errors.contains("did you mean 'larder spending'?"))
    #expect(try nest("spend milk").errors.contains("did you mean 'larder use milk'?"))
  }

  @Test("shops are one whatever the case of their names, the latest spelling is shown")
  func shops() throws {
    let nest = try Self.household()
    try nest.write(
      #"{"shopName": "ALDI", "timestamp": "2026-11-05T12:00:00Z", "amount": 1}"#,
      to: "receipts/by-hand.json")
    let rows = try nest("spending --by shop --plain").records.map { $0.prefix(3) }
    #expect(
      rows == [["shop", "ALDI", "18.15"], ["shop", "Rewe", "5.5"], ["shop", "Boots", "4.2"]])
  }

  @Test("categories add up prices, and what totals have beyond them is a row of its own")
  func categories() throws {
    let nest = try Self.household()
    let rows = try nest("spending --by category --plain").records.map { $0.prefix(4) }
    #expect(
      rows == [
        ["category", "Dairy", "14.59", "EUR"], ["noCategory", "", "3.15", "EUR"],
        ["rest", "", "4.91", "EUR"], ["noCategory", "", "4.2", "GBP"],
      ])
    let told = try nest("spending --by category")
    #expect(told.output.contains("(on no line with a price)"))
    #expect(told.errors == "1 line has no price\n")
  }

  @Test("the rows of each grouping add up to the same totals, exactly")
  func sums() throws {
    let nest = try Self.household()
    try nest.prepare(
      "receipt save --shop Aldi --at 2026-11-05 --line milk=0.3l@@0.1 --line cheese=1kg@@0.2",
      "receipt save --shop Aldi --at 2026-11-05 --amount 10 --line milk=1l@@12 --line bread@-1.5")
    for grouping in ["month", "shop", "category", "item"] {
      let json = try nest("spending --by \(grouping) --json")
      #expect(json.output.contains(#"{ "amount": 32.95, "currency": "EUR", "receipts": 5, "#))
      let cents = try nest("spending --by \(grouping) --plain").records.filter { $0[3] == "EUR" }
        .map { row in Decimal(string: row[2]) ?? .nan }.reduce(0, +)
      #expect(cents == Decimal(string: "32.95"), "\(grouping)")
    }
  }

  @Test("a plain line counts for the item that has its name now")
  func namedLater() throws {
    let nest = try Self.household()
    try nest.prepare("stock new Candles --category Party")
    let rows = try nest("spending --by item --until 2026-10-31 --plain").records
    #expect(rows.map { $0[0] } == ["item", "item"])
    #expect(rows.map { $0[1] } == ["Milk", "Candles"])
    #expect(try nest("spending --by category --plain").output.contains("category\tParty\t2.05"))
  }

  @Test("the days are those of the household's zone, and both ends are included")
  func period() throws {
    let nest = try Self.household()
    let rows = try nest("spending --by shop --since 2026-11-01 --until 2026-11-01 --plain").records
    #expect(rows.map { $0[2] } == ["12"])
    let none = try nest("spending --since 2027-01-01")
    #expect(none.code == 0 && none.output.isEmpty && none.errors == "no receipts to add up\n")
    let wrong = try nest("spending --since 2026-11-02 --until 2026-11-01")
    #expect(wrong.code == 2)
    #expect(wrong.errors.contains("2026-11-01 is before 2026-11-02"))
    #expect(try nest("spending --by week").errors.contains("month, shop, category, item"))
  }

  @Test("a receipt without a total, and not all prices, is told of")
  func incomplete() throws {
    let nest = try Nest()
    try nest.prepare(
      "stock new Milk 1l", "receipt save --shop Aldi --line milk=1l@@1.10 --line bread",
      "receipt save --shop Aldi --line milk=2l@@2.20")
    let told = try nest("spending")
    #expect(told.output.contains("Together: 3.30 EUR on 2 receipts"))
    #expect(
      told.errors
        == "1 receipt says no total, and not the price of every line: more was spent\n")
  }

  @Test("a spreadsheet gets the columns of --plain, and no formula")
  func csv() throws {
    let nest = try Self.household()
    #expect(
      try nest("spending --by shop --csv").output
        == "kind,name,amount,currency,receipts,itemId\r\nshop,Aldi,17.15,EUR,2,\r\n"
        + "shop,Rewe,5.5,EUR,1,\r\nshop,Boots,4.2,GBP,1,\r\n")
    try nest.prepare("receipt save --shop '=1+1, Ltd' --at 2026-11-03 --line bread@1")
    #expect(
      try nest("spending --by shop --csv").output.contains("shop,\"'=1+1, Ltd\",1,EUR,1,\r\n"))
    #expect(try nest("prices bread --csv").output.hasPrefix("day,shop,quantity,unit,price,"))
    #expect(
      try nest("waste --csv").output == "name,quantity,unit,times,worth,currency,reasons,itemId\r\n"
    )
    let both = try nest("spending --csv --json")
    #expect(both.code == 2 && both.output.contains("only one of --csv and --json can be given"))
  }

  @Test("the greatest amounts, wrong years and lines of nothing are added up, and never a crash")
  func limits() throws {
    let nest = try Nest()
    let most = "999999999999999"
    for number in 0..<20 {
      try nest.write(
        """
        { "shopName": "S", "timestamp": "2026-01-01T00:00:00Z", "amount": \(most), "items": [
          { "itemName": "X", "quantity": 0.000001, "price": \(most) },
          { "itemName": "Y", "quantity": \(most), "price": 0.000001 }] }
        """, to: "receipts/\(number).json")
    }
    try nest.write(
      #"{ "shopName": "Old", "timestamp": "0001-01-01T00:00:00Z", "amount": 1, "items": [] }"#,
      to: "receipts/old.json")
    try nest.write(
      #"""
      { "shopName": "Far", "timestamp": "9998-12-31T20:00:00Z", "amount": -5, "items": [
        { "itemName": "X", "quantity": 0, "price": -3 }] }
      """#, to: "receipts/far.json")
    try nest.write(#"{ "name": "X" }"#, to: "shopping/x.json")
    let months = try nest("spending --plain").records.map { $0.prefix(3) }
    #expect(
      months == [
        ["month", "0001-01", "1"], ["month", "2026-01", "19999999999999980"],
        ["month", "9998-12", "-5"],
      ])
    for line in [
      "spending --by item", "spending --by category --csv", "prices", "prices x", "prices y",
      "shop list --prices", "waste", "report",
    ] {
      let outcome = try nest(line)
      #expect(outcome.code == 0, "\(line): \(outcome.errors)")
      #expect(outcome.output.utf8.count < 100_000, "\(line)")
    }
  }

  /// The cents of random receipts by the name of each row, added up without the program.
  private struct Plain {
    var sums: [String: [String: Int]] = [:]

    mutating func add(_ cents: Int, _ currency: String, _ names: [String: String]) {
      for (grouping, name) in names {
        sums["\(grouping) \(currency)", default: [:]][name, default: 0] += cents
      }
    }
  }

  @Test("random receipts add up as they do by hand")
  func random() throws {
    let seed = Seed.ofRun
    var generator = SeededGenerator(seed: seed)
    let nest = try Nest()
    var plain = Plain()
    for number in 0..<80 {
      let month = Int.random(in: 1...11, using: &generator)
      let shop = ["Aldi", "Rewe", "Spar"].randomElement(using: &generator) ?? ""
      let currency = ["EUR", "CHF"].randomElement(using: &generator) ?? ""
      let isVoid = Int.random(in: 0..<8, using: &generator) == 0
      var lines: [String] = []
      var known = 0
      for _ in 0..<Int.random(in: 0...6, using: &generator) {
        let name = ["Tea", "Jam", "Salt", "Rice"].randomElement(using: &generator) ?? ""
        let cents = Int.random(in: -300...5000, using: &generator)
        let hasPrice = Int.random(in: 0..<5, using: &generator) > 0
        let price = hasPrice ? ", \"price\": \(decimal(cents))" : ""
        lines.append("{ \"itemName\": \"\(name)\", \"quantity\": 1\(price) }")
        guard hasPrice, !isVoid else { continue }
        known += cents
        plain.add(cents, currency, ["item": name])
      }
      let amount =
        Bool.random(using: &generator) ? Int.random(in: 0...9000, using: &generator) : nil
      if !isVoid {
        let total = amount ?? known
        let key = "2026-" + (month < 10 ? "0" : "") + "\(month)"
        plain.add(total, currency, ["shop": shop, "month": key])
        if total != known { plain.add(total - known, currency, ["item": ""]) }
      }
      try nest.write(
        """
        { "shopName": "\(shop)", "timestamp": "2026-\(month < 10 ? "0" : "")\(month)-15T12:00:00Z",
          "currency": "\(currency)"\(amount.map { ", \"amount\": \(decimal($0))" } ?? ""),
          "isDeleted": \(isVoid), "items": [\(lines.joined(separator: ", "))] }
        """, to: "receipts/\(number).json")
    }
    for grouping in ["month", "shop", "item"] {
      for currency in ["EUR", "CHF"] {
        let rows = try nest("spending --by \(grouping) --plain").records.filter {
          $0[3] == currency
        }
        let cents = Dictionary(
          rows.map {
            ($0[1], NSDecimalNumber(decimal: (Decimal(string: $0[2]) ?? 0) * 100).intValue)
          },
          uniquingKeysWith: +)
        #expect(cents == plain.sums["\(grouping) \(currency)"], "seed \(seed): \(grouping)")
      }
    }
  }

  private func decimal(_ cents: Int) -> String {
    let sign = cents < 0 ? "-" : ""
    let rest = abs(cents) % 100
    return "\(sign)\(abs(cents) / 100).\(rest < 10 ? "0" : "")\(rest)"
  }
}
