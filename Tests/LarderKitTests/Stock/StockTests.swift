import Foundation
import HomeSupport
import LarderKit
import LarderStore
import Testing
import TestSupport

@Suite("An app's stock")
struct StockTests {
  @Test("what agrees in product, day, opening, place and code joins its batch, in one commit")
  func merging() async throws {
    let pantry = try Pantry()
    let details = pantry.details(expiry: "2023-12-01", at: pantry.fridge, lot: "L1")
    let first = try await pantry.larder.add(pieces(2), details)
    let count = try pantry.store.log().count
    let second = try await pantry.larder.add(pieces(3), details)
    #expect(first.change.isNewBatch)
    #expect(!second.change.isNewBatch)
    #expect(second.batch.id == first.batch.id)
    #expect(second.batch.quantity == pieces(5))
    #expect(second.change.parts.map(\.rest) == [pieces(5)])
    #expect(second.batch.updatedAt > first.batch.updatedAt)
    #expect(try pantry.store.log().count == count + 1)
    #expect(try pantry.lastCommit().contains("Larder-Command: app\n"))
    #expect(try await pantry.larder.survey().batches(of: "ean_1") == [second.batch])
    #expect(try pantry.store.status() == "")
  }

  @Test("what differs in place, day or code is a batch of its own")
  func notMerging() async throws {
    let pantry = try Pantry()
    let all = [
      pantry.details(expiry: "2023-12-01", at: pantry.fridge),
      pantry.details(expiry: "2023-12-01", at: pantry.cellar),
      pantry.details(expiry: "2023-12-02", at: pantry.fridge),
      pantry.details(expiry: "2023-12-01", at: pantry.fridge, lot: "L1"),
      pantry.details(at: pantry.fridge),
    ]
    for details in all {
      #expect(try await pantry.larder.add(pieces(1), details).change.isNewBatch)
    }
    let summary = try #require(try await pantry.larder.survey().summary(of: "ean_1"))
    #expect(summary.total == pieces(5))
    #expect(summary.batchCount == 5)
    #expect(summary.activeBatchCount == 5)
    #expect(summary.earliestExpiry == Day("2023-12-01"))
  }

  @Test("a batch tells all that was said of it")
  func fields() async throws {
    let pantry = try Pantry()
    var details = pantry.details(at: pantry.fridge, lot: "L1")
    details.expiry = ExpiryInfo(
      .bestBefore, Day("2023-12-01"), rawText: "1 DEC", confidence: try #require(Number("0.75")))
    details.notes = "top shelf"
    details.snapshot = ProductSnapshot(title: "Oat milk", brand: "Oatly")
    let added = try await pantry.larder.add(Quantity(Number(2), .liter), details).batch
    let batch = try #require(try await pantry.larder.survey().batch(added.id))
    #expect(batch == added)
    #expect(batch.productID == "ean_1")
    #expect(batch.snapshot == details.snapshot)
    #expect(batch.quantity == Quantity(Number(2), .liter))
    #expect(batch.status == .active)
    #expect(batch.locationID == pantry.fridge)
    #expect(batch.lotCode == "L1")
    #expect(batch.expiry == details.expiry)
    #expect(batch.opened == nil)
    #expect(batch.notes == "top shelf")
    #expect(batch.consumedAt == nil)
    #expect(try await !batch.isExpired(on: pantry.larder.survey().calendar.today))
    #expect(try await pantry.larder.survey().batch("nothing") == nil)
  }

  @Test("a request that is repeated adds once and says what it came to, on a new day too")
  func repeatedAdding() async throws {
    let pantry = try Pantry()
    let details = pantry.details(at: pantry.fridge)
    let first = try await pantry.larder.add(pieces(2), details, request: "delivery")
    try await pantry.larder.add(pieces(5), details)
    let head = try pantry.store.head()
    let again = try await pantry.another().add(pieces(2), details, request: "delivery")
    #expect(!first.change.isRepeated)
    #expect(again.change.isRepeated)
    #expect(again.change.isNewBatch)
    #expect(again.batch.id == first.batch.id)
    #expect(again.change.parts.map(\.rest) == [pieces(2)])
    #expect(again.batch.quantity == pieces(7))
    #expect(try pantry.store.head() == head)
    #expect(try Git.run("log", "--format=%B", in: pantry.store.root).contains("Request: delivery"))
  }

  @Test("a request that is repeated consumes once and says what it came to")
  func repeatedConsuming() async throws {
    let pantry = try Pantry()
    try await pantry.larder.add(pieces(2), pantry.details(expiry: "2023-12-01"))
    try await pantry.larder.add(pieces(3), pantry.details())
    let first = try await pantry.larder.consume(
      pieces(3), ofProduct: "ean_1", request: "breakfast")
    try await pantry.larder.consume(pieces(1), ofProduct: "ean_1")
    let head = try pantry.store.head()
    let again = try await pantry.larder.consume(
      pieces(3), ofProduct: "ean_1", request: "breakfast")
    #expect(again.isRepeated)
    #expect(again.parts == first.parts)
    #expect(again.total == first.total)
    #expect(try pantry.store.head() == head)
    #expect(try await pantry.larder.survey().summary(of: "ean_1")?.total == pieces(1))
  }

  @Test("what expires first is used first, undated batches last, each told with what is left")
  func order() async throws {
    let pantry = try Pantry()
    let undated = try await pantry.larder.add(pieces(4), pantry.details()).batch
    let later = try await pantry.larder.add(pieces(2), pantry.details(expiry: "2024-01-05"))
    let sooner = try await pantry.larder.add(pieces(2), pantry.details(expiry: "2024-01-02"))
    #expect(
      try await pantry.larder.survey().batches(of: "ean_1").map(\.id)
        == [sooner.batch.id, later.batch.id, undated.id])
    let used = try await pantry.larder.consume(pieces(3), ofProduct: "ean_1")
    #expect(used.parts.map(\.key.id) == [sooner.batch.id, later.batch.id])
    #expect(used.parts.map(\.quantity) == [pieces(2), pieces(1)])
    #expect(used.parts.map(\.rest) == [pieces(0), pieces(1)])
    #expect(used.total == pieces(5))
    #expect(used.missing(of: pieces(3)) == pieces(0))
    let spent = try #require(try await pantry.larder.survey().batch(sooner.batch.id))
    #expect(spent.status == .consumed)
    #expect(spent.consumedAt != nil)
    #expect(
      try await pantry.larder.survey().batches(of: "ean_1", includingPast: true).map(\.id)
        == [later.batch.id, undated.id, sooner.batch.id])
  }

  @Test(
    "an item is used from its products' batches, then from what lies loose, and gets onto the list")
  func item() async throws {
    let pantry = try Pantry()
    let milk = try pantry.store.newItem("Milk", 2)
    try pantry.store.set("products", .array([.string("ean_1")]), of: milk)
    let batch = try await pantry.larder.add(pieces(1), pantry.details()).batch
    #expect(try await pantry.larder.survey().summary(of: milk.id)?.total == pieces(3))
    #expect(try await pantry.larder.survey().summary(of: milk.id)?.loose == pieces(2))
    #expect(try await pantry.larder.survey().batches(of: milk.id) == [batch])
    let used = try await pantry.larder.consume(pieces(3), ofProduct: milk.id)
    #expect(used.parts.map(\.key.id) == [batch.id, milk.id])
    #expect(used.parts.map(\.key.kind) == [.inventoryItem, .stockItem])
    #expect(try await pantry.larder.survey().household.all(.shoppingListEntry).count == 1)
    #expect(try pantry.lastCommit().hasPrefix("use 3 of Milk\n"))
    let summary = try await pantry.larder.count(pieces(4), ofItem: milk.id)
    #expect(summary.loose == pieces(4))
    #expect(summary.total == pieces(4))
  }

  @Test("partially, what there is is taken, and what was missing is said")
  func partially() async throws {
    let pantry = try Pantry()
    try pantry.store.set(.archiveConsumed, true)
    let batch = try await pantry.larder.add(
      Quantity(Number(1), .kilogram), pantry.details()
    ).batch
    let used = try await pantry.larder.consume(
      Quantity(Number(1500), .gram), ofBatch: batch.id, partially: true)
    #expect(used.parts.map(\.quantity) == [Quantity(Number(1), .kilogram)])
    #expect(used.missing(of: Quantity(Number(1500), .gram)) == Quantity(Number(500), .gram))
    #expect(try await pantry.larder.survey().batch(batch.id)?.status == .archived)
    #expect(try pantry.lastCommit().hasPrefix("use 1000 g of ean_1\n"))
  }

  @Test("what is spoilt is gone, with the reason in its history, and is no use")
  func spoiling() async throws {
    let pantry = try Pantry()
    let batch = try await pantry.larder.add(pieces(5), pantry.details()).batch
    try await pantry.larder.spoil(pieces(1), ofProduct: "ean_1")
    let rest = try await pantry.larder.spoil(ofBatch: batch.id, reason: "mouldy")
    #expect(rest.parts.map(\.quantity) == [pieces(4)])
    #expect(try await pantry.larder.survey().batch(batch.id)?.status == .consumed)
    let entity = try pantry.store.entity(EntityKey(.inventoryItem, batch.id))
    #expect(entity.ledger.entries.map(\.why) == [.add, .spoil, .spoil])
    #expect(entity.ledger.entries.last?.note == "mouldy")
    #expect(try pantry.lastCommit().contains("Larder-Command: app\n"))
  }

  @Test("a count is what there is, also of a batch that was used up")
  func counting() async throws {
    let pantry = try Pantry()
    let batch = try await pantry.larder.add(pieces(5), pantry.details()).batch
    #expect(try await pantry.larder.count(pieces(0), ofBatch: batch.id).status == .consumed)
    let found = try await pantry.larder.count(pieces(2), ofBatch: batch.id)
    #expect(found.quantity == pieces(2))
    #expect(found.status == .active)
    #expect(found.consumedAt == nil)
  }

  @Test("a batch moves whole, and a part of it becomes a batch there or joins its like")
  func moving() async throws {
    let pantry = try Pantry()
    let batch = try await pantry.larder.add(pieces(5), pantry.details(at: pantry.fridge)).batch
    let part = try await pantry.larder.move(
      batch: batch.id, to: pantry.cellar, quantity: pieces(2), unchangedSince: batch.updatedAt)
    #expect(part.id != batch.id)
    #expect(part.quantity == pieces(2))
    #expect(part.locationID == pantry.cellar)
    let more = try await pantry.larder.move(
      batch: batch.id, to: pantry.cellar, quantity: pieces(1))
    #expect(more.id == part.id)
    #expect(more.quantity == pieces(3))
    let whole = try await pantry.larder.move(batch: batch.id, to: pantry.cellar)
    #expect(whole.id == batch.id)
    #expect(whole.quantity == pieces(2))
    #expect(try await pantry.larder.survey().summary(of: "ean_1")?.total == pieces(5))
    #expect(try pantry.lastCommit().hasPrefix("move 2 of ean_1 to Cellar\n"))
  }

  @Test("opening brings the expiry forward as the catalogue says, and warns of what was over")
  func opening() async throws {
    let pantry = try Pantry()
    try pantry.store.commit(as: "test") { edit, writer in
      edit.put(
        edit.new(
          .product, id: "ean_1",
          [("title", .string("Oat milk")), ("bestAfterOpeningDays", Number(5).json)], by: writer))
      return ("catalogue", ())
    }.get().value
    let batch = try await pantry.larder.add(pieces(3), pantry.details(expiry: "2024-05-01"))
      .batch
    #expect(batch.snapshot?.title == "Oat milk")
    let moment = try #require(Instant("2023-11-20T10:00:00Z"))
    let opened = try await pantry.larder.open(batch: batch.id, quantity: pieces(1), at: moment)
    #expect(opened.batch.id != batch.id)
    #expect(opened.batch.opened?.date == moment)
    #expect(opened.batch.expiry?.date == Day("2023-11-25"))
    #expect(opened.expiryBefore == Day("2024-05-01"))
    #expect(opened.warnings == [])
    let late = try #require(Instant("2024-06-01T10:00:00Z"))
    let warned = try await pantry.larder.open(batch: batch.id, at: late)
    #expect(warned.batch.id == batch.id)
    let days = try (#require(Day("2024-06-01")), #require(Day("2024-05-01")))
    #expect(warned.warnings == [.openedAfterExpiry(opened: days.0, expiry: days.1)])
  }

  @Test("dates are written and removed one by one; the same dates again are no commit")
  func dating() async throws {
    let pantry = try Pantry()
    let batch = try await pantry.larder.add(pieces(3), pantry.details(expiry: "2024-05-01"))
      .batch
    let opened = OpenedInfo(.opened, Instant("2023-11-20T10:00:00Z"))
    let dated = try await pantry.larder.updateDates(ofBatch: batch.id, opened: .set(opened))
    #expect(dated.batch.expiry == batch.expiry)
    #expect(dated.batch.opened == opened)
    let head = try pantry.store.head()
    let again = try await pantry.larder.updateDates(ofBatch: batch.id, opened: .set(opened))
    #expect(again.batch == dated.batch)
    #expect(try pantry.store.head() == head)
    let removed = try await pantry.larder.updateDates(ofBatch: batch.id, expiry: .remove)
    #expect(removed.batch.expiry == nil)
    #expect(removed.expiryBefore == Day("2024-05-01"))
    #expect(removed.batch.opened == opened)
  }

  @Test("a discarded batch counts no more, keeps its file, and can be brought back")
  func discarding() async throws {
    let pantry = try Pantry()
    let batch = try await pantry.larder.add(pieces(3), pantry.details()).batch
    let path = try pantry.store.path(EntityKey(.inventoryItem, batch.id))
    let discarded = try await pantry.larder.discard(batch: batch.id)
    #expect(discarded.status == .discarded)
    #expect(discarded.quantity == pieces(3))
    let head = try pantry.store.head()
    #expect(try await pantry.larder.discard(batch: batch.id) == discarded)
    #expect(try pantry.store.head() == head)
    #expect(try await pantry.larder.survey().summary(of: "ean_1")?.total == pieces(0))
    #expect(pantry.store.exists(path))
    _ = try pantry.store.undo()
    #expect(try await pantry.larder.survey().batch(batch.id)?.status == .active)
    try await pantry.larder.discard(batch: batch.id)
    let restored = try await pantry.larder.restore(batch: batch.id)
    #expect(restored.status == .active)
    #expect(restored.quantity == pieces(3))
  }

  @Test("a store that was just made is taken over")
  func takenOver() async throws {
    let folder = try Folder()
    let clock = TestClock()
    let store = try Store.create(
      at: folder("app"), name: "App", timeZone: "Europe/London", currency: nil, program: "larder",
      context: StoreContext(now: { clock.now() }, device: "phone"))
    let larder = Larder(store)
    #expect(larder.root == folder("app"))
    try await larder.add(pieces(1), BatchDetails(productID: "ean_1"))
    #expect(try await larder.survey().summary(of: "ean_1")?.total == pieces(1))
  }

  @Test("a batch that somebody wrote by hand can be used under the id it was read under")
  func handWritten() async throws {
    let pantry = try Pantry()
    try pantry.store.write(
      #"{ "productRef": { "productId": "ean_1" }, "quantity": { "value": 4 } }"#,
      to: "batches/by-hand.json")
    let read = try #require(try await pantry.larder.survey().batches(of: "ean_1").first)
    #expect(try await pantry.larder.survey().batches(of: "ean_1").map(\.id) == [read.id])
    try await pantry.larder.consume(pieces(1), ofBatch: read.id)
    #expect(try await pantry.larder.survey().batch(read.id)?.quantity == pieces(3))
    #expect(try pantry.store.path(EntityKey(.inventoryItem, read.id)) == "batches/by-hand.json")
    try FileManager.default.copyItem(
      atPath: pantry.store.root + "/batches/by-hand.json",
      toPath: pantry.store.root + "/batches/copy.json")
    let copy = try #require(
      try await pantry.larder.survey().batches(of: "ean_1").first { $0.id != read.id })
    try await pantry.larder.consume(pieces(3), ofBatch: copy.id)
    #expect(try await pantry.larder.survey().batches(of: "ean_1").map(\.id) == [read.id])
  }

  @Test(
    "larders and a plain store at one folder lose nothing and make one batch",
    .timeLimit(.minutes(10)))
  func together() async throws {
    let pantry = try Pantry()
    let details = pantry.details(expiry: "2023-12-01", at: pantry.fridge)
    let larders = try (0..<2).map { _ in try pantry.another { $0.patience = 60_000 } }
    var context = pantry.home.context("laptop")
    context.patience = 60_000
    let (root, shared) = (pantry.store.root, context)
    try await withThrowingTaskGroup { group in
      for (index, larder) in larders.enumerated() {
        group.addTask {
          for number in 0..<8 {
            try await larder.add(pieces(1), details)
            try await larder.add(pieces(1), details, request: "both \(number)")
            try await larder.add(pieces(1), details, request: "\(index) \(number)")
          }
        }
      }
      group.addTask {
        let store = try Store.open(from: root, context: shared)
        for _ in 0..<8 {
          try store.commit(as: "test") { edit, writer in
            _ = try edit.add(pieces(1), details, by: writer)
            return ("add", ())
          }.get().value
        }
      }
      try await group.waitForAll()
    }
    let batches = try await pantry.larder.survey().batches(of: "ean_1", includingPast: true)
    #expect(batches.map(\.quantity) == [pieces(16 + 8 + 16 + 8)])
    #expect(try pantry.store.status() == "")
  }
}
