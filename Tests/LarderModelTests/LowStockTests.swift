import LarderJSON
import LarderModel
import LarderText
import Testing
import TestSupport

@Suite("Items that run low go on the shopping list")
struct LowStockTests {
  private func used(_ start: Household, _ quantity: Quantity = pieces(1)) throws -> Edit {
    var edit = Edit(start)
    _ = try edit.take(quantity, from: start.milk, by: writer())
    edit.ensureShoppingForLowStock()
    return edit
  }

  private func entry(_ edit: Edit) throws -> Entity {
    try #require(edit.after[.shoppingListEntry, ShoppingEntry.id(of: edit.after.milk)])
  }

  /// The item's own entry as it could be there already.
  private func entryText(_ members: String) throws -> Entity {
    let id = Identifier.derived(fromName: "entry/\(uuid(100))")
    return try entity(.shoppingListEntry, #""id": "\#(id)", \#(members)"#)
  }

  @Test("an entry is made where there was none, for what a full stock is")
  func made() throws {
    let edit = try used(household(try item(loose: "1", full: "6")))
    let entry = try entry(edit)
    #expect(
      try entry.text
        == text(
          .shoppingListEntry,
          #"""
          "id": "\#(Identifier.derived(fromName: "entry/\(uuid(100))"))", "desiredQuantity": 6,
          "createdAt": @10, "updatedAt": @10, "isCompleted": false, "isDeleted": false
          """#))
    #expect(edit.changed.contains(entry.key))
  }

  @Test("where nothing in particular is wanted, it is the most that was there, in the item's unit")
  func wantsMost() throws {
    let edit = try used(
      household(try item(loose: "0.5", unit: .kilogram)), amount("500", .gram))
    #expect(try entry(edit).desired == amount("0.5", .kilogram))
  }

  @Test("what was bought last is wanted: an addition, or all of the last receipt as it stands")
  func wantsWhatWasBought() throws {
    func wanted(_ changes: String, _ others: Entity..., then: String = "0") throws -> Quantity? {
      let item = try entity(
        .stockItem,
        #""id": #100, "unit": "kilogram", "products": ["ean_1"], "changes": [\#(changes)]"#)
      var start = household(item)
      for other in others { start.put(other, at: start.defaultPath(for: other)) }
      var edit = Edit(start)
      _ = try edit.count(amount(then, .kilogram), of: edit.after.milk, by: writer())
      edit.ensureShoppingForLowStock()
      return try entry(edit).desired
    }
    func change(_ day: Int, _ event: String, _ why: String, _ others: String = "") -> String {
      #"{"id": #\#(900 + day), "at": @\#(day), \#(event), "unit": "kilogram", "why": "\#(why)"\#(others)}"#
    }
    let counted = change(1, #""set": 12"#, "count")
    let added = change(2, #""delta": 2"#, "add")
    #expect(try wanted(counted) == amount("12", .kilogram))
    #expect(try wanted([counted, added].joined(separator: ",")) == amount("2", .kilogram))
    let bought = change(3, #""delta": 3"#, "receipt", #", "receipt": #500"#)
    let corrected = change(4, #""delta": -0.5"#, "receipt", #", "receipt": #500"#)
    let moved = change(5, #""delta": 9"#, "move")
    let all = [counted, added, bought, corrected, moved].joined(separator: ",")
    #expect(try wanted(all) == amount("2.5", .kilogram))
    let undone = #"{"id": #950, "at": @6, "undoes": #902, "why": "undo"}"#
    #expect(
      try wanted([counted, added, undone].joined(separator: ",")) == amount("12", .kilogram))
    let packs = try entity(.product, #""packSize": 700, "unit": "gram""#)
    #expect(try wanted([counted, added].joined(separator: ","), packs) == amount("2.1", .kilogram))
    let pieces = household(try item(loose: "1.5"))
    var edit = Edit(pieces)
    _ = try edit.take(amount("1.5", .piece), from: edit.after.milk, by: writer())
    edit.ensureShoppingForLowStock()
    #expect(try entry(edit).desired == amount("2", .piece))
  }

  @Test("what was thrown away as a whole is no purchase")
  func wantsNothingDiscarded() throws {
    var edit = Edit(household(try home(), try item()))
    _ = try edit.add(pieces(2), to: edit.after.milk, by: writer(moment(10)))
    var details = BatchDetails(productID: uuid(100))
    details.expiry = ExpiryInfo(.expiry, Day("2026-12-01"))
    let bought = try edit.add(pieces(7), details, by: writer(moment(11)))
    let batch = try #require(bought.parts.first.flatMap { edit.after[$0.key] })
    #expect(Stock(edit.after).usualPurchase(of: try edit.after.milk) == Number(7))
    try edit.discard(batch, by: writer(moment(12)))
    #expect(Stock(edit.after).usualPurchase(of: try edit.after.milk) == Number(2))
    #expect(try entry(used(edit.after, pieces(2))).desired == pieces(2))
  }

  @Test(
    "packs are those of the first product, in the item's order, whose size is known and converts")
  func packsOfSeveral() throws {
    func wanted(_ products: String) throws -> Quantity? {
      let sizes = [
        ("ean_1", #""packSize": 10, "unit": "piece""#),
        ("ean_2", #""packSize": 6, "unit": "piece""#),
        ("ean_3", #""packSize": 500, "unit": "gram""#), ("ean_4", #""unit": "piece""#),
        ("ean_5", #""packSize": 0, "unit": "piece""#),
      ]
      var start = household(try item(loose: "7", products: products))
      for (id, size) in sizes {
        let product = try entity(.product, #""id": "\#(id)", \#(size)"#)
        start.put(product, at: start.defaultPath(for: product))
      }
      return try entry(used(start, pieces(7))).desired
    }
    #expect(try wanted(#"["ean_2", "ean_1"]"#) == pieces(12))
    #expect(try wanted(#"["ean_1", "ean_2"]"#) == pieces(10))
    #expect(try wanted(#"["ean_9", "ean_3", "ean_4", "ean_5", "ean_2", "ean_1"]"#) == pieces(12))
    #expect(try wanted(#"["ean_3", "ean_4"]"#) == pieces(7))
  }

  @Test("a closed entry is revived, a basket's one untouched, an open one gets the quantity")
  func existing() throws {
    let closed = try entryText(#""isCompleted": true, "isDeleted": true, "note": "blue""#)
    let revived = try entry(used(household(try item(loose: "1", full: "6"), closed)))
    #expect(revived.isTombstone == false)
    #expect(revived.isCompleted == false)
    #expect(revived.desired == pieces(6))
    #expect(revived.note == "blue")
    let basket = try entryText(#""isCompleted": true"#)
    #expect(try entry(used(household(try item(loose: "1", full: "6"), basket))) == basket)
    let open = try entryText(#""desiredQuantity": 2"#)
    let changed = try entry(used(household(try item(loose: "1", full: "6"), open)))
    #expect(changed.desired == pieces(6))
    let same = try entryText(#""desiredQuantity": 6"#)
    #expect(try entry(used(household(try item(loose: "1", full: "6"), same))) == same)
  }

  @Test("an open entry in a unit that does not convert is on the list, and stays as it is")
  func anotherUnit() throws {
    let open = try entryText(#""desiredQuantity": 1, "unit": "pack""#)
    #expect(try entry(used(household(try item(loose: "1", full: "6"), open))) == open)
    #expect(try wanted(from: "2", full: "6", minimum: "2", open) == amount("1", .pack))
    var filled = Edit(household(try item(loose: "1", full: "6"), open))
    filled.wantAllThatIsLow(by: writer())
    #expect(filled.changed.isEmpty)
    let closed = try entryText(#""desiredQuantity": 1, "unit": "pack", "isDeleted": true"#)
    #expect(
      try entry(used(household(try item(loose: "1", full: "6"), closed))).desired == pieces(6))
  }

  @Test("an entry whose number or unit alone is right keeps both together")
  func unitAndNumberTogether() throws {
    let kilo = try entryText(#""desiredQuantity": 3, "unit": "kilogram", "isDeleted": true"#)
    let one = try entry(
      used(
        household(try item(loose: "1", unit: .kilogram, full: "2"), kilo), amount("1", .kilogram)))
    #expect(try one.desired == amount("2", .kilogram))
    #expect(try one.reread() == one)
    let pieces2 = try entryText(#""desiredQuantity": 2, "isDeleted": true"#)
    let two = try entry(
      used(
        household(try item(loose: "1", unit: .kilogram, full: "2"), pieces2), amount("1", .kilogram)
      ))
    #expect(try two.desired == amount("2", .kilogram))
  }

  @Test("an archived item, and one that was at zero before, are left out")
  func leftOut() throws {
    let start = household(try item(loose: "1"))
    var edit = Edit(start)
    _ = try edit.take(pieces(1), from: start.milk, by: writer())
    edit.write([("isArchived", .bool(true))], to: try start.milk.key, now: moment(10))
    edit.ensureShoppingForLowStock()
    #expect(edit.after.all(.shoppingListEntry).isEmpty)
    let empty = household(try item())
    var renamed = Edit(empty)
    renamed.write([("name", .string("Rye"))], to: try empty.milk.key, now: moment(10))
    renamed.ensureShoppingForLowStock()
    #expect(renamed.after.all(.shoppingListEntry).isEmpty)
  }

  /// Uses one of an item of which there are some, with a full stock and a minimum.
  private func wanted(
    from loose: String, full: String, minimum: String, using: Int = 1, _ entry: Entity? = nil
  ) throws -> Quantity? {
    let item = try item(loose: loose, full: full, other: #", "quantityMinimum": \#(minimum)"#)
    var start = household(item)
    if let entry { start.put(entry, at: "shopping/x.json") }
    let edit = try used(start, pieces(using))
    return edit.after[.shoppingListEntry, ShoppingEntry.id(of: item)].map(\.desired)
  }

  @Test("below its minimum an item is wanted up to its full stock, and used up in full")
  func minimum() throws {
    #expect(try wanted(from: "3", full: "6", minimum: "2") == nil)
    #expect(try wanted(from: "2", full: "6", minimum: "2") == pieces(4))
    #expect(try wanted(from: "1", full: "6", minimum: "2") == pieces(6))
    #expect(try wanted(from: "2", full: "6", minimum: "2", using: 2) == pieces(6))
    #expect(try wanted(from: "2", full: "0", minimum: "2") == pieces(2))
    #expect(try wanted(from: "1", full: "0", minimum: "2") == pieces(2))
    #expect(try wanted(from: "2", full: "6", minimum: "0") == nil)
    // It was below before.
    let entry = try entryText(#""desiredQuantity": 4, "isDeleted": true"#)
    #expect(try wanted(from: "9", full: "12", minimum: "10", entry) == pieces(4))
  }

  @Test("an entry that asks for as much as leads to the full stock stays; running out raises it")
  func entryAtMinimum() throws {
    let more = try entryText(#""desiredQuantity": 5"#)
    #expect(try wanted(from: "2", full: "6", minimum: "2", more) == pieces(5))
    let less = try entryText(#""desiredQuantity": 3"#)
    #expect(try wanted(from: "2", full: "6", minimum: "2", less) == pieces(4))
    #expect(try wanted(from: "1", full: "6", minimum: "2", less) == pieces(6))
  }

  @Test("a higher minimum puts an item on the list, and a new item that is wanted is put on it")
  func otherReasons() throws {
    let start = household(try item(loose: "3", full: "6"))
    var raised = Edit(start)
    raised.write([("quantityMinimum", .number("4"))], to: try start.milk.key, now: moment(10))
    raised.ensureShoppingForLowStock()
    #expect(try entry(raised).desired == pieces(2))
    var made = Edit(household())
    made.put(try item(full: "6"))
    made.put(try item(1))
    made.put(try item(2, loose: "1", full: "6"))
    made.ensureShoppingForLowStock()
    #expect(made.after.all(.shoppingListEntry).map(\.itemID) == [uuid(100)])
    #expect(try entry(made).desired == pieces(6))
    // A copy of a household knows what was bought.
    var copied = Edit(household())
    copied.put(try item(full: "6"))
    copied.put(try entryText(#""isDeleted": true"#))
    copied.ensureShoppingForLowStock()
    #expect(try entry(copied).isTombstone)
  }

  @Test("a join that brings an item below its minimum puts it on the list, once for each step")
  func joinedBelowMinimum() throws {
    let start = household(try item(loose: "4", full: "9", other: #", "quantityMinimum": 3"#))
    func using(_ count: Int, _ device: String) throws -> Household {
      var edit = Edit(start)
      _ = try edit.take(
        pieces(count), from: start.milk, by: writer(moment(10, count), device: device))
      edit.ensureShoppingForLowStock()
      return edit.after
    }
    let both = try using(1, "phone").joined(with: using(1, "laptop"), base: start)
    #expect(both.all(.shoppingListEntry).map(\.desired) == [pieces(6)])
    let out = try using(2, "phone").joined(with: using(2, "laptop"), base: start)
    #expect(out.all(.shoppingListEntry).map(\.desired) == [pieces(9)])
  }

  @Test("batches count: the item is at zero when the last of them is")
  func batches() throws {
    let start = household(try item(loose: "1"), try batch(1, "1"))
    var edit = try used(start)
    #expect(edit.after.all(.shoppingListEntry).isEmpty)
    _ = try edit.take(pieces(1), from: edit.after.milk, by: writer())
    edit.ensureShoppingForLowStock()
    #expect(edit.after.all(.shoppingListEntry).count == 1)
    var discarded = Edit(household(try item(), try batch(1, "1")))
    discarded.write(
      [("status", .string("discarded"))], to: EntityKey(.inventoryItem, uuid(201)), now: moment(10))
    discarded.ensureShoppingForLowStock()
    #expect(discarded.after.all(.shoppingListEntry).count == 1)
  }

  @Test("two devices that use the last one write entries that join to the same bytes")
  func twoDevices() throws {
    for closed in [nil, try entryText(#""isDeleted": true, "desiredQuantity": 4"#)] {
      var start = household(try item(loose: "1", full: "6"))
      if let closed { start.put(closed, at: "shopping/x.json") }
      let edits = try [("phone", 10), ("laptop", 11)].map { device, day in
        var edit = Edit(start)
        _ = try edit.take(
          pieces(1), from: start.milk, by: writer(moment(day), device: device))
        edit.ensureShoppingForLowStock()
        return edit
      }
      let joined = edits[0].after.joined(with: edits[1].after)
      #expect(joined.texts == edits[1].after.joined(with: edits[0].after).texts)
      #expect(joined.all(.shoppingListEntry).count == 1)
      #expect(joined.all(.shoppingListEntry).first?.desired == pieces(6))
      #expect(joined.all(.shoppingListEntry).first?.isTombstone == false)
    }
  }
}
