import TestSupport
import Testing

@testable import LarderCLI

@Suite("The products' commands")
struct ProductCommandTests {
  static func stockedWithItems() throws -> Nest {
    let nest = try Nest()
    try nest.prepare("stock new 'Oat milk' --unit l", "stock new Milk --unit l", "stock new Rice")
    return nest
  }

  static let parts: [SessionPart] = [
    SessionPart(
      "a new product has a sound number that no other has", golden: "product-new.txt",
      [
        "product",
        "product new 4006381333931 --title 'Oat Drink' --brand Hafer --pack-size 1l "
          + "--best-after-opening 5 --image https://example.org/oat.jpg --item oat",
        "product new 036000291452 --title 'Whole Milk' --brand Lindale --pack-size 2l --barcode "
          + "10036000291459 --barcode 0036000291452",
        "product new shop-7 --title 'Rice, loose' --item rice",
        "product new ' ' --title x",
        "product new 96385074",
        "product new 96385074 --title ''",
        "product new 96385075 --title 'Short Grain'",
        "product new 0036000291452 --title Again",
        "product new 96385074 --title Again --barcode 4006381333931",
        "product new 96385074 --title Again --barcode 4006381333932",
        "product new 96385074 --title Again --item nothing",
        "product new 96385074 --title Again --pack-size 0",
        "product new 96385074 --title Again --pack-size 1big.pack",
        "product new 96385074 --title Again --best-after-opening soon",
        "product",
      ]),
    SessionPart(
      "products are listed, filtered and shown by any of their names", golden: "product-list.txt",
      [
        "product list item:",
        "product list brand:hafer --sort pack-",
        "product list barcode:036000291452",
        "product list 'pack:>1.5l'",
        "product list brnd:x",
        "product show oat",
        "product show 'LINDALE WHOLE MILK'",
        "product show 04006381333931",
        "product show milk",
      ]),
    SessionPart(
      "what is known of a product is corrected", golden: "product-edit.txt",
      [
        "product edit milk --item milk",
        "product edit 'oat drink' --item milk",
        "product edit milk --pack-size 500ml --brand '' --set shelf=3",
        "product edit milk --pack-size 1",
        "product edit milk --pack-size 500",
        "product edit milk --pack-size ''",
        "product edit milk --barcode 96385074 --title 'Full Milk'",
        "product edit milk --barcode 96385075",
        "product edit milk --barcode 4006381333931",
        "product edit milk --set barcodes='[\"96385075\"]'",
        "product edit milk --set id=x",
        "product edit milk --set titel=x",
        "product edit milk",
        "product edit nothing --brand x",
        "product edit milk oat --title Same",
        "product edit milk oat --best-after-opening 4",
        "product edit milk oat loose --best-after-opening 3",
        "product edit milk oat loose --best-after-opening 3 --yes",
      ]),
    SessionPart(
      "an archived product can be restored while its numbers are free",
      golden: "product-archive.txt",
      [
        "product archive milk loose",
        "product",
        "product list is:archived",
        "product show 'full milk'",
        "product edit milk --brand x",
        "product new 036000291452 --title Again",
        "product new shop-8 --title Other --barcode 96385074",
        "product restore 'full milk'",
        "product archive other",
        "product restore 'full milk'",
        "product restore 'full milk'",
        "product restore nothing",
        "undo",
        "stock use shop-7",
      ]),
  ]

  @Test(
    "a session with every verb says what each did, and what went wrong", arguments: parts.indices)
  func session(part: Int) throws {
    let nest = try Self.stockedWithItems()
    try nest.expect(part, of: Self.parts)
    #expect(try nest("check").code == 0)
  }

  @Test("a new product and the item that it counts as are one commit, which undo takes back")
  func oneCommit() throws {
    let nest = try Nest()
    try nest.prepare("stock new Milk --unit l --in-stock 2")
    let made = try nest("product new 5032987400110 --title 'Whole Milk' --item milk --json")
    #expect(try made.array("changed").map { $0["kind"] as? String } == ["Product", "StockItem"])
    #expect(
      try made.array("changed").first?["path"] as? String == "products/whole-milk-400110.json")
    #expect(try nest.subjects().count == 3)
    #expect(try nest("stock use 5032987400110 1l").code == 0)
    try nest.prepare("undo", "undo")
    #expect(try nest("product --plain").records.isEmpty)
    #expect(try nest("stock use 5032987400110").code == 3)
    #expect(try nest("product new 5032987400110 --title Milk").errors.contains("product restore"))
    try nest.prepare("redo", "product show 5032987400110", "stock use 5032987400110 1l")
  }

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

  @Test("two devices that scan one barcode, each in its own form, make one product")
  func twoDevices() throws {
    let pair = try Pair("stock new Tissues", "stock new Soap")
    try pair.prepare("laptop", "product new 036000291452 --title Tissues --item tissues")
    try pair.prepare("phone", "product new 0036000291452 --title 'Paper Tissues' --item tissues")
    try pair.settle()
    #expect(try pair("laptop", "product --plain").records.map { $0[0] } == ["Paper Tissues"])
    #expect(try pair("phone", "stock show 036000291452 --plain").records.first?.last == "Tissues")
  }
}
