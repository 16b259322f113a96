import LarderJSON
import LarderModel
import TestSupport
import Testing

@Suite("Old editor buffers, merges and other programs")
struct StaleEditTests {
  /// Three versions of one place: as made, renamed, then warmed.
  private let first = ""
  private let second = #""name": "Cellar", "updatedAt": @2, "edited": {"name": @2}"#
  private let third =
    #""name": "Cellar", "isColdStorage": false, "updatedAt": @3, "edited": {"isColdStorage": @3, "name": @2}"#

  @Test("a stale buffer saved again changes nothing and says what stands")
  func staleBuffer() throws {
    let outcome = try adoptEdit(
      .storageLocation, from: third, to: first, history: [third, second, first])
    try expectText(outcome, .storageLocation, third)
    #expect(outcome.stale.map(\.text).sorted() == ["isColdStorage", "name"])
  }

  @Test("without history what is known stands, with the same word")
  func staleWithoutHistory() throws {
    let outcome = try adoptEdit(.storageLocation, from: third, to: first)
    try expectText(outcome, .storageLocation, third)
    #expect(outcome.stale.map(\.text).sorted() == ["isColdStorage", "name"])
  }

  @Test("an edit on a stale buffer counts, and only the rest is stale")
  func editOnStaleBuffer() throws {
    let outcome = try adoptEdit(
      .storageLocation, from: third, to: #""name": "Pantry""#, history: [third, second, first])
    try expectText(
      outcome, .storageLocation,
      #"""
      "name": "Pantry", "isColdStorage": false, "updatedAt": @10,
      "edited": {"isColdStorage": @3, "name": @10}
      """#)
    #expect(outcome.stale == ["isColdStorage"])
  }

  @Test("an old value with the stamp of today is an edit back to it")
  func editBack() throws {
    let outcome = try adoptEdit(
      .storageLocation, from: third,
      to: #""isColdStorage": false, "updatedAt": @3, "edited": {"isColdStorage": @3, "name": @2}"#,
      history: [third, second, first])
    #expect(outcome.entity.name == "Fridge")
    #expect(outcome.entity.register("name")?.stamp == moment(10))
    #expect(outcome.stale.isEmpty)
  }

  @Test("a stale buffer's number is no edit, and its missing lines come back")
  func staleNumber() throws {
    let one = #"{"id": #8, "at": @2, "set": 4, "why": "count", "by": "phone"}"#
    let two = #"{"id": #9, "at": @3, "delta": -1, "why": "consume", "by": "phone"}"#
    let old = #""quantityInStock": 4, "updatedAt": @2, "changes": [\#(one)]"#
    let new = #""quantityInStock": 3, "updatedAt": @3, "changes": [\#(one), \#(two)]"#
    let outcome = try adoptEdit(.stockItem, from: new, to: old, history: [new, old])
    try expectText(outcome, .stockItem, new)
    #expect(outcome.stale == ["changes"])
    let counted = try adoptEdit(
      .stockItem, from: new,
      to: #""quantityInStock": 9, "updatedAt": @2, "changes": [\#(one)]"#, history: [new, old])
    #expect(counted.entity.quantity.value == Number(9))
    #expect(counted.entity.ledger.entries.count == 3)
  }

  @Test("in a merge a value that one parent has is no edit, whatever the join came to")
  func mergeTakesParent() throws {
    let ours = #""name": "Cellar", "updatedAt": @2, "edited": {"name": @2}"#
    let theirs = #""name": "Pantry", "updatedAt": @3, "edited": {"name": @3}"#
    let known = try entity(.storageLocation, ours).joined(with: entity(.storageLocation, theirs))
    for chosen in [ours, theirs] {
      let outcome = try adopt(
        try file(.storageLocation, chosen),
        over: [file(.storageLocation, ours), file(.storageLocation, theirs)], known: known)
      try expectText(outcome, .storageLocation, theirs)
      #expect(outcome.stale.isEmpty)
    }
  }

  @Test("a value that no parent has is an edit in a merge")
  func mergeEdits() throws {
    let ours = #""name": "Cellar", "updatedAt": @2, "edited": {"name": @2}"#
    let theirs = #""name": "Pantry", "updatedAt": @3, "edited": {"name": @3}"#
    let known = try entity(.storageLocation, ours).joined(with: entity(.storageLocation, theirs))
    let outcome = try adopt(
      try file(.storageLocation, theirs.replacing("Pantry", with: "Larder")),
      over: [file(.storageLocation, ours), file(.storageLocation, theirs)], known: known)
    #expect(outcome.entity.name == "Larder")
    #expect(outcome.entity.register("name")?.stamp == moment(10))
  }

  @Test("a number that one parent has is no count in a merge, a third number is")
  func mergeNumbers() throws {
    func version(_ entry: Int, _ day: Int, _ number: Int) throws -> EntityFile {
      try file(
        .stockItem,
        #"""
        "quantityInStock": \#(number), "updatedAt": @\#(day),
        "changes": [{"id": #\#(entry), "at": @\#(day), "delta": \#(number), "why": "add", "by": "a"}]
        """#)
    }
    let parents = [try version(8, 2, 2), try version(9, 3, 3)]
    let known = try #require(Entity(parents[0])).joined(with: try #require(Entity(parents[1])))
    let chosen = try adopt(parents[1], over: parents, known: known)
    #expect(chosen.entity == known)
    let third = try file(
      .stockItem,
      #"""
      "quantityInStock": 7, "updatedAt": @3,
      "changes": [{"id": #9, "at": @3, "delta": 3, "why": "add", "by": "a"}]
      """#)
    #expect(try adopt(third, over: parents, known: known).entity.quantity.value == Number(7))
  }

  @Test("stamps later than the known ones are taken over, from programs that know stamps")
  func newerStamps() throws {
    let outcome = try adoptEdit(
      .storageLocation, from: second,
      to: #""name": "Shed", "updatedAt": @4, "edited": {"name": @4}"#)
    try expectText(
      outcome, .storageLocation, #""name": "Shed", "updatedAt": @4, "edited": {"name": @4}"#)
  }

  @Test("a removal with a later stamp is taken over")
  func newerRemoval() throws {
    let outcome = try adoptEdit(
      .product, from: #""brand": "Oatly""#, to: #""updatedAt": @4, "edited": {"brand": @4}"#)
    try expectText(outcome, .product, #""updatedAt": @4, "edited": {"brand": @4}"#)
  }

  @Test("what differs from a known entity is an edit where there is no version before")
  func noVersionBefore() throws {
    let outcome = try adopt(
      try file(.storageLocation, #""name": "Shed""#), known: try entity(.storageLocation))
    try expectText(
      outcome, .storageLocation, #""name": "Shed", "updatedAt": @10, "edited": {"name": @10}"#)
    #expect(outcome.stale.isEmpty)
  }

  @Test("two people who save the same edit at different times come to one version")
  func twoDevices() throws {
    let one = try adoptEdit(
      .storageLocation, from: second, to: second.replacing("Cellar", with: "Shed"), at: moment(8))
    let two = try adoptEdit(
      .storageLocation, from: second, to: second.replacing("Cellar", with: "Barn"), at: moment(9))
    let joined = one.entity.joined(with: two.entity)
    #expect(sameBytes(joined.text, two.entity.joined(with: one.entity).text))
    #expect(joined.name == "Barn")
  }

  @Test("the same edit of two equal versions gives the same bytes on both devices")
  func sameEverywhere() throws {
    let made = try (0..<2).map { _ in
      try adoptEdit(
        .stockItem, from: "", to: #""quantityInStock": 5, "name": "Rye", "x": {"b": 1, "a": 2}"#)
    }
    #expect(sameBytes(made[0].entity.text, made[1].entity.text))
    #expect(made[0].entity.quantity.value == Number(5))
  }
}
