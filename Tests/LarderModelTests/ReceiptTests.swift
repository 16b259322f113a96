import LarderJSON
import LarderModel
import Testing

@Suite("Receipts replenish the stock, once")
struct ReceiptTests {
  private func entry(_ number: Int, _ desired: String = "2", unit: Unit = .piece) throws -> Entity {
    try entity(
      .shoppingListEntry,
      #"""
      "id": #\#(400 + number), "itemId": #\#(100 + number), "desiredQuantity": \#(desired),
      "unit": "\#(unit)", "isCompleted": true, "updatedAt": @2, "edited": {"isCompleted": @2}
      """#)
  }

  private func receipt(_ items: String, deleted: Bool = false, stamp: Int = 1) throws -> Entity {
    try entity(
      .receipt,
      #"""
      "items": \#(items), "isDeleted": \#(deleted), "updatedAt": @\#(stamp),
      "edited": {"items": @\#(stamp)}
      """#)
  }

  private func purchase(_ entries: [Entity]) -> Edit.Purchase {
    var purchase = Edit.Purchase(shop: "FairPrice")
    purchase.entries = entries
    return purchase
  }

  /// A receipt that goes through the given versions, one edit each.
  private func stockAfter(_ versions: [Entity], of start: Household) throws -> [String] {
    var edit = Edit(start)
    var old: Entity?
    var stocks: [String] = []
    for (index, version) in versions.enumerated() {
      edit.replenish(from: old, to: version, at: moment(12 + index), device: "phone")
      old = version
      stocks.append(
        try start.all(.stockItem).sorted { $0.id < $1.id }
          .map { try edit.after.stock(of: (Int($0.id.suffix(3)) ?? 0) - 100) }
          .joined(separator: " "))
    }
    return stocks
  }

  private let milk2 = #"[{"id": #9, "itemName": "Milk", "quantity": 2, "itemId": #100}]"#
  private let milk5 = #"[{"id": #9, "itemName": "Milk", "quantity": 5, "itemId": #100}]"#

  @Test("ticked entries become lines, stock and closed entries")
  func save() throws {
    let start = household(
      try item(loose: "1"), try item(1, unit: .kilogram), try entry(0),
      try entry(1, "500", unit: .gram))
    var edit = Edit(start)
    let receipt = try edit.save(
      purchase([try entry(0), try entry(1, "500", unit: .gram)]), by: writer())
    let line = Identifier.derived(fromName: "line/\(uuid(400))/\(moment(2))")
    let other = Identifier.derived(fromName: "line/\(uuid(401))/\(moment(2))")
    let names = [line, other].sorted().joined(separator: "/")
    #expect(receipt.id == Identifier.derived(fromName: "receipt/\(names)"))
    #expect(receipt.lines.map(\.id) == [line, other])
    #expect(try edit.after.stock() == "3")
    #expect(try edit.after.stock(of: 1) == "0.5")
    let recorded = Identifier.derived(fromName: "receipt/\(line)")
    #expect(try edit.after.milk.ledger[recorded]?.receipt == receipt.id)
    #expect(edit.after.all(.shoppingListEntry).map(\.isTombstone) == [true, true])
  }

  @Test("saved twice, from the entries as they were, it counts once")
  func savedTwice() throws {
    var edit = Edit(household(try item(), try entry(0)))
    let first = try edit.save(purchase([try entry(0)]), by: writer())
    let texts = edit.after.texts
    let second = try edit.save(purchase([try entry(0)]), by: writer(moment(11)))
    #expect(first == second)
    #expect(edit.after.texts == texts)
    #expect(throws: RuleError.entryIsClosed(name: "Item 0")) {
      let closed = try #require(edit.after[.shoppingListEntry, uuid(400)])
      _ = try edit.save(purchase([closed]), by: writer(moment(12)))
    }
  }

  @Test("two people who save overlapping baskets count what both had once")
  func overlappingBaskets() throws {
    let start = household(
      try item(), try item(1), try item(2), try entry(0), try entry(1), try entry(2))
    var one = Edit(start)
    var two = Edit(start)
    _ = try one.save(purchase([try entry(0), try entry(1)]), by: writer(moment(10)))
    _ = try two.save(
      purchase([try entry(1), try entry(2)]), by: writer(moment(10), device: "laptop"))
    let joined = one.after.joined(with: two.after)
    #expect(joined.texts == two.after.joined(with: one.after).texts)
    #expect(try (0...2).map { try joined.stock(of: $0) } == ["2", "2", "2"])
    #expect(joined.all(.receipt).count == 2)
  }

  @Test("voided, restored and voided again, on one device or on two")
  func voiding() throws {
    let start = household(try item(loose: "1"))
    let open = try receipt(milk2)
    let void = try receipt(milk2, deleted: true)
    #expect(
      try stockAfter([open, void, open, void, open], of: start) == ["3", "1", "3", "1", "3"])
    var saved = Edit(start)
    saved.replenish(from: nil, to: open, at: moment(10), device: "phone")
    var one = Edit(saved.after)
    var two = Edit(saved.after)
    one.replenish(from: open, to: void, at: moment(11), device: "phone")
    two.replenish(from: open, to: void, at: moment(12), device: "laptop")
    let both = one.after.joined(with: two.after)
    #expect(try both.stock() == "1")
    #expect(both.texts == two.after.joined(with: one.after).texts)
    var three = Edit(both)
    var four = Edit(both)
    three.replenish(from: void, to: open, at: moment(13), device: "phone")
    four.replenish(from: void, to: open, at: moment(14), device: "laptop")
    #expect(try three.after.joined(with: four.after).stock() == "3")
  }

  @Test("lines that are changed, added, removed or moved adjust by the difference")
  func changedLines() throws {
    let start = household(try item(), try item(1))
    let none = "[]"
    let moved = #"[{"id": #9, "itemName": "Milk", "quantity": 5, "itemId": #101}]"#
    let two =
      #"[{"id": #9, "itemName": "Milk", "quantity": 2, "itemId": #100}, {"id": #10, "itemName": "Tea", "quantity": 1, "itemId": #101}]"#
    let versions = try [milk2, milk5, moved, none].enumerated().map {
      try receipt($1, stamp: 1 + $0)
    }
    #expect(try stockAfter(versions, of: start) == ["2 0", "5 0", "0 5", "0 0"])
    #expect(
      try stockAfter([try receipt(milk2), try receipt(two, stamp: 2)], of: start) == ["2 0", "2 1"])
  }

  @Test("a changed line is adjusted once, though two devices adopt the same edit")
  func changedOnce() throws {
    let start = household(try item())
    let old = try receipt(milk2)
    let new = try receipt(milk5, stamp: 3)
    var saved = Edit(start)
    saved.replenish(from: nil, to: old, at: moment(10), device: "phone")
    var one = Edit(saved.after)
    var two = Edit(saved.after)
    one.replenish(from: old, to: new, at: moment(11), device: "edit")
    two.replenish(from: old, to: new, at: moment(11), device: "edit")
    #expect(one.after.texts == two.after.texts)
    one.replenish(from: old, to: new, at: moment(15), device: "edit")
    #expect(try one.after.joined(with: two.after).stock() == "5")
  }

  @Test("a line that goes to another item and back, or away and back, counts again")
  func backAgain() throws {
    let start = household(try item(), try item(1))
    let moved = #"[{"id": #9, "itemName": "Milk", "quantity": 2, "itemId": #101}]"#
    let there = try [milk2, moved, milk2, moved].enumerated().map {
      try receipt($1, stamp: 1 + $0)
    }
    let found1 = try stockAfter(there, of: start)
    #expect(found1 == ["2 0", "0 2", "2 0", "0 2"])
    let away = try [milk2, "[]", milk2].enumerated().map { try receipt($1, stamp: 1 + $0) }
    let found2 = try stockAfter(away, of: start)
    #expect(found2 == ["2 0", "0 0", "2 0"])
  }

  @Test("a line's unit is its own, else the item's; another one that converts is a difference")
  func units() throws {
    let start = household(try item(unit: .kilogram))
    func grams(_ quantity: String, _ unit: String) -> String {
      #"[{"id": #9, "itemName": "Rice", "quantity": \#(quantity), "unit": \#(unit), "itemId": #100}]"#
    }
    let versions = try [
      grams("1.5", "null"), grams("500", #""gram""#), grams("0.000001", #""kilogram""#),
    ].enumerated().map { try receipt($1, stamp: 1 + $0) }
    #expect(try stockAfter(versions, of: start) == ["1.5", "0.5", "0.000001"])
  }

  @Test("a line whose new unit does not convert takes back what the old one brought")
  func unitThatDoesNotConvert() throws {
    let start = household(try item())
    let grams = #"[{"id": #9, "itemName": "Milk", "quantity": 7, "unit": "gram", "itemId": #100}]"#
    let versions = [try receipt(milk2), try receipt(grams, stamp: 2), try receipt(milk5, stamp: 3)]
    #expect(try stockAfter(versions, of: start) == ["2", "0", "5"])
  }

  @Test("lines edited while the receipt is void count once it is restored")
  func editedWhileVoid() throws {
    let start = household(try item())
    let versions = [
      try receipt(milk2), try receipt(milk2, deleted: true),
      try receipt(milk5, deleted: true, stamp: 3), try receipt(milk5, stamp: 3),
    ]
    let found = try stockAfter(versions, of: start)
    #expect(found == ["2", "0", "0", "5"])
  }

  @Test("a receipt that was void from the start counts once it is restored")
  func voidFromTheStart() throws {
    let versions = [try receipt(milk2, deleted: true), try receipt(milk2)]
    let found = try stockAfter(versions, of: household(try item()))
    #expect(found == ["0", "2"])
  }

  @Test("a purchase with nothing in it, or in a unit that does not convert, changes nothing")
  func refused() throws {
    let start = household(try item(), try item(1), try entry(0, "2", unit: .gram), try entry(1))
    var edit = Edit(start)
    #expect(throws: RuleError.nothingToSave) { try edit.save(purchase([]), by: writer()) }
    let needed = RuleError.contentNeeded(item: "Item 0", try amount("2", .gram), unit: .piece)
    #expect(throws: needed) {
      _ = try edit.save(purchase([try entry(1), try entry(0, "2", unit: .gram)]), by: writer())
    }
    #expect(edit.after.texts == start.texts)
    let open = try entity(.shoppingListEntry, #""desiredQuantity": 2, "unit": "gram""#)
    var other = Edit(household(try item(), open))
    #expect(throws: RuleError.self) { try other.save(purchase([open]), by: writer()) }
    #expect(other.after[open.key] == open)
    #expect(other.changed.isEmpty)
  }

  @Test("what was bought says what an entry in another unit comes to, in one that converts")
  func otherUnit() throws {
    let pack = try entry(0, "1", unit: .pack)
    for (unit, stock) in [(nil, "42"), (Unit.kilogram, "42000")] {
      var edit = Edit(household(try item(unit: .gram), pack))
      var purchase = purchase([pack])
      let line = ReceiptLine(
        id: uuid(9), itemName: "Yeast", quantity: Number(42), unit: unit, itemID: uuid(100))
      purchase.lines = [line]
      _ = try edit.save(purchase, by: writer())
      #expect(try edit.after.stock() == stock)
    }
    var edit = Edit(household(try item(unit: .gram), pack))
    var purchase = purchase([pack])
    purchase.lines = [
      ReceiptLine(
        id: uuid(9), itemName: "Yeast", quantity: Number(2), unit: .pack, itemID: uuid(100))
    ]
    #expect(throws: RuleError.self) { try edit.save(purchase, by: writer()) }
    #expect(edit.changed.isEmpty)
  }

  @Test("what was bought corrects its entry's line, place and lot included")
  func corrections() throws {
    var edit = Edit(household(try item(), try entry(0), try place()))
    var purchase = purchase([try entry(0)])
    var bought = ReceiptLine(
      id: uuid(9), itemName: "Oat milk", quantity: Number(3), unit: nil, itemID: uuid(100))
    bought.price = Number("4.5")
    bought.expiry = Day("2026-12-24")
    bought.locationID = uuid(300)
    bought.lotCode = "L7"
    bought.others = [JSONMember("organic", .bool(true))]
    purchase.lines = [bought]
    let line = try #require(try edit.save(purchase, by: writer()).lines.first)
    #expect(try edit.after.stock() == "3")
    #expect(line.id == Identifier.derived(fromName: "line/\(uuid(400))/\(moment(2))"))
    #expect(line.price == Number("4.5"))
    #expect(line.expiry == Day("2026-12-24"))
    #expect(line.locationID == uuid(300))
    #expect(line.lotCode == "L7")
    #expect(line.others.last == JSONMember("organic", .bool(true)))
  }
}
