import LarderJSON
import LarderModel
import TestSupport
import Testing

@Suite("What a receipt says of batches")
struct BatchReceiptTests {
  private let line = #"{"id": #9, "itemName": "Milk", "quantity": 2, "itemId": #100"#

  /// A receipt of one line with more members, as a version of its items.
  private func receipt(
    _ more: String = "", quantity: Int = 2, deleted: Bool = false, stamp: Int = 1
  ) throws -> Entity {
    try entity(
      .receipt,
      #"""
      "items": [{"id": #9, "itemName": "Milk", "quantity": \#(quantity), "itemId": #100\#(more)}],
      "isDeleted": \#(deleted), "updatedAt": @\#(stamp), "edited": {"items": @\#(stamp)}
      """#)
  }

  private let dated = #", "expiry": "2026-12-01", "location": "\#(uuid(300))", "lot": "L7""#

  private func start() throws -> Household {
    household(try home(), try item(loose: "1"), try item(1), try place())
  }

  private var batchID: String { Identifier.derived(fromName: "batch/\(uuid(9))/\(uuid(100))") }

  private func replenished(_ versions: [Entity]) throws -> Household {
    var edit = Edit(try start())
    var old: Entity?
    for (index, version) in versions.enumerated() {
      edit.put(version)
      edit.replenish(from: old, to: version, at: moment(12 + index), device: "phone")
      old = version
    }
    return edit.after
  }

  @Test("a date, a place or a code makes a batch under an id of the line's; else it lies loose")
  func batch() throws {
    let after = try replenished([try receipt(dated)])
    let batch = try #require(after[.inventoryItem, batchID])
    #expect(batch.quantity == pieces(2))
    #expect(batch.expiryDay == Day("2026-12-01"))
    #expect(batch.locationID == uuid(300))
    #expect(batch.lotCode == "L7")
    #expect(batch.householdID == uuid(700))
    #expect(batch.userID == uuid(800))
    #expect(batch.ledger.entries.map(\.id) == [Identifier.derived(from: "receipt", uuid(9))])
    #expect(try after.milk.quantity == pieces(1))
    #expect(try after.stock() == "3")
    let loose = try replenished([try receipt()])
    #expect(loose.all(.inventoryItem).isEmpty)
    #expect(try loose.milk.quantity == pieces(3))
    for one in [#", "expiry": "2026-12-01""#, #", "location": "\#(uuid(300))""#, #", "lot": "x""#] {
      #expect(try replenished([try receipt(one)])[.inventoryItem, batchID] != nil)
    }
  }

  @Test("two people who save one basket make one batch of it")
  func twice() throws {
    var one = Edit(try start())
    var two = Edit(try start())
    let receipt = try receipt(dated)
    one.replenish(from: nil, to: receipt, at: moment(12), device: "phone")
    two.replenish(from: nil, to: receipt, at: moment(13), device: "laptop")
    let joined = one.after.joined(with: two.after)
    #expect(try joined.stock() == "3")
    #expect(joined.all(.inventoryItem).count == 1)
    #expect(joined.texts == two.after.joined(with: one.after).texts)
  }

  @Test("of two people who save one basket, only one with a date: it is counted once, as the batch")
  func oneWithDate() throws {
    var one = Edit(try start())
    var two = Edit(try start())
    let (mine, other) = (try receipt(dated), try receipt(stamp: 2))
    one.put(mine)
    one.replenish(from: nil, to: mine, at: moment(12), device: "phone")
    two.put(other)
    two.replenish(from: nil, to: other, at: moment(13), device: "laptop")
    let joined = one.after.joined(with: two.after)
    #expect(joined.texts == two.after.joined(with: one.after).texts)
    #expect(try joined.stock() == "3")
    #expect(try joined.milk.quantity == pieces(1))
    #expect(joined[.inventoryItem, batchID]?.quantity == pieces(2))
    #expect(HouseholdCheck.findings(in: joined, now: moment(29)).isEmpty)
  }

  @Test("a batch of the same key that is there already stays by itself, and is one lot with it")
  func besideAnother() throws {
    var edit = Edit(try start())
    var details = BatchDetails(productID: uuid(100))
    details.expiry = ExpiryInfo(.expiry, Day("2026-12-01"))
    details.locationID = uuid(300)
    details.lotCode = "L7"
    _ = try edit.add(pieces(4), details, by: writer(moment(2)))
    edit.replenish(from: nil, to: try receipt(dated), at: moment(12), device: "phone")
    let stock = Stock(edit.after)
    let lots = Lot.grouped(stock.batches(of: try edit.after.milk))
    #expect(lots.map(\.batches.count) == [2])
    #expect(lots.map(\.quantity) == [pieces(6)])
  }

  @Test("corrections follow into the batch, and what was used stays used")
  func corrections() throws {
    var edit = Edit(try replenished([try receipt(dated)]))
    _ = try edit.take(pieces(1), from: edit.after.milk, by: writer(moment(14)))
    let later = try receipt(
      dated.replacing("2026-12-01", with: "2026-12-24"), quantity: 5, stamp: 15)
    edit.replenish(from: try receipt(dated), to: later, at: moment(15), device: "phone")
    let batch = try #require(edit.after[.inventoryItem, batchID])
    #expect(batch.quantity == pieces(4))
    #expect(batch.expiryDay == Day("2026-12-24"))
    #expect(batch.locationID == uuid(300))
    #expect(try edit.after.stock() == "5")
  }

  @Test("a line that is dated later moves from the loose stock into a batch")
  func datedLater() throws {
    let after = try replenished([try receipt(), try receipt(dated, quantity: 3, stamp: 2)])
    #expect(try after.milk.quantity == pieces(1))
    #expect(after[.inventoryItem, batchID]?.quantity == pieces(3))
    #expect(try after.stock() == "4")
    let undated = try replenished([try receipt(dated), try receipt(stamp: 2)])
    #expect(undated[.inventoryItem, batchID]?.quantity == pieces(2))
    #expect(undated[.inventoryItem, batchID]?.expiry == nil)
  }

  @Test("a line of before, whose date never made a batch, stays loose when it is corrected")
  func before() throws {
    let old = try receipt(dated)
    var edit = Edit(try start())
    var milk = try edit.after.milk
    milk.record(
      LedgerEntry(
        id: Identifier.derived(from: "receipt", uuid(9)), at: moment(5), .delta(Number(2)),
        unit: .piece, why: .receipt, by: "phone", receipt: old.id))
    edit.put(milk)
    edit.replenish(
      from: old, to: try receipt(dated, quantity: 3, stamp: 6), at: moment(6), device: "phone")
    #expect(edit.after.all(.inventoryItem).isEmpty)
    #expect(try edit.after.milk.quantity == pieces(4))
  }

  @Test("voided it is gone, restored it is back, line by line and however often")
  func voided() throws {
    let first = try receipt(dated)
    let void = try receipt(dated, deleted: true)
    let after = try replenished([first, void])
    #expect(try after.stock() == "1")
    #expect(after[.inventoryItem, batchID]?.isConsumed == true)
    let back = try replenished([first, void, first, void, first])
    #expect(back[.inventoryItem, batchID]?.quantity == pieces(2))
    #expect(try back.stock() == "3")
  }

  @Test("an item that a line names instead has the batch then, and the first one nothing")
  func otherItem() throws {
    let other = try entity(
      .receipt,
      #"""
      "items": [{"id": #9, "itemName": "Milk", "quantity": 2, "itemId": #101\#(dated)}],
      "updatedAt": @2, "edited": {"items": @2}
      """#)
    let after = try replenished([try receipt(dated), other])
    #expect(try after.stock() == "1")
    #expect(try after.stock(of: 1) == "2")
  }

  @Test("check finds nothing wrong with any of them")
  func check() throws {
    for versions in [
      [try receipt(dated)], [try receipt(), try receipt(dated, stamp: 2)],
      [try receipt(dated), try receipt(quantity: 4, stamp: 2)],
      [try receipt(dated), try receipt(dated, deleted: true)],
    ] {
      #expect(HouseholdCheck.findings(in: try replenished(versions), now: moment(29)).isEmpty)
    }
  }
}

@Suite("Two items that are one")
struct ItemMergingTests {
  private func merged(_ start: Household) throws -> Edit {
    var edit = Edit(start)
    let other = try #require(edit.after[.stockItem, uuid(101)])
    try edit.merge(other, into: edit.after.milk, by: writer())
    return edit
  }

  @Test("loose stock, batches, products and what is missing come over; the other is archived")
  func all() throws {
    let start = household(
      try home(), try item(loose: "1", unit: .kilogram, products: #"["ean_1"]"#),
      try item(
        1, loose: "500", unit: .gram, full: "2000", products: #"["ean_2"]"#,
        other: #", "category": "Baking""#),
      try batch(1, "250", unit: .gram, product: uuid(101)),
      try batch(2, "250", unit: .gram, product: "ean_2"))
    let after = try merged(start).after
    #expect(try after.stock() == "2")
    #expect(try after.stock(of: 1) == "0")
    #expect(try after.milk.productIDs == ["ean_1", "ean_2"])
    #expect(try after.milk.fullStock == Number(2))
    #expect(try after.milk.category == "Baking")
    #expect(after[.stockItem, uuid(101)]?.isTombstone == true)
    #expect(HouseholdCheck.findings(in: after, now: moment(20)).isEmpty)
  }

  @Test("what only the other says of a minimum, of days, in a note and of names comes over")
  func fields() throws {
    let other = try item(
      1, unit: .gram,
      other:
        #", "quantityMinimum": 500, "keepsDays": 7, "note": "blue", "aliases": ["Flour", "ITEM 0", "rye"]"#
    )
    let after = try merged(household(try home(), try item(unit: .kilogram), other)).after
    #expect(try after.milk.minimum == Number("0.5"))
    #expect(try after.milk["keepsDays"] == .number("7"))
    #expect(try after.milk["note"] == .string("blue"))
    #expect(try after.milk["aliases"] == .array([.string("Flour"), .string("rye")]))
    let full = try item(
      unit: .kilogram,
      other: #", "quantityMinimum": 2, "keepsDays": 3, "note": "red", "aliases": ["Rye", "Meal"]"#)
    let kept = try merged(household(try home(), full, other)).after
    #expect(try kept.milk.minimum == Number(2))
    #expect(try kept.milk["keepsDays"] == .number("3"))
    #expect(try kept.milk["note"] == .string("red"))
    #expect(
      try kept.milk["aliases"] == .array(["Rye", "Meal", "Flour"].map { .string($0) }))
  }

  @Test(
    "all there is comes over, also what a batch lacks and what was used of one that is gone",
    arguments: [false, true])
  func lacks(isCounted: Bool) throws {
    var gone = try batch(2, "4", product: uuid(101))
    gone.write("status", .string("discarded"), at: moment(2))
    var start = household(
      try home(), try item(loose: "1"), try item(1, loose: "9"),
      try batch(1, "-2", product: uuid(101)), gone)
    if isCounted {
      var edit = Edit(start)
      let other = try #require(edit.after[.stockItem, uuid(101)])
      _ = try edit.count(pieces(7), of: other, by: writer(moment(3)))
      start = edit.after
    }
    // Somebody used of it who did not know that it is gone.
    gone = try #require(start[.inventoryItem, uuid(202)])
    gone.record(
      LedgerEntry(
        id: uuid(9), at: moment(4), .delta(Number(-3)), unit: .piece, why: .consume, by: "laptop"))
    start.put(gone, at: try #require(start.path(of: gone.key)))
    #expect(try start.stock(of: 1) == "4")
    var edit = try merged(start)
    edit.moveShares(by: writer())
    #expect(try edit.after.stock() == "5")
    #expect(try edit.after.stock(of: 1) == "0")
  }

  @Test("a use of the other one on another device meanwhile is kept there, and check tells of it")
  func concurrently() throws {
    let start = household(try home(), try item(loose: "1"), try item(1, loose: "4"))
    let merge = try merged(start)
    var user = Edit(start)
    let other = try #require(start[.stockItem, uuid(101)])
    _ = try user.take(pieces(1), from: other, by: writer(device: "laptop"))
    let joined = merge.after.joined(with: user.after)
    #expect(try joined.stock() == "5")
    #expect(try joined.stock(of: 1) == "-1")
    let findings = HouseholdCheck.findings(in: joined, now: moment(20)).map(\.kind)
    #expect(findings == [.archivedWithQuantity(pieces(-1))])
  }
}
