import LarderJSON
import LarderModel
import TestSupport
import Testing

/// What a new batch is of, with everything that its merge key is made of.
private func milk(
  expiry: String? = "2026-12-01", opened: Instant? = nil, place: Int? = 0, lot: String? = "L7",
  product: String = uuid(100)
) throws -> BatchDetails {
  var details = BatchDetails(productID: product)
  details.expiry = expiry.map { ExpiryInfo(.expiry, Day($0)) }
  details.opened = opened.map { OpenedInfo(.opened, $0) }
  details.locationID = place.map { uuid(300 + $0) }
  details.lotCode = lot
  return details
}

/// A household of one item in pieces and two places.
private func start(_ others: Entity...) throws -> Household {
  var result = household(try home(), try item(), try place(), try place(1))
  for entity in others { result.put(entity, at: result.defaultPath(for: entity)) }
  return result
}

extension Household {
  /// What the active batches hold, the oldest first.
  fileprivate var rests: [String] {
    all(.inventoryItem).filter(\.hasSomethingLeft)
      .sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }.map(\.quantity.description)
  }
}

@Suite("Adding a batch joins one of the same key, or makes a new one")
struct MergeOrCreateTests {
  @Test("1. the same key in everything: one batch, quantities summed")
  func exactMatch() throws {
    var edit = Edit(try start())
    let first = try edit.add(pieces(2), milk(), by: writer(moment(10)))
    let second = try edit.add(pieces(3), milk(), by: writer(moment(11)))
    #expect(first.isNewBatch)
    #expect(!second.isNewBatch)
    #expect(first.parts.map(\.key) == second.parts.map(\.key))
    #expect(second.parts.map(\.rest) == [pieces(5)])
    #expect(edit.after.rests == ["5"])
    #expect(second.total == pieces(5))
  }

  @Test("a batch has the fields it was added with, and the first entry at its creation")
  func fields() throws {
    var edit = Edit(
      try start(try entity(.product, #""id": "ean_1", "title": "Whole Milk", "brand": "Dale""#)))
    var details = try milk(opened: moment(9), product: "ean_1")
    details.notes = "for the cake"
    let added = try edit.add(pieces(2), details, by: writer())
    let batch = try #require(added.parts.first.flatMap { edit.after[$0.key] })
    #expect(batch.productID == "ean_1")
    #expect(batch["productRef"]?["snapshot"]?["brand"] == .string("Dale"))
    #expect(batch.householdID == uuid(700))
    #expect(batch.userID == uuid(801))
    #expect(batch.expiry == ExpiryInfo(.expiry, Day("2026-12-01")))
    #expect(batch.openedAt == moment(9))
    #expect(batch.locationID == uuid(300))
    #expect(batch.lotCode == "L7")
    #expect(batch["notes"] == .string("for the cake"))
    #expect(batch.ledger.entries.map(\.why) == [.add])
    #expect(batch.updatedAt == batch.createdAt)
    #expect(added.total == pieces(2))
  }

  @Test(
    "2 and 3. another place, expiry, code, opening or product: a batch of its own",
    arguments: [
      try? milk(place: 1), try? milk(place: nil), try? milk(expiry: "2026-12-02"),
      try? milk(expiry: nil), try? milk(lot: "L8"), try? milk(lot: nil),
      try? milk(opened: moment(9)), try? milk(product: "ean_1"),
    ])
  func mismatch(other: BatchDetails?) throws {
    var edit = Edit(try start())
    _ = try edit.add(pieces(2), milk(), by: writer(moment(10)))
    let second = try edit.add(pieces(3), try #require(other), by: writer(moment(11)))
    #expect(second.isNewBatch)
    #expect(edit.after.rests == ["2", "3"])
  }

  @Test("two batches with nothing said of them are one lot, whatever opened instant is not there")
  func bothNone() throws {
    let details = try milk(expiry: nil, place: nil, lot: nil)
    var edit = Edit(try start())
    _ = try edit.add(pieces(2), details, by: writer(moment(10)))
    #expect(try !edit.add(pieces(3), details, by: writer(moment(11))).isNewBatch)
  }

  @Test("units that convert join: 500 g onto 1 kg is 1.5 kg")
  func units() throws {
    var edit = Edit(household(try item(unit: .kilogram), try place()))
    _ = try edit.add(amount("1", .kilogram), milk(), by: writer(moment(10)))
    let second = try edit.add(amount("500", .gram), milk(), by: writer(moment(11)))
    #expect(try second.parts.map(\.rest) == [amount("1.5", .kilogram)])
    #expect(edit.after.rests == ["1.5 kg"])
  }

  @Test(
    "a batch that is used up, discarded or archived takes nothing more",
    arguments: ["used", "discarded", "archived"])
  func notActive(how: String) throws {
    var edit = Edit(try start())
    let first = try edit.add(pieces(2), milk(), by: writer(moment(10)))
    let key = try #require(first.parts.first?.key)
    if how == "used" {
      _ = try edit.take(pieces(2), from: edit.after.milk, by: writer(moment(11)))
    } else {
      edit.write([("status", .string(how))], to: key, now: moment(11))
    }
    #expect(try edit.add(pieces(3), milk(), by: writer(moment(12))).isNewBatch)
    #expect(edit.after.rests == ["3"])
  }

  @Test("two devices that buy one lot apart have two batches, one lot, and add to the older one")
  func apart() throws {
    let start = try start()
    var one = Edit(start)
    var two = Edit(start)
    _ = try one.add(pieces(2), milk(), by: writer(moment(10)))
    _ = try two.add(pieces(3), milk(), by: writer(moment(11), device: "laptop"))
    let joined = one.after.joined(with: two.after)
    #expect(joined.rests == ["2", "3"])
    #expect(try joined.stock() == "5")
    let stock = Stock(joined)
    let lots = try Lot.grouped(stock.batches(of: joined.milk))
    #expect(lots.map(\.quantity) == [pieces(5)])
    var next = Edit(joined)
    _ = try next.add(pieces(1), milk(), by: writer(moment(12)))
    #expect(next.after.rests == ["3", "3"])
  }

  @Test("what can't be added is refused for its own reason, and nothing is changed")
  func refusals() throws {
    let foreign = try place(2, #", "householdId": #701"#)
    let archived = try place(3, #", "isArchived": true"#)
    var edit = Edit(try start(foreign, archived))
    func refusal(_ quantity: Quantity, _ details: BatchDetails, strict: Bool = false) -> RuleError?
    {
      do throws(RuleError) {
        _ = try edit.add(quantity, details, strict: strict, by: writer())
        return nil
      } catch {
        return error
      }
    }
    #expect(refusal(pieces(0), try milk()) == .notAboveZero(pieces(0)))
    #expect(refusal(pieces(-1), try milk(product: "ean_9")) == .notAboveZero(pieces(-1)))
    #expect(refusal(pieces(1), try milk(place: 9)) == .unknownLocation(uuid(309)))
    #expect(refusal(pieces(1), try milk(place: 3)) == .locationIsArchived("Place 3"))
    #expect(
      refusal(pieces(1), try milk(place: 2)) == .otherHousehold("Place 2", household: uuid(701)))
    #expect(
      refusal(pieces(1), try milk(product: "ean_9"), strict: true) == .unknownProduct("ean_9"))
    #expect(
      refusal(Quantity(Number(1), .gram), try milk())
        == .unitsDoNotConvert(of: "Item 0", .gram, .piece))
    var unsure = try milk()
    unsure.expiry?.confidence = try #require(Number("1.01"))
    #expect(refusal(pieces(1), unsure) == .badConfidence(try #require(Number("1.01"))))
    let late = try milk(opened: moment(40))
    #expect(
      refusal(pieces(1), late, strict: true)
        == .openedAfterExpiry(
          "Item 0", opened: try #require(Day("2026-12-10")), expiry: try #require(Day("2026-12-01"))
        )
    )
    #expect(edit.changed.isEmpty)
    #expect(refusal(pieces(1), try milk(product: "ean_9")) == nil)
    let opened = try edit.add(pieces(1), late, by: writer())
    #expect(opened.warnings.count == 1)
  }
}

@Suite("Batches that are used: first expired, first out")
struct FirstExpiredTests {
  private func lots() throws -> Household {
    try start(
      try batch(1, "2", expiry: "2026-01-02"), try batch(2, "2", expiry: "2026-01-05"),
      try batch(3, "2"))
  }

  @Test("4. the earliest expiry is used up before the next is touched")
  func earliestFirst() throws {
    var edit = Edit(try lots())
    let change = try edit.take(pieces(3), from: edit.after.milk, by: writer())
    #expect(change.parts.map(\.key.id) == [uuid(201), uuid(202)])
    #expect(change.parts.map(\.quantity) == [pieces(2), pieces(1)])
    #expect(change.parts.map(\.rest) == [pieces(0), pieces(1)])
    #expect(try edit.after.rest(of: 3) == "2")
  }

  @Test("5. what has a date is used before what has none")
  func noneLast() throws {
    var edit = Edit(
      try start(try batch(1, "2"), try batch(2, "2", expiry: "2030-01-01", created: 5)))
    _ = try edit.take(pieces(2), from: edit.after.milk, by: writer())
    #expect(try edit.after.rest(of: 1) == "2")
    #expect(try edit.after.rest(of: 2) == "0")
  }

  @Test("a batch at just zero is consumed from then on, and archived where that is wanted")
  func exactQuantity() throws {
    var edit = Edit(try lots())
    _ = try edit.take(pieces(2), from: edit.after.milk, by: writer(moment(10)))
    let used = try #require(edit.after[.inventoryItem, uuid(201)])
    #expect(used.json["status"] == .string("consumed"))
    #expect(used.consumedAt == moment(10))
    var archiving = edit
    archiving.archiveConsumed(now: moment(10))
    let archived = try #require(archiving.after[.inventoryItem, uuid(201)])
    #expect(archived.json["status"] == .string("archived"))
    #expect(archived.json["consumedAt"] == nil)
    #expect(try archiving.after.stock() == "4")
    #expect(archiving.after[.inventoryItem, uuid(202)]?.isActive == true)
  }

  @Test("what is counted or moved away is not archived, for it was not used up")
  func countedAway() throws {
    let start = try lots()
    var edit = Edit(start)
    let first = try #require(start[.inventoryItem, uuid(201)])
    _ = try edit.count(pieces(0), of: edit.after.milk, lot: Lot(first), by: writer())
    edit.archiveConsumed(now: moment(11))
    #expect(edit.after[first.key]?.isConsumed == true)
  }

  @Test("a product's id takes from its own batches, an item's id from all of the item")
  func ofProduct() throws {
    var edit = Edit(
      household(
        try item(loose: "1", products: #"["ean_1"]"#),
        try batch(1, "5", expiry: "2026-12-01"), try batch(2, "3", product: "ean_1"),
        try batch(3, "2", product: "ean_2")))
    let own = try edit.take(pieces(2), ofProduct: "ean_1", by: writer())
    #expect(own.parts.map(\.key.id) == [uuid(202)])
    #expect(own.item?.id == uuid(100))
    #expect(own.total == pieces(7))
    #expect(throws: RuleError.self) { try edit.take(pieces(2), ofProduct: "ean_1", by: writer()) }
    let all = try edit.take(pieces(7), ofProduct: uuid(100), by: writer())
    #expect(all.total == pieces(0))
    let nobodys = try edit.take(pieces(1), ofProduct: "ean_2", by: writer())
    #expect(nobodys.item == nil)
    #expect(nobodys.total == pieces(1))
    #expect(throws: RuleError.unknownProduct("ean_3")) {
      try edit.take(pieces(1), ofProduct: "ean_3", by: writer())
    }
  }

  @Test("a lot of several batches is used, counted and emptied as one")
  func lotOfTwo() throws {
    let start = try start(
      try batch(1, "2", expiry: "2026-12-01", created: 2),
      try batch(2, "3", expiry: "2026-12-01", created: 1))
    let lot = try #require(Lot.grouped(Stock(start).batches(of: start.milk)).first)
    #expect(lot.batches.map(\.id) == [uuid(202), uuid(201)])
    var edit = Edit(start)
    let taken = try edit.take(pieces(4), from: edit.after.milk, lot: lot, by: writer())
    #expect(taken.parts.map(\.quantity) == [pieces(3), pieces(1)])
    var counted = Edit(start)
    _ = try counted.count(pieces(7), of: counted.after.milk, lot: lot, by: writer())
    #expect(try counted.after.rest(of: 2) == "7")
    #expect(try counted.after.rest(of: 1) == "0")
    #expect(try counted.after.stock() == "7")
  }
}

@Suite("One request, one change")
struct BatchRequestTests {
  @Test("repeated, at once or later, it tells the first result and changes nothing")
  func repeated() throws {
    var edit = Edit(try start())
    let first = try edit.add(pieces(2), milk(), request: "r-1", by: writer(moment(10)))
    let batch = try #require(first.parts.first?.key)
    #expect(batch.id == Identifier.derived(fromName: "request/r-1/\(uuid(100))"))
    _ = try edit.add(pieces(3), milk(), request: "r-2", by: writer(moment(11)))
    _ = try edit.take(pieces(4), from: edit.after.milk, request: "r-3", by: writer(moment(12)))
    let texts = edit.after.texts
    for _ in 1...2 {
      let again = try edit.add(pieces(2), milk(), request: "r-1", by: writer(moment(13)))
      #expect(again.isRepeated && again.isNewBatch)
      #expect(again.parts == first.parts)
      #expect(again.total == pieces(2))
      let second = try edit.add(pieces(3), milk(), request: "r-2", by: writer(moment(13)))
      #expect(!second.isNewBatch)
      #expect(second.parts.map(\.rest) == [pieces(5)])
      #expect(second.total == pieces(5))
      let used = try edit.take(pieces(4), from: edit.after.milk, request: "r-3", by: writer())
      #expect(used.parts.map(\.rest) == [pieces(1)])
    }
    #expect(edit.after.texts == texts)
  }

  @Test("a device that has heard of it by a sync changes nothing either")
  func afterSync() throws {
    let start = try start()
    var one = Edit(start)
    let first = try one.add(pieces(2), milk(), request: "r-1", by: writer())
    var two = Edit(start.joined(with: one.after))
    let again = try two.add(
      pieces(2), milk(), request: "r-1", by: writer(moment(12), device: "laptop"))
    #expect(again.parts == first.parts)
    #expect(two.changed.isEmpty)
  }

  @Test("two devices apart that serve it from one file, or make one batch of it, count it once")
  func apartOnce() throws {
    let start = try start()
    var one = Edit(start)
    var two = Edit(start)
    _ = try one.add(pieces(2), milk(), request: "r-1", by: writer())
    _ = try two.add(pieces(2), milk(), request: "r-1", by: writer(moment(12), device: "laptop"))
    let joined = one.after.joined(with: two.after)
    #expect(try joined.stock() == "2")
    #expect(joined.rests == ["2"])
  }

  @Test("from different files they count it twice, and check reports it")
  func apartTwice() throws {
    let start = try start()
    var one = Edit(start)
    var two = Edit(start)
    _ = try one.add(pieces(3), milk(), by: writer(moment(9)))
    _ = try one.add(pieces(2), milk(), request: "r-1", by: writer())
    _ = try two.add(pieces(2), milk(), request: "r-1", by: writer(moment(12), device: "laptop"))
    let joined = one.after.joined(with: two.after)
    #expect(try joined.stock() == "7")
    let findings = HouseholdCheck.findings(in: joined, now: moment(20))
    #expect(
      findings.contains { finding in
        if case .servedTwice(request: "r-1", _, _) = finding.kind { true } else { false }
      })
  }
}
