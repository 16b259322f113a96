import Foundation
import HomeSupport
import LarderKit
import LarderStore
import TestSupport
import Testing

@Suite("What an app's larder refuses")
struct StockRefusalTests {
  /// Nothing is committed by what is refused.
  private func expectNoCommit(
    _ pantry: Pantry, _ location: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Void
  ) async throws {
    let head = try pantry.store.head()
    try await body()
    #expect(try pantry.store.head() == head, sourceLocation: location)
    #expect(try pantry.store.status() == "", sourceLocation: location)
  }

  @Test("adding: nothing, an archived item, other units, unknown products, places that can't be")
  func adding() async throws {
    let pantry = try Pantry()
    let milk = try pantry.store.newItem("Milk", 2)
    let old = try pantry.store.newItem("Old", 2)
    try pantry.store.set("isArchived", .bool(true), of: old)
    try pantry.store.set(
      "isArchived", .bool(true), of: EntityKey(.storageLocation, pantry.cellar))
    let theirs = try pantry.foreignPlace()
    let larder = pantry.larder
    let unsure = pantry.details()
    try await expectNoCommit(pantry) {
      #expect(
        await refusal {
          try await larder.add(pieces(0), unsure)
        } == .notAboveZero(pieces(0)))
      #expect(
        await refusal {
          try await larder.add(pieces(1), pantry.details(old.id))
        } == .itemIsArchived(item: "Old"))
      #expect(
        await refusal {
          try await larder.add(Quantity(Number(1), .gram), pantry.details(milk.id))
        } == .unitsDoNotConvert(of: "Milk", .gram, .piece))
      #expect(
        await refusal {
          try await larder.add(pieces(1), unsure, strict: true)
        } == .unknownProduct("ean_1"))
      #expect(
        await refusal {
          try await larder.add(pieces(1), pantry.details(at: "nowhere"))
        } == .unknownLocation("nowhere"))
      #expect(
        await refusal {
          try await larder.add(pieces(1), pantry.details(at: pantry.cellar))
        } == .locationIsArchived("Cellar"))
      #expect(
        await refusal {
          try await larder.add(pieces(1), pantry.details(at: theirs))
        } == .otherHousehold("Their fridge", household: pantry.foreign))
      var doubtful = unsure
      doubtful.expiry = ExpiryInfo(.expiry, nil, confidence: Number(2))
      let details = doubtful
      #expect(
        await refusal {
          try await larder.add(pieces(1), details)
        } == .badConfidence(Number(2)))
    }
  }

  @Test("taking: more than there is, nothing, another unit, and what is unknown or used up")
  func taking() async throws {
    let pantry = try Pantry()
    let larder = pantry.larder
    let batch = try await larder.add(pieces(2), pantry.details()).batch
    try await expectNoCommit(pantry) {
      #expect(
        await refusal {
          try await larder.consume(pieces(3), ofProduct: "ean_1")
        } == .notEnough(item: "ean_1", wanted: pieces(3), available: pieces(2)))
      #expect(
        await refusal {
          try await larder.consume(pieces(3), ofBatch: batch.id)
        } == .notEnough(item: "ean_1", wanted: pieces(3), available: pieces(2)))
      #expect(
        await refusal {
          try await larder.consume(pieces(0), ofBatch: batch.id)
        } == .notAboveZero(pieces(0)))
      #expect(
        await refusal {
          try await larder.consume(Quantity(Number(1), .gram), ofBatch: batch.id)
        } == .unitsDoNotConvert(of: "ean_1", .gram, .piece))
      #expect(
        await refusal {
          try await larder.spoil(pieces(1), ofProduct: "ean_2")
        } == .unknownProduct("ean_2"))
      #expect(
        await refusal {
          try await larder.count(pieces(-1), ofBatch: batch.id)
        } == .belowZero(pieces(-1)))
    }
    #expect(try await larder.survey().batch(batch.id) == batch)
    try await larder.consume(pieces(2), ofBatch: batch.id)
    #expect(
      await refusal {
        try await larder.spoil(ofBatch: batch.id)
      } == .notAboveZero(pieces(0)))
    #expect(
      await refusal {
        try await larder.consume(pieces(1), ofBatch: batch.id)
      } == .batchIsNotActive("ean_1", status: "consumed"))
    try await larder.discard(batch: batch.id)
    #expect(
      await refusal {
        try await larder.count(pieces(1), ofBatch: batch.id)
      } == .batchIsNotActive("ean_1", status: "discarded"))
  }

  @Test("a batch that somebody has written to since, one that is used up, and one that is open")
  func changing() async throws {
    let pantry = try Pantry()
    let larder = pantry.larder
    let seen = try await larder.add(pieces(2), pantry.details()).batch
    let now = try await pantry.another().add(pieces(1), pantry.details()).batch
    let changed = RuleError.changedSince("ean_1", version: seen.updatedAt, updated: now.updatedAt)
    let version = seen.updatedAt
    try await expectNoCommit(pantry) {
      #expect(
        await refusal {
          try await larder.move(batch: seen.id, to: pantry.fridge, unchangedSince: version)
        } == changed)
      #expect(
        await refusal {
          try await larder.open(batch: seen.id, unchangedSince: version)
        } == changed)
      #expect(
        await refusal {
          try await larder.updateDates(
            ofBatch: seen.id, expiry: .remove, unchangedSince: version)
        } == changed)
      #expect(
        await refusal {
          try await larder.discard(batch: seen.id, unchangedSince: version)
        } == changed)
      #expect(
        await refusal {
          try await larder.deleteForGood(batch: seen.id, unchangedSince: version)
        } == changed)
      #expect(
        await refusal {
          try await larder.move(batch: seen.id, to: pantry.fridge, quantity: pieces(4))
        } == .tooMuch(of: "ean_1", wanted: pieces(4), available: pieces(3)))
    }
    let opened = try await larder.open(batch: seen.id).batch
    let moment = try #require(opened.opened?.date)
    #expect(
      await refusal { try await larder.open(batch: seen.id) }
        == .alreadyOpened("ean_1", at: moment))
    let day = try #require(Day("2020-01-01"))
    #expect(
      await refusal {
        try await larder.updateDates(
          ofBatch: seen.id, expiry: .set(ExpiryInfo(.expiry, day)), strict: true)
      }
        == .openedAfterExpiry(
          "ean_1", opened: Day(moment, in: "Europe/London"), expiry: day))
    try await larder.consume(pieces(3), ofBatch: seen.id)
    #expect(
      await refusal {
        try await larder.move(batch: seen.id, to: pantry.fridge)
      } == .batchIsNotActive("ean_1", status: "consumed"))
  }

  @Test("an id that is not there is named with its kind, whatever is to be done with it")
  func notFound() async throws {
    let pantry = try Pantry()
    let larder = pantry.larder
    let calls: [() async throws -> Void] = [
      {
        try await larder.consume(pieces(1), ofBatch: "gone")
      },
      { try await larder.spoil(ofBatch: "gone") },
      { try await larder.count(pieces(1), ofBatch: "gone") },
      {
        try await larder.move(batch: "gone", to: pantry.fridge)
      },
      { try await larder.open(batch: "gone") },
      { try await larder.updateDates(ofBatch: "gone") },
      { try await larder.discard(batch: "gone") },
      { try await larder.restore(batch: "gone") },
      { try await larder.deleteForGood(batch: "gone") },
    ]
    for call in calls {
      let error = await #expect(throws: NamingError.self) { try await call() }
      guard case .notFound(let missing)? = error else { continue }
      #expect(missing.kind == .inventoryItem && missing.words == "gone")
    }
    let error = await #expect(throws: NamingError.self) {
      try await larder.count(pieces(1), ofItem: "gone")
    }
    guard case .notFound(let missing)? = error else { return }
    #expect(missing.kind == .stockItem && missing.words == "gone")
    #expect(try await larder.survey().summary(of: "gone") == nil)
    #expect(try await larder.survey().batches(of: "gone") == [])
  }

  @Test("a request's id stands for one thing")
  func requests() async throws {
    let pantry = try Pantry()
    let larder = pantry.larder
    let batch = try await larder.add(pieces(5), pantry.details(), request: "added").batch
    let milk = try pantry.store.newItem("Milk")
    try pantry.store.commit(as: "stock put") { edit, writer in
      let item = try #require(edit.after[milk])
      _ = try edit.add(pieces(5), to: item, request: "loose", by: writer)
      return ("add", ())
    }.get().value
    try await expectNoCommit(pantry) {
      let calls: [(String, () async throws -> Void)] = [
        (
          "added",
          {
            try await larder.consume(pieces(1), ofBatch: batch.id, request: "added")
          }
        ),
        (
          "added",
          {
            try await larder.spoil(pieces(1), ofProduct: "ean_1", request: "added")
          }
        ),
        (
          "added",
          {
            try await larder.add(pieces(4), pantry.details(), request: "added")
          }
        ),
        (
          "added",
          {
            try await larder.add(
              pieces(5), BatchDetails(productID: "ean_2"), request: "added")
          }
        ),
        (
          "loose",
          {
            try await larder.add(pieces(5), pantry.details(), request: "loose")
          }
        ),
      ]
      for (request, call) in calls {
        let error = await #expect(throws: RuleError.self) { try await call() }
        guard case .requestIsTaken(let taken)? = error, taken.id == request else {
          Issue.record("\(String(describing: error))")
          continue
        }
      }
    }
  }

  @Test("what is the neighbours' is neither shown nor counted nor changed")
  func isolation() async throws {
    let pantry = try Pantry()
    let larder = pantry.larder
    let theirs = try pantry.foreignBatch()
    let ours = try await larder.add(
      pieces(2), pantry.details(expiry: "2023-11-15"), request: "theirs"
    ).batch
    #expect(try await larder.survey().batch(theirs) == nil)
    #expect(try await larder.survey().batches(of: "ean_1", includingPast: true) == [ours])
    #expect(try await larder.survey().expired() == [])
    #expect(try await larder.survey().expiring() == [ours])
    #expect(try await larder.survey().summary(of: "ean_1")?.batchCount == 1)
    let head = try pantry.store.head()
    let refused = RuleError.otherHousehold("ean_1", household: pantry.foreign)
    let calls: [() async throws -> Void] = [
      {
        try await larder.consume(pieces(1), ofBatch: theirs)
      },
      { try await larder.count(pieces(1), ofBatch: theirs) },
      {
        try await larder.move(batch: theirs, to: pantry.fridge)
      },
      { try await larder.open(batch: theirs) },
      {
        try await larder.updateDates(ofBatch: theirs, expiry: .remove)
      },
      { try await larder.discard(batch: theirs) },
      { try await larder.restore(batch: theirs) },
      { try await larder.deleteForGood(batch: theirs) },
    ]
    for call in calls { #expect(await refusal { try await call() } == refused) }
    #expect(try pantry.store.head() == head)
  }

  @Test("no household, one that can only be read, and one that somebody else is writing")
  func store() async throws {
    let folder = try Folder()
    let clock = TestClock()
    let context = StoreContext(now: { clock.now() }, device: "phone")
    let none = await #expect(throws: StoreError.self) {
      try await Larder.open(from: folder.path)
    }
    guard case .notAHousehold? = none else {
      Issue.record("\(String(describing: none))")
      return
    }
    try folder.write(
      #"{ "format": 1, "name": "Home", "timeZone": "UTC" }"#, to: "household.json")
    let larder = Larder(try Store.open(from: folder.path, context: context))
    #expect(try await larder.survey().expired() == [])
    let readOnly = await #expect(throws: StoreError.self) {
      try await larder.add(pieces(1), BatchDetails(productID: "ean_1"))
    }
    guard case .notARepository? = readOnly else {
      Issue.record("\(String(describing: readOnly))")
      return
    }
    let pantry = try Pantry()
    let lock = try pantry.store.locked()
    let locked = await #expect(throws: StoreError.self) {
      try await pantry.larder.add(pieces(1), pantry.details())
    }
    lock.release()
    guard case .locked(milliseconds: 200)? = locked else {
      Issue.record("\(String(describing: locked))")
      return
    }
    try await pantry.larder.add(pieces(1), pantry.details())
  }
}
