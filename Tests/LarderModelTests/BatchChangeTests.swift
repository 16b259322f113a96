import LarderJSON
import LarderModel
import LarderText
import Testing
import TestSupport

/// A household of an item, two places, and a batch of five in the first one.
private func start(_ others: Entity..., zone: String = "UTC") throws -> Household {
  var batch = try batch(1, "5", expiry: "2026-12-01")
  batch.write("storageLocationId", .string(uuid(300)), at: moment(1))
  var result = household(try home(zone), try item(), try place(), try place(1), batch)
  for entity in others { result.put(entity, at: result.defaultPath(for: entity)) }
  return result
}

extension Household {
  fileprivate func batch(_ number: Int = 1) throws -> Entity {
    try #require(self[.inventoryItem, uuid(200 + number)])
  }
}

@Suite("Moving batches")
struct MovingTests {
  @Test("a whole batch moves and stays itself")
  func whole() throws {
    var edit = Edit(try start())
    let key = try edit.move(edit.after.batch(), to: uuid(301), by: writer())
    #expect(key.id == uuid(201))
    #expect(try edit.after.batch().locationID == uuid(301))
    #expect(edit.changed.count == 1)
  }

  @Test("a part becomes a batch with all that the lot is known by, and the sum stays")
  func part() throws {
    var edit = Edit(try start())
    let key = try edit.move(edit.after.batch(), to: uuid(301), quantity: pieces(2), by: writer())
    let piece = try #require(edit.after[key])
    #expect(key.id != uuid(201))
    #expect(piece.quantity == pieces(2))
    #expect(piece.locationID == uuid(301))
    #expect(piece.expiryDay == Day("2026-12-01"))
    #expect(piece.productID == uuid(100))
    #expect(try edit.after.rest(of: 1) == "3")
    #expect(try edit.after.stock() == "5")
    #expect(piece.ledger.entries.map(\.why) == [.move])
    let again = try edit.move(
      edit.after.batch(), to: uuid(301), quantity: pieces(1), by: writer(moment(11)))
    #expect(again == key)
    #expect(edit.after[key]?.quantity == pieces(3))
  }

  @Test("all that there is of it is the whole batch, whatever unit says so")
  func allOfIt() throws {
    let grams = try batch(2, "500", unit: .gram)
    var edit = Edit(try start(try item(1, unit: .kilogram), grams))
    let key = try edit.move(grams, to: uuid(301), quantity: amount("0.5", .kilogram), by: writer())
    #expect(key == grams.key)
  }

  @Test("what can't move is refused for its own reason")
  func refusals() throws {
    let start = try start(
      try batch(2, "0"), try batch(3, "1", status: "discarded"),
      try place(2, #", "householdId": #701"#))
    var edit = Edit(start)
    func refusal(
      _ number: Int, to place: Int = 301, _ quantity: Quantity? = nil, since: Instant? = nil
    ) throws -> RuleError? {
      do throws(RuleError) {
        _ = try edit.move(
          start.batches[number - 1], to: uuid(place), quantity: quantity, unchangedSince: since,
          by: writer())
        return nil
      } catch {
        return error
      }
    }
    #expect(try refusal(2) == .batchIsNotActive("Item 0", status: "consumed"))
    #expect(try refusal(3) == .batchIsNotActive("Item 0", status: "discarded"))
    #expect(try refusal(1, to: 309) == .unknownLocation(uuid(309)))
    #expect(try refusal(1, to: 302) == .otherHousehold("Place 2", household: uuid(701)))
    #expect(
      try refusal(1, pieces(6))
        == .tooMuch(of: "Item 0", wanted: pieces(6), available: pieces(5)))
    #expect(try refusal(1, pieces(0)) == .notAboveZero(pieces(0)))
    #expect(
      try refusal(1, Quantity(Number(1), .gram)) == .unitsDoNotConvert(of: "Item 0", .gram, .piece))
    let version = try start.batch().updatedAt
    #expect(
      try refusal(1, since: moment(1))
        == .changedSince("Item 0", version: moment(1), updated: version))
    #expect(edit.changed.isEmpty)
    #expect(try refusal(1, since: version) == nil)
  }

  @Test("a move against a use elsewhere: both are kept, and nothing is counted twice")
  func concurrently() throws {
    let start = try start()
    var mover = Edit(start)
    var user = Edit(start)
    let key = try mover.move(mover.after.batch(), to: uuid(301), quantity: pieces(2), by: writer())
    _ = try user.take(pieces(4), from: user.after.milk, by: writer(device: "laptop"))
    let joined = mover.after.joined(with: user.after)
    #expect(try joined.stock() == "1")
    #expect(joined[key]?.quantity == pieces(2))
    #expect(try joined.rest(of: 1) == "-1")
  }
}

extension Household {
  fileprivate var batches: [Entity] {
    all(.inventoryItem).sorted { $0.id < $1.id }
  }
}

@Suite("Dates of batches")
struct BatchDateTests {
  private let day = Day("2026-12-24")

  @Test("what is given is written, what is not stays, and the same again changes nothing")
  func partial() throws {
    var edit = Edit(try start())
    _ = try edit.date(
      edit.after.batch(), expiry: .set(ExpiryInfo(.bestBefore, day, confidence: .zero)),
      by: writer())
    #expect(try edit.after.batch().expiryDay == day)
    #expect(try edit.after.batch().openedAt == nil)
    let once = edit.after.texts
    _ = try edit.date(
      edit.after.batch(), expiry: .set(ExpiryInfo(.bestBefore, day, confidence: .zero)),
      by: writer(moment(12)))
    #expect(edit.after.texts == once)
    _ = try edit.date(edit.after.batch(), expiry: .remove, by: writer(moment(13)))
    #expect(try edit.after.batch().expiry == nil)
  }

  @Test("a key that nobody knows stays in a date that is read and written")
  func unknownKeys() throws {
    var batch = try start().batch()
    batch.write(
      "expiryInfo",
      .object([
        JSONMember("kind", .string("useBy")), JSONMember("confidence", .number("0.5")),
        JSONMember("isoDate", .string("2026-12-01")), JSONMember("seenBy", .string("scanner")),
      ]), at: moment(2))
    var edit = Edit(try start(batch))
    var info = try #require(batch.expiry)
    info.date = day
    _ = try edit.date(batch, expiry: .set(info), by: writer())
    #expect(try edit.after.batch().expiryDay == day)
    #expect(
      try edit.after.batch()["expiryInfo"]?.members?.map(\.key)
        == ["kind", "confidence", "isoDate", "seenBy"])
  }

  @Test("an opening after the expiry is told of, and with strict refused")
  func chronology() throws {
    var edit = Edit(try start())
    let late = DateUpdate.set(OpenedInfo(.opened, moment(32, 1)))
    let expected = BatchWarning.openedAfterExpiry(
      opened: try #require(Day("2026-12-02")), expiry: try #require(Day("2026-12-01")))
    #expect(throws: RuleError.self) {
      try edit.date(edit.after.batch(), opened: late, strict: true, by: writer())
    }
    #expect(edit.changed.isEmpty)
    #expect(try edit.date(edit.after.batch(), opened: late, by: writer()) == [expected])
    var inSingapore = Edit(try start(zone: "Asia/Singapore"))
    let early = DateUpdate.set(OpenedInfo(.opened, moment(31, 18 * 3_600_000)))
    #expect(
      try inSingapore.date(inSingapore.after.batch(), opened: early, by: writer()) == [expected])
  }

  @Test("a confidence outside 0 to 1 is refused", arguments: ["-0.1", "1.000001", "2"])
  func confidence(text: String) throws {
    var edit = Edit(try start())
    let number = try #require(Number(text))
    #expect(throws: RuleError.badConfidence(number)) {
      try edit.date(
        edit.after.batch(), expiry: .set(ExpiryInfo(.useBy, day, confidence: number)), by: writer())
    }
  }
}

@Suite("Opening")
struct OpeningTests {
  private func product(_ days: Int?) throws -> Entity {
    let keeps = days.map { #", "bestAfterOpeningDays": \#($0)"# } ?? ""
    return try entity(.product, #""id": "ean_1", "title": "Milk"\#(keeps)"#)
  }

  private func opened(
    _ expiry: String?, keeps days: Int?, quantity: Quantity? = nil
  ) throws -> (edit: Edit, opening: Opening) {
    let batch = try batch(2, "3", expiry: expiry, product: "ean_1")
    var edit = Edit(household(try item(products: #"["ean_1"]"#), try product(days), batch))
    let opening = try edit.open(batch, quantity: quantity, at: moment(10), by: writer())
    return (edit, opening)
  }

  @Test("it is noted when, and the product may bring the date forward, never back")
  func dates() throws {
    let forward = try opened("2026-12-01", keeps: 3)
    #expect(forward.edit.after[forward.opening.batch]?.openedAt == moment(10))
    #expect(forward.opening.expiry == Day("2026-11-13"))
    #expect(forward.opening.expiryBefore == Day("2026-12-01"))
    #expect(try opened("2026-11-12", keeps: 3).opening.expiry == Day("2026-11-12"))
    #expect(try opened("2026-12-01", keeps: nil).opening.expiry == Day("2026-12-01"))
    #expect(try opened(nil, keeps: 3).opening.expiry == Day("2026-11-13"))
    #expect(try opened(nil, keeps: nil).opening.expiry == nil)
  }

  @Test("a part of a lot becomes a batch of its own; the rest stays closed and keeps its date")
  func part() throws {
    let (edit, opening) = try opened("2026-12-01", keeps: 3, quantity: pieces(1))
    let rest = try #require(edit.after[.inventoryItem, uuid(202)])
    #expect(opening.batch != rest.key)
    #expect(edit.after[opening.batch]?.quantity == pieces(1))
    #expect(edit.after[opening.batch]?.expiryDay == Day("2026-11-13"))
    #expect(rest.quantity == pieces(2))
    #expect(rest.openedAt == nil)
    #expect(rest.expiryDay == Day("2026-12-01"))
    #expect(try edit.after.stock() == "3")
  }

  @Test("what is open can't be opened again")
  func twice() throws {
    var (edit, opening) = try opened(nil, keeps: nil)
    let batch = try #require(edit.after[opening.batch])
    #expect(throws: RuleError.alreadyOpened("Item 0", at: moment(10))) {
      try edit.open(batch, at: moment(11), by: writer())
    }
  }

  @Test("some of what lies loose is opened as a batch")
  func loose() throws {
    var edit = Edit(household(try item(loose: "3"), try place()))
    let opening = try edit.open(edit.after.milk, quantity: pieces(1), at: moment(10), by: writer())
    #expect(edit.after[opening.batch]?.openedAt == moment(10))
    #expect(try edit.after.milk.quantity == pieces(2))
    #expect(try edit.after.stock() == "3")
    #expect(throws: RuleError.self) {
      try edit.open(edit.after.milk, quantity: pieces(3), at: moment(10), by: writer())
    }
  }

  @Test("where nobody says how much: one piece or pack, or the size of the product's pack")
  func usual() throws {
    let pack = try entity(
      .product, #""id": "ean_1", "title": "Milk", "unit": "liter", "packSize": 1"#)
    let edit = Edit(household(pack))
    func usual(_ amount: String, _ unit: Unit, product: String = "ean_1") throws -> Quantity? {
      edit.usualOpening(of: try batch(1, amount, unit: unit, product: product))
    }
    #expect(try usual("6", .piece) == pieces(1))
    #expect(try usual("1", .piece) == nil)
    #expect(try usual("3", .liter) == amount("1", .liter))
    #expect(try usual("2500", .milliliter) == amount("1000", .milliliter))
    #expect(try usual("0.5", .liter) == nil)
    #expect(try usual("3", .liter, product: "ean_2") == nil)
  }
}

@Suite("What expires, and what there is")
struct ExpiryTests {
  private func dated(_ days: String?..., kind: String = "useBy") throws -> Household {
    var result = household(try home(), try item())
    for (index, day) in days.enumerated() {
      let batch = try batch(index + 1, "1", expiry: day, kind: kind)
      result.put(batch, at: result.defaultPath(for: batch))
    }
    return result
  }

  private func day(_ text: String) throws -> Day { try #require(Day(text)) }

  @Test("expired is what was to be used before today; due is from today, both ends included")
  func windows() throws {
    let stock = Stock(
      try dated("2026-11-20", "2026-11-21", "2026-11-28", "2026-11-29", nil, "2026-11-01"))
    let today = try day("2026-11-21")
    #expect(stock.expired(on: today).map(\.id) == [uuid(206), uuid(201)])
    #expect(stock.due(from: today, days: 7).map(\.id) == [uuid(202), uuid(203)])
    #expect(stock.due(from: today, days: 0).map(\.id) == [uuid(202)])
    #expect(stock.due(from: today, days: 8).map(\.id) == [uuid(202), uuid(203), uuid(204)])
  }

  @Test("a best-before day that has passed is not expired, and what is past it can be used")
  func pastBest() throws {
    let today = try day("2026-11-21")
    let best = try dated("2026-11-20", "2026-11-21", kind: "bestBefore")
    #expect(Stock(best).expired(on: today).isEmpty)
    #expect(Stock(best).pastBest(on: today).map(\.id) == [uuid(201)])
    #expect(Stock(best).holding(of: try best.milk).usableTotal(on: today) == Number(2))
    let used = try dated("2026-11-20", "2026-11-21")
    #expect(Stock(used).pastBest(on: today).isEmpty)
    #expect(Stock(used).holding(of: try used.milk).usableTotal(on: today) == Number(1))
    #expect(Stock(used).holding(of: try used.milk).level == .enough)
  }

  @Test("what is used up, discarded or archived is neither")
  func notActive() throws {
    var start = try dated("2026-11-20", "2026-11-20", "2026-11-20", "2026-11-20")
    var edit = Edit(start)
    _ = try edit.take(
      pieces(1), from: start.milk, lot: Lot(start.batch(1)), by: writer())
    edit.write([("status", .string("discarded"))], to: try start.batch(2).key, now: moment(3))
    edit.write([("status", .string("archived"))], to: try start.batch(3).key, now: moment(3))
    start = edit.after
    #expect(Stock(start).expired(on: try day("2026-11-21")).map(\.id) == [uuid(204)])
  }

  @Test("6. days are those of the household's zone, not of UTC")
  func zones() throws {
    // 2026-11-20T16:30Z is half past midnight of the 21st in Singapore.
    let moment = try #require(Instant("2026-11-20T16:30:00Z"))
    let stock = Stock(try dated("2026-11-20"))
    #expect(stock.expired(on: Day(moment, in: "UTC")).isEmpty)
    #expect(stock.expired(on: Day(moment, in: "Asia/Singapore")).count == 1)
    #expect(stock.due(from: Day(moment, in: "UTC"), days: 0).count == 1)
  }

  @Test(
    "the days on which the clocks change have their whole length",
    arguments: [
      // Berlin goes back at 03:00 on 2026-10-25, a day of 25 hours, and forward on 2026-03-29.
      ("2026-10-24T21:59:59.999Z", "2026-10-24"), ("2026-10-24T22:00:00Z", "2026-10-25"),
      ("2026-10-25T22:59:59.999Z", "2026-10-25"), ("2026-10-25T23:00:00Z", "2026-10-26"),
      ("2026-03-28T23:00:00Z", "2026-03-29"), ("2026-03-29T21:59:59.999Z", "2026-03-29"),
      ("2026-03-29T22:00:00Z", "2026-03-30"),
    ])
  func daylightSaving(moment: String, day: String) throws {
    #expect(Day(try #require(Instant(moment)), in: "Europe/Berlin").description == day)
  }

  @Test("the summary has one unit, counts batches, and knows the earliest day")
  func summary() throws {
    let start = household(
      try item(loose: "0.5", unit: .kilogram, products: #"["ean_1"]"#),
      try batch(1, "250", unit: .gram, expiry: "2026-12-02"),
      try batch(2, "1", unit: .kilogram, expiry: "2026-12-01", product: "ean_1"),
      try batch(3, "0", unit: .gram, expiry: "2026-11-01"),
      try batch(4, "3", unit: .kilogram, expiry: "2026-11-02", status: "discarded"))
    let stock = Stock(start)
    let all = try stock.summary(of: start.milk)
    #expect(try all.total == amount("1.75", .kilogram))
    #expect(try all.loose == amount("0.5", .kilogram))
    #expect(all.batchCount == 4)
    #expect(all.activeBatchCount == 2)
    #expect(all.earliestExpiry == Day("2026-12-01"))
    let product = try #require(stock.summary(ofProduct: "ean_1"))
    #expect(try product.total == amount("1", .kilogram))
    #expect(product.batchCount == 1)
    #expect(stock.summary(ofProduct: uuid(100)) == all)
    #expect(stock.summary(ofProduct: "ean_9") == nil)
  }

  @Test("what belongs to another household is never counted, listed, taken or joined")
  func isolation() throws {
    let foreign = try entity(
      .inventoryItem,
      #"""
      "id": #209, "householdId": #701, "productRef": {"productId": "\#(uuid(100))"},
      "expiryInfo": {"kind": "useBy", "isoDate": "2026-11-20"},
      "changes": [{"id": #9209, "at": @1, "set": 4, "why": "count", "by": "setup"}]
      """#)
    var start = try dated("2026-11-20")
    start.put(foreign, at: "batches/foreign.json")
    let stock = Stock(start)
    #expect(try stock.total(of: start.milk) == Number(1))
    #expect(stock.expired(on: try day("2026-11-21")).map(\.id) == [uuid(201)])
    #expect(try stock.summary(of: start.milk).batchCount == 1)
    var edit = Edit(start)
    #expect(throws: RuleError.self) { try edit.take(pieces(2), from: start.milk, by: writer()) }
    let error = RuleError.otherHousehold("Item 0", household: uuid(701))
    #expect(throws: error) {
      try edit.take(pieces(1), from: start.milk, lot: Lot(foreign), by: writer())
    }
    #expect(throws: error) { try edit.discard(foreign, by: writer()) }
    #expect(throws: error) { try edit.open(foreign, at: moment(10), by: writer()) }
    var details = BatchDetails(productID: uuid(100))
    details.expiry = foreign.expiry
    #expect(try edit.add(pieces(1), details, by: writer()).parts.first?.key.id == uuid(201))
    let findings = HouseholdCheck.findings(in: start, now: moment(20)).map(\.kind)
    #expect(findings.contains(.otherHousehold(uuid(701))))
  }
}
