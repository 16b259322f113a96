import LarderJSON
import LarderModel
import TestSupport
import Testing

private let counted =
  #""quantityInStock": 4, "updatedAt": @2, "changes": [{"id": #9, "at": @2, "set": 4, "why": "count", "by": "phone"}]"#

private let line =
  #"{"id": #9, "at": @2, "set": 4, "why": "count", "by": "phone"}"#

/// The entry for a number that somebody wrote into the file of an item without batches.
private func edit(_ number: String, unit: String = "piece", at: Instant = moment(10)) -> String {
  let id = Identifier.derived(fromName: "edit/\(uuid(100))/\(at)/\(number)/\(unit)")
  let unitMember = unit == "piece" ? "" : #""unit": "\#(unit)", "#
  return #"{"id": "\#(id)", "at": "\#(at)", "set": \#(number), \#(unitMember)"why": "edit", "#
    + #""by": "edit", "total": \#(number)}"#
}

@Suite("Edits of files that Larder wrote")
struct HandEditTests {
  @Test("nothing edited is nothing adopted")
  func unchanged() throws {
    let outcome = try adoptEdit(.stockItem, from: counted, to: counted)
    try expectText(outcome, .stockItem, counted)
    #expect(outcome.stale.isEmpty)
  }

  @Test("an edited field is stamped with the time of the edit")
  func field() throws {
    try expectText(
      try adoptEdit(.stockItem, from: "", to: #""name": "Soy milk""#), .stockItem,
      #""name": "Soy milk", "updatedAt": @10, "edited": {"name": @10}"#)
  }

  @Test("an edit is never before the version it is made on")
  func notBeforeTheVersion() throws {
    try expectText(
      try adoptEdit(
        .stockItem, from: #""updatedAt": @5, "edited": {"isArchived": @5}"#,
        to: #""name": "Soy milk", "updatedAt": @5, "edited": {"isArchived": @5}"#, at: moment(3)),
      .stockItem,
      #""name": "Soy milk", "updatedAt": @5+1, "edited": {"isArchived": @5, "name": @5+1}"#)
  }

  @Test("an edited number becomes a count")
  func number() throws {
    try expectText(
      try adoptEdit(
        .stockItem, from: counted,
        to: #""quantityInStock": 1.5, "updatedAt": @2, "changes": [\#(line)]"#), .stockItem,
      #""quantityInStock": 1.5, "updatedAt": @10, "changes": [\#(line), \#(edit("1.5"))]"#)
  }

  @Test("a number that is what the file's own ledger says is no edit")
  func numberOfLedger() throws {
    let more = #"{"id": #10, "at": @3, "delta": 2, "why": "add", "by": "laptop"}"#
    let outcome = try adoptEdit(
      .stockItem, from: counted,
      to: #""quantityInStock": 6, "updatedAt": @3, "changes": [\#(line), \#(more)]"#)
    try expectText(
      outcome, .stockItem,
      #""quantityInStock": 6, "updatedAt": @3, "changes": [\#(line), \#(more)]"#)
  }

  @Test("ledger lines that are missing come back, with a word about it")
  func missingLine() throws {
    let outcome = try adoptEdit(
      .stockItem, from: counted, to: #""quantityInStock": 4, "updatedAt": @2, "changes": null"#)
    try expectText(outcome, .stockItem, counted)
    #expect(outcome.stale == ["changes"])
  }

  @Test("a ledger line that was altered comes back; its number beside it is no edit then")
  func alteredLine() throws {
    let altered = #"{"id": #9, "at": @2, "set": 5, "why": "count", "by": "phone"}"#
    let outcome = try adoptEdit(
      .stockItem, from: counted,
      to: #""quantityInStock": 5, "updatedAt": @2, "changes": [\#(altered)]"#)
    try expectText(outcome, .stockItem, counted)
    #expect(outcome.stale == ["changes"])
  }

  @Test("a number edited while lines are missing counts")
  func numberWithoutLines() throws {
    let outcome = try adoptEdit(
      .stockItem, from: counted, to: #""quantityInStock": 7, "updatedAt": @2, "changes": null"#)
    try expectText(
      outcome, .stockItem,
      #""quantityInStock": 7, "updatedAt": @10, "changes": [\#(line), \#(edit("7"))]"#)
  }

  @Test("deleted bookkeeping comes back, and the edit beside it counts")
  func deletedBookkeeping() throws {
    let before = #""category": "Dairy", "updatedAt": @5, "edited": {"category": @5}"#
    let outcome = try adoptEdit(
      .stockItem, from: before,
      to: #""category": "Drinks", "createdAt": null, "updatedAt": null, "userId": null"#)
    try expectText(
      outcome, .stockItem, #""category": "Drinks", "updatedAt": @10, "edited": {"category": @10}"#)
    #expect(outcome.stale.isEmpty)
    let untouched = try adoptEdit(
      .stockItem, from: before,
      to: #""category": "Dairy", "createdAt": null, "updatedAt": null"#)
    try expectText(untouched, .stockItem, before)
  }

  @Test("a changed creation time is ignored", arguments: ["@1+7", "@3", "null"])
  func changedCreation(_ createdAt: String) throws {
    let outcome = try adoptEdit(
      .stockItem, from: "", to: #""name": "Soy milk", "createdAt": \#(createdAt)"#)
    try expectText(
      outcome, .stockItem, #""name": "Soy milk", "updatedAt": @10, "edited": {"name": @10}"#)
  }

  @Test("a removed optional field stays named, a removed field with a default gets it")
  func removedField() throws {
    let outcome = try adoptEdit(
      .stockItem, from: #""category": "Dairy", "quantityFullStock": 6, "isArchived": true"#,
      to: #""quantityFullStock": null, "isArchived": null"#)
    try expectText(
      outcome, .stockItem,
      #"""
      "quantityFullStock": 0, "isArchived": false, "updatedAt": @10,
      "edited": {"category": @10, "isArchived": @10, "quantityFullStock": @10}
      """#)
  }

  @Test("a removed required field is a mistake that leaves the file as it is")
  func removedRequiredField() throws {
    #expect(throws: FileMistakes.self) { try file(.stockItem, #""name": null"#) }
  }

  @Test("a removed unknown field stays named, and the one that looks the same stands")
  func removedUnknownField() throws {
    let outcome = try adoptEdit(
      .storageLocation, from: #""\#u{e9}": 1, "e\#u{301}": 2"#, to: #""e\#u{301}": 2"#)
    try expectText(
      outcome, .storageLocation,
      #""e\#u{301}": 2, "updatedAt": @10, "edited": {"\#u{e9}": @10}"#)
  }

  @Test("an entry's item exchanged for a name is written as one")
  func itemToName() throws {
    try expectText(
      try adoptEdit(.shoppingListEntry, from: "", to: #""itemId": null, "name": "Bread""#),
      .shoppingListEntry,
      #""itemId": null, "name": "Bread", "updatedAt": @10, "edited": {"itemId": @10, "name": @10}"#)
  }

  @Test("a line of a receipt that was changed gets what it lacks")
  func receiptLine() throws {
    let outcome = try adoptEdit(
      .receipt, from: "", to: #""items": [{"itemName": "Milk", "quantity": 1, "x": 1}]"#)
    let id = Identifier.derived(fromName: "line/\(uuid(500))/\(moment(10))/0")
    try expectText(
      outcome, .receipt,
      #"""
      "items": [{"id": "\#(id)", "itemName": "Milk", "quantity": 1, "x": 1}],
      "updatedAt": @10, "edited": {"items": @10}
      """#)
  }
}

@Suite("Units, states and loose lines that people wrote")
struct QuantityEditTests {
  private let kilos =
    #""unit": "kilogram", "quantityInStock": 1.5, "updatedAt": @2, "changes": [{"id": #9, "at": @2, "set": 1.5, "unit": "kilogram", "why": "count", "by": "phone"}]"#

  @Test("a unit that converts takes the ledger along", arguments: ["1.5", "1500"])
  func unitConverts(_ number: String) throws {
    let before = kilos
    let after = before.replacing(#""unit": "kilogram", "quantityInStock": 1.5"#, with: "")
    let line = after.drop { $0 != "[" }
    let outcome = try adoptEdit(
      .stockItem, from: before,
      to: #""unit": "gram", "quantityInStock": \#(number), "updatedAt": @2, "changes": \#(line)"#)
    try expectText(
      outcome, .stockItem,
      #"""
      "unit": "gram", "quantityInStock": 1500, "updatedAt": @10, "edited": {"unit": @10},
      "changes": \#(line)
      """#)
  }

  @Test("a unit that does not convert is a mistake, told at its place")
  func unitDoesNotConvert() throws {
    let before = try file(.stockItem, counted)
    let known = try #require(Entity(before))
    let after = try file(
      .stockItem, #""unit": "gram", "quantityInStock": 4, "updatedAt": @2, "changes": [\#(line)]"#)
    let problem = #expect(throws: EntityProblem.self) {
      try adopt(after, over: [before], known: known)
    }
    #expect(problem?.kind == .unitMismatch(written: "gram", ledger: "piece"))
    #expect(problem?.path == [.key("unit")])
  }

  @Test("any unit may come while the ledger is empty, or what it holds is undone")
  func unitOfEmptyLedger() throws {
    let outcome = try adoptEdit(
      .stockItem, from: "", to: #""unit": "gram", "quantityInStock": 0"#)
    #expect(outcome.entity.unit == .gram)
    let undone =
      #"[\#(line), {"id": #10, "at": @3, "undoes": #9, "why": "undo", "by": "phone"}]"#
    let free = try adoptEdit(
      .stockItem, from: #""updatedAt": @3, "changes": \#(undone)"#,
      to: #""unit": "pack", "updatedAt": @3, "changes": \#(undone)"#)
    #expect(free.entity.unit == .pack)
  }

  @Test("consumed, written over a batch that has something left, is a count of zero")
  func consumedByHand() throws {
    let changes = #""changes": [\#(line)]"#
    let outcome = try adoptEdit(
      .inventoryItem,
      from: #""quantity": {"value": 4, "unit": "piece"}, "updatedAt": @2, \#(changes)"#,
      to: #"""
        "quantity": {"value": 4, "unit": "piece"}, "status": "consumed", "updatedAt": @2, \#(changes)
        """#)
    #expect(outcome.entity.isConsumed)
    #expect(outcome.entity.quantity.value == .zero)
    #expect(outcome.entity.ledger.entries.last?.event == .set(.zero))
    #expect(outcome.entity.consumedAt == moment(10))
    #expect(outcome.entity.register("status")?.stamp == moment(1))
  }

  @Test("a consumed batch that is edited elsewhere stays as it is")
  func consumedBefore() throws {
    let rest =
      #""status": "consumed", "consumedAt": @2, "updatedAt": @2, "changes": [{"id": #9, "at": @2, "set": 0, "why": "count", "by": "phone"}]"#
    let outcome = try adoptEdit(.inventoryItem, from: rest, to: #""notes": "x", \#(rest)"#)
    #expect(outcome.entity.ledger.entries.count == 1)
    #expect(outcome.entity["notes"] == .string("x"))
  }

  @Test("a number written over a consumed batch brings it back")
  func revivedBatch() throws {
    let rest =
      #""status": "consumed", "consumedAt": @2, "updatedAt": @2, "changes": [{"id": #9, "at": @2, "set": 0, "why": "count", "by": "phone"}]"#
    let outcome = try adoptEdit(
      .inventoryItem, from: rest, to: #""quantity": {"value": 3, "unit": "piece"}, \#(rest)"#)
    #expect(outcome.entity.quantity.value == Number(3))
    #expect(!outcome.entity.isConsumed)
  }

  @Test("a loose ledger line is taken once, though the file keeps it through later edits")
  func looseLineOnce() throws {
    let loose =
      #""updatedAt": @2, "changes": [\#(line), {"delta": 2, "why": "add"}], "quantityInStock""#
    let first = try file(.stockItem, "\(loose): 4")
    let known = try adopt(
      first, over: [try file(.stockItem, counted)], known: try entity(.stockItem, counted)
    ).entity
    #expect(known.quantity.value == Number(6))
    let second = try file(.stockItem, #"\#(loose): 4, "name": "Soy milk""#)
    let outcome = try adopt(second, over: [first], known: known, at: moment(11))
    #expect(outcome.entity.quantity.value == Number(6))
    #expect(outcome.entity.ledger.entries.count == 2)
    #expect(outcome.entity.name == "Soy milk")
    let third = try file(
      .stockItem,
      #""updatedAt": @2, "quantityInStock": 4, "changes": [\#(line), {"delta": 2, "why": "add"}, {"delta": 2, "why": "add"}]"#
    )
    let more = try adopt(third, over: [second], known: outcome.entity, at: moment(12))
    #expect(more.entity.quantity.value == Number(8))
  }

  @Test("a number is what the file's own unit says, where the unit beside it is an old one")
  func numberInStaleUnit() throws {
    let changes =
      #""changes": [{"id": #9, "at": @2, "set": 1.5, "unit": "kilogram", "why": "count", "by": "phone"}]"#
    let grams =
      #""unit": "gram", "quantityInStock": 1500, "updatedAt": @5, "edited": {"unit": @5}, \#(changes)"#
    let outcome = try adoptEdit(
      .stockItem, from: grams,
      to: #""unit": "kilogram", "quantityInStock": 2, "updatedAt": @2, \#(changes)"#,
      history: [kilos])
    #expect(outcome.stale == ["unit"])
    #expect(outcome.entity.quantity == Quantity(Number(2000), .gram))
  }

  @Test(
    "a loose line that was taken stays as it was taken, however it is edited",
    arguments: [#""at": @2, "set": 4"#, #""id": #9, "set": 4"#])
  func looseLineEdited(_ line: String) throws {
    let before = #""updatedAt": @4, "changes": [{\#(line), "note": "opened"}]"#
    let first = try file(.stockItem, before)
    let known = try adopt(first).entity
    let second = try file(.stockItem, #""updatedAt": @4, "changes": [{\#(line)}]"#)
    let entry = try #require(
      try adopt(second, over: [first], known: known).entity.ledger.entries.first)
    #expect(entry == known.ledger.entries.first)
    #expect(entry.note == "opened")
  }

  @Test("a number with more digits than the format allows is a mistake, not an entry")
  func tooManyDigits() throws {
    let text = #"{"name": "Rice", "quantityInStock": 1234567890123456}"#
    #expect(throws: FileMistakes.self) { try rawFile(.stockItem, text) }
  }

  @Test("a sum with more digits than a number that people write is read back", arguments: [1, 2])
  func longSum(_ place: Int) throws {
    let changes = (1...2).map {
      #"{"id": #\#($0), "at": @2, "delta": 999999999999999, "why": "add", "by": "a"}"#
    }
    let sum = "1999999999999998"
    let kind: Kind = place == 1 ? .stockItem : .inventoryItem
    let number =
      place == 1
      ? #""quantityInStock": \#(sum)"# : #""quantity": {"value": \#(sum), "unit": "piece"}"#
    let members = #"\#(number), "updatedAt": @2, "changes": [\#(changes.joined(separator: ", "))]"#
    #expect(try entity(kind, members).text == text(kind, members))
  }
}
