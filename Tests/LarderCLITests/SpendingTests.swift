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
