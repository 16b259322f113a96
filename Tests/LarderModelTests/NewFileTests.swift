import LarderJSON
import LarderModel
import TestSupport
import Testing

@Suite("Files that people made")
struct NewFileTests {
  @Test("a name and a number are enough for an item")
  func minimalItem() throws {
    let after = try rawFile(.stockItem, #"{"name": "Soy milk", "quantityInStock": 2}"#)
    let outcome = try adopt(after, id: uuid(150), at: moment(2))
    let entry = Identifier.derived(
      fromName: "edit/\(uuid(150))/2026-11-02T00:00:00.000Z/2/piece")
    try expectText(
      outcome, .stockItem,
      #"""
      "id": #150, "name": "Soy milk", "quantityInStock": 2, "userId": #801,
      "createdAt": @2, "updatedAt": @2,
      "changes": [{"id": "\#(entry)", "at": @2, "set": 2, "why": "edit", "by": "edit", "total": 2}]
      """#)
    #expect(outcome.stale.isEmpty)
  }

  @Test("an item without a number has an empty ledger")
  func noNumber() throws {
    let outcome = try adopt(try rawFile(.stockItem, #"{"name": "Salt"}"#), at: moment(2))
    #expect(outcome.entity.ledger.entries.isEmpty)
    #expect(outcome.entity.quantity == Quantity(.zero, .piece))
  }

  @Test("a number of zero needs no entry")
  func zero() throws {
    let after = try rawFile(.stockItem, #"{"name": "Salt", "quantityInStock": 0}"#)
    #expect(try adopt(after).entity.ledger.entries.isEmpty)
  }

  @Test("a file that gives its creation keeps it, and its number is counted when it was edited")
  func dated() throws {
    let after = try rawFile(
      .stockItem, #"{"id": #5, "name": "Rice", "quantityInStock": 1, "createdAt": @3}"#)
    let outcome = try adopt(after, at: moment(4))
    #expect(outcome.entity.createdAt == moment(3))
    #expect(outcome.entity.ledger.entries.map(\.at) == [moment(4)])
    let early = try adopt(after, at: moment(2))
    #expect(early.entity.ledger.entries.map(\.at) == [moment(3, 1)])
  }

  @Test("a receipt of the same edit comes first, the number a millisecond later")
  func besideReceipt() throws {
    let after = try rawFile(.stockItem, #"{"name": "Rice", "quantityInStock": 1}"#)
    let outcome = try adopt(after, at: moment(4), hasReceipt: true)
    #expect(outcome.entity.ledger.entries.map(\.at) == [moment(4, 1)])
  }

  @Test("a batch gets its household, status, place and unit")
  func minimalBatch() throws {
    let after = try rawFile(
      .inventoryItem,
      #"{"productRef": {"productId": "ean_1"}, "quantity": {"value": 2}, "expiryInfo": {"kind": "bestBefore"}}"#
    )
    let outcome = try adopt(after, id: uuid(250), at: moment(2))
    let entry = Identifier.derived(fromName: "edit/\(uuid(250))/2026-11-02T00:00:00.000Z/2/piece")
    try expectText(
      outcome, .inventoryItem,
      #"""
      "id": #250, "householdId": #701, "quantity": {"value": 2, "unit": "piece"}, "userId": #801,
      "expiryInfo": {"kind": "bestBefore", "confidence": 1},
      "createdAt": @2, "updatedAt": @2,
      "changes": [{"id": "\#(entry)", "at": @2, "set": 2, "why": "edit", "by": "edit"}]
      """#)
  }

  @Test("a new batch that says consumed beside a number is counted and then used up")
  func consumedBatch() throws {
    let after = try rawFile(
      .inventoryItem,
      #"{"productRef": {"productId": "ean_1"}, "quantity": {"value": 0}, "status": "consumed"}"#)
    let outcome = try adopt(after, at: moment(2))
    #expect(outcome.entity.isConsumed)
    #expect(outcome.entity["status"] == .string("active"))
    #expect(outcome.entity.consumedAt == moment(2))
  }

  @Test("a receipt's lines get ids, missing and doubled ones, and it is dated by its creation")
  func receiptLines() throws {
    let after = try rawFile(
      .receipt,
      #"""
      {"shopName": "FairPrice", "items": [
        {"itemName": "Milk", "quantity": 2}, {"id": #9, "itemName": "Rye", "quantity": 1},
        {"id": #9, "itemName": "Rye", "quantity": 1}
      ]}
      """#)
    let entity = try adopt(after, id: uuid(550), at: moment(2)).entity
    let made = [0, 2].map { "line/\(uuid(550))/2026-11-02T00:00:00.000Z/\($0)" }
      .map { Identifier.derived(fromName: $0) }
    #expect(entity.lines.map(\.id) == [made[0], uuid(9), made[1]])
    #expect(entity.timestamp == moment(2))
    #expect(entity["isDeleted"] == .bool(false))
  }

  @Test("the lines of a copied receipt get ids of their own")
  func copiedReceipt() throws {
    let after = try file(
      .receipt, #""items": [{"id": #9, "itemName": "Rye", "quantity": 1}]"#)
    let copy = try adopt(after, id: uuid(551), isCopy: true).entity
    #expect(copy.id == uuid(551))
    #expect(copy.lines.map(\.id) != [uuid(9)])
    #expect(Set(copy.lines.map(\.id)).count == 1)
  }

  @Test("ledger lines without an id are taken, at the file's creation where they have no time")
  func looseEntries() throws {
    let after = try rawFile(
      .stockItem,
      #"""
      {"name": "Rice", "changes": [
        {"set": 4}, {"delta": -1, "why": "consume"}, {"delta": -1}, {"at": @3, "delta": 2}
      ]}
      """#)
    let entity = try adopt(after, id: uuid(100), at: moment(2)).entity
    #expect(entity.quantity == Quantity(Number(4), .piece))
    #expect(entity.ledger.entries.map(\.at) == [moment(2), moment(2), moment(2, 1), moment(3)])
    let name = "edit/\(uuid(100))/2026-11-02T00:00:00.000Z/4/piece"
    #expect(entity.ledger[Identifier.derived(fromName: name)] != nil)
  }

  @Test("an undo that people wrote is named after what it undoes")
  func looseUndo() throws {
    let after = try rawFile(
      .stockItem,
      #"""
      {"name": "Rice", "changes": [
        {"id": #9, "at": @1, "delta": 4, "why": "add", "by": "phone"}, {"undoes": #9}
      ]}
      """#)
    let entity = try adopt(after, at: moment(2)).entity
    #expect(entity.ledger[Identifier.derived(fromName: "undo/\(uuid(9))")] != nil)
    #expect(entity.quantity.value == .zero)
  }

  @Test("a shopping entry, a place, a product and a household get their defaults")
  func otherKinds() throws {
    try expectText(
      try adopt(
        try rawFile(.shoppingListEntry, #"{"name": "Bread"}"#), id: uuid(400), at: moment(2)),
      .shoppingListEntry,
      #""itemId": null, "name": "Bread", "userId": #801, "createdAt": @2, "updatedAt": @2"#)
    try expectText(
      try adopt(try rawFile(.storageLocation, #"{"name": "Shed"}"#), id: uuid(300), at: moment(2)),
      .storageLocation,
      #"""
      "householdId": #701, "name": "Shed", "isColdStorage": false, "userId": #801,
      "createdAt": @2, "updatedAt": @2
      """#)
    try expectText(
      try adopt(try rawFile(.product, #"{"id": "ean_2", "title": "Tea"}"#), at: moment(2)),
      .product,
      #""id": "ean_2", "title": "Tea", "userId": #801, "createdAt": @2, "updatedAt": @2"#)
    try expectText(
      try adopt(try rawFile(.household, #"{"name": "Home"}"#), id: uuid(700), at: moment(2)),
      .household, #""createdAt": @2, "updatedAt": @2"#)
  }

  @Test("unknown fields and named removals of a new file are kept")
  func unknownFields() throws {
    let after = try rawFile(
      .stockItem,
      #"{"name": "Rice", "x": [1.50, null], "createdAt": @1, "edited": {"category": @3, "zzz": @2}}"#
    )
    let entity = try adopt(after, at: moment(4)).entity
    #expect(entity["x"] == .array([.number("1.5"), .null]))
    #expect(entity.register("category") == Register("category", nil, stamp: moment(3)))
    #expect(entity.register("zzz") == Register("zzz", nil, stamp: moment(2)))
  }
}
