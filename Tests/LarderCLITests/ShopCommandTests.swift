import TestSupport
import Testing

@testable import LarderCLI

@Suite("The shopping list's commands")
struct ShopCommandTests {
  static func stocked() throws -> Nest {
    let nest = try Nest()
    try nest.prepare(
      "stock new Eggs --full 12 --in-stock 6 --category Dairy",
      "stock new Milk --unit l --full 6 --in-stock 2.5 --category Dairy",
      "stock new Rice --unit g --in-stock 500")
    return nest
  }

  static let parts: [SessionPart] = [
    SessionPart(
      "what is wanted is added or raised, one entry for each thing", golden: "shop-add.txt",
      [
        "shop",
        "shop buy milk",
        "shop buy MILK 2l",
        "shop buy milk 2000ml",
        "shop buy rice",
        "shop buy eggs 6 --note 'free range'",
        "shop buy 'Light bulb E27' 2",
        "shop buy 'light bulb e27' 3",
        "shop buy 'Birthday candles'",
        "shop buy Mlik",
        "shop",
        "shop buy eggs 2kg",
        "shop buy eggs 0",
        "shop buy ' '",
        "shop remove mlik rice",
        "shop remove nothing",
      ]),
    SessionPart(
      "what is in the basket can be put back", golden: "shop-basket.txt",
      [
        "shop got milk eggs",
        "shop got milk",
        "shop got nothing",
        "shop got i",
        "shop",
        "shop list is:done",
        "shop list is:open bulb",
        "shop list is:don",
        "shop undone eggs",
        "shop undone eggs",
      ]),
    SessionPart(
      "what is missing is filled up, and entries are edited and restored", golden: "shop-edit.txt",
      [
        "shop fill",
        "shop fill",
        "shop edit eggs 10",
        "shop edit eggs --note ''",
        "shop edit eggs --name Ova",
        "shop edit candles --name Candles",
        "shop edit milk 1kg",
        "shop edit milk",
        "shop edit milk --unit ml",
        "shop restore mlik",
        "shop restore mlik",
        "shop restore nothing",
        "shop list --all --sort name",
      ]),
  ]

  @Test("a session says how the list stands, and what went wrong", arguments: parts.indices)
  func session(part: Int) throws {
    let nest = try Self.stocked()
    try nest.expect(part, of: Self.parts)
  }

  @Test("an item has one entry, whoever puts it on the list")
  func oneEntry() throws {
    let nest = try Self.stocked()
    try nest.prepare("shop buy milk 1", "shop remove milk", "shop buy milk 2", "shop buy milk 3")
    try nest.prepare("stock use milk 2.5", "shop fill")
    let entries = try nest("shop list --all --json").array("items")
    #expect(entries.filter { $0["name"] as? String == "Milk" }.count == 1)
    let milk = try #require(entries.first { $0["name"] as? String == "Milk" })
    #expect(milk["desiredQuantity"] as? Int == 6)
  }

  @Test("what comes to nothing goes onto the list by itself")
  func zeroStock() throws {
    let nest = try Self.stocked()
    let used = try nest("stock use eggs 6")
    #expect(
      used.output == "used 6 of Eggs, none left\nEggs is on the shopping list: 12\n")
    #expect(
      try nest("shop --plain").records.map { [$0[0], $0[1], $0[2]] } == [["open", "Eggs", "12"]])
  }

  @Test("JSON and plain output for every verb")
  func forms() throws {
    let nest = try Self.stocked()
    for line in [
      "buy eggs", "got eggs", "undone eggs", "edit eggs 3", "remove eggs", "restore eggs", "fill",
    ] {
      let changed = try nest("shop \(line) --json").array("changed")
      #expect(changed.allSatisfy { $0["kind"] as? String == "ShoppingListEntry" }, "\(line)")
      #expect(!changed.isEmpty, "\(line)")
    }
    for line in [
      "buy rice", "got rice", "undone rice", "edit rice 3", "remove rice", "restore rice",
    ] {
      #expect(try nest("shop \(line) --plain").records.map { $0.last } == ["Rice"], "\(line)")
    }
    let entry = try #require(try nest("shop list rice --json").array("items").first)
    #expect(entry["name"] as? String == "Rice")
    #expect(entry["desiredQuantity"] as? Int == 3)
    #expect(entry["unit"] as? String == "gram")
    #expect(try nest("shop got nothing --json").errorKind() == "notFound")
    #expect(try nest("shop got i --json").errorKind() == "ambiguous")
    #expect(try nest("shop buy eggs 1l --json").errorKind() == "usage")
  }
}
