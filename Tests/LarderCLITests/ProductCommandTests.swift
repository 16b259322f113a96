import TestSupport
import Testing

@testable import LarderCLI

@Suite("The products' commands")
struct ProductCommandTests {
  @Test("lists and show have the item and the batches, in JSON and plain output too")
  func output() throws {
    let nest = try Nest()
    try nest.prepare(
      "stock new Milk --unit l",
      "product new 5032987400110 --title 'Whole Milk' --brand Lindale --pack-size 2l --item milk",
      "product new shop-7 --title Honey")
    for (name, day, amount, status) in [
      ("late", "2026-12-24", 2, "active"), ("early", "2026-11-20", 1, "active"),
      ("empty", "2026-10-01", 0, "active"), ("gone", "2026-09-01", 1, "discarded"),
    ] {
      try nest.write(
        """
        {"productRef": {"productId": "ean_5032987400110"}, "status": "\(status)",
         "quantity": {"value": \(amount), "unit": "liter"},
         "expiryInfo": {"kind": "expiry", "isoDate": "\(day)"}}
        """, to: "batches/\(name).json")
    }
    try nest.prepare("adopt")
    #expect(
      try nest("product --plain").records == [
        ["Honey", "", "", "", "", "", "shop-7"],
        ["Whole Milk", "Lindale", "2", "liter", "Milk", "5032987400110", "ean_5032987400110"],
      ])
    let items = try nest("product --json").array("items")
    #expect(items.map { ($0["item"] as? [String: Any])?["name"] as? String } == [nil, "Milk"])
    #expect(items.map { $0["packSize"] as? Int } == [nil, 2])
    let shown = try nest("product show milk --json").json()["product"] as? [String: Any]
    let batches = try #require(shown?["batches"] as? [[String: Any]])
    #expect(batches.map { $0["path"] as? String } == ["batches/early.json", "batches/late.json"])
    #expect(try nest("product show milk --plain").records.contains(["pack", "2 l"]))
    let screen = try nest.atTerminal("product show milk").screen
    #expect(screen.contains("\u{1B}[31m2026-11-20\u{1B}[0m"))
    #expect(!screen.contains("batches/gone.json"))
    for line in ["edit milk --brand Other", "archive milk", "restore milk"] {
      #expect(try nest("product \(line) --json").array("changed").count == 1, "\(line)")
    }
    #expect(try nest("product restore milk --json").array("changed").isEmpty)
  }
}
