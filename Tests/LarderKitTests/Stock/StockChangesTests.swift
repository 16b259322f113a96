import Foundation
import HomeSupport
import LarderKit
import LarderStore
import Testing
import TestSupport

@Suite("Hearing of a household's changes", .timeLimit(.minutes(10)))
struct StockChangesTests {
  @Test("what its own methods do is told at once, to everybody who listens")
  func own() async throws {
    let pantry = try Pantry()
    var first = try await pantry.larder.changes().makeAsyncIterator()
    var second = try await pantry.larder.changes().makeAsyncIterator()
    let batch = try await pantry.larder.add(pieces(2), pantry.details()).batch
    try await pantry.larder.consume(pieces(2), ofBatch: batch.id)
    try await pantry.larder.deleteForGood(batch: batch.id)
    for number in 0..<2 {
      let added = try #require(await number == 0 ? first.next() : second.next())
      #expect(added.cause == .own)
      #expect(added.differences.map(\.key.id) == [batch.id])
      #expect(added.differences[0].before == nil)
      #expect(added.differences[0].after?.updatedAt == batch.updatedAt)
      let used = try #require(await number == 0 ? first.next() : second.next())
      #expect(used.cause == .own)
      #expect(used.differences[0].quantity?.before == pieces(2))
      #expect(used.differences[0].quantity?.after == pieces(0))
      let deleted = try #require(await number == 0 ? first.next() : second.next())
      #expect(deleted.differences.map(\.isDeleted) == [true])
      #expect(deleted.differences[0].after == nil)
    }
  }

  @Test("what an editor saves is told once, under one id from the first")
  func editor() async throws {
    let pantry = try Pantry()
    // Files are from now, and a clock that was behind them would give them another time each time.
    let larder = try pantry.another {
      $0.now = { Instant(milliseconds: Int64(Date.now.timeIntervalSince1970 * 1000)) }
    }
    var changes = try await larder.changes().makeAsyncIterator()
    try pantry.store.write(
      #"{ "productRef": { "productId": "ean_1" }, "quantity": { "value": 4 } }"#,
      to: "batches/by-hand.json")
    let saved = try #require(await changes.next())
    #expect(saved.cause == .edits)
    #expect(saved.differences.map(\.path) == ["batches/by-hand.json"])
    let id = saved.differences[0].key.id
    // Adopting the edit is no news.
    try await larder.consume(pieces(1), ofBatch: id)
    let used = try #require(await changes.next())
    #expect(used.cause == .own)
    #expect(used.differences.map(\.key.id) == [id])
    #expect(used.differences[0].quantity?.after == pieces(3))
    try pantry.store.edit("batches/by-hand.json", #""value": 3"#, #""value": 2"#)
    let counted = try #require(await changes.next())
    #expect(counted.cause == .edits)
    #expect(counted.differences[0].quantity?.after == pieces(2))
  }

  @Test("what the larder program does meanwhile is told as another program's")
  func anotherProgram() async throws {
    let pantry = try Pantry()
    let eggs = try pantry.store.newItem("Eggs", 6)
    var changes = try await pantry.larder.changes().makeAsyncIterator()
    let larder = try CommandRunner()
    let outcome = try larder("-C", pantry.store.root, "stock", "use", "eggs", "2")
    #expect(outcome.code == 0, "\(outcome.errors)")
    let used = try #require(await changes.next())
    #expect(used.cause == .otherProgram)
    #expect(used.differences.map(\.key) == [eggs])
    #expect(used.differences[0].quantity?.after == pieces(4))
  }

  @Test("what is committed, switched to and pulled with plain git is told as people's")
  func plainGit() async throws {
    let pantry = try Pantry()
    let eggs = try pantry.store.newItem("Eggs", 6)
    let path = try pantry.store.path(eggs)
    try pantry.home.git(pantry.store, "switch", "-q", "-c", "party")
    try pantry.store.edit(path, #""quantityInStock": 6"#, #""quantityInStock": 60"#)
    try pantry.home.commitAll(pantry.store)
    try pantry.home.git(pantry.store, "switch", "-q", "main")
    var changes = try await pantry.larder.changes().makeAsyncIterator()
    try pantry.home.git(pantry.store, "merge", "-q", "party")
    let merged = try #require(await changes.next())
    #expect(merged.cause == .edits)
    #expect(merged.differences.map(\.key) == [eggs])
    #expect(merged.differences[0].quantity?.after == pieces(60))
  }

  @Test("what a sync brings from other devices is told as theirs")
  func sync() async throws {
    let pantry = try Pantry(alone: false)
    var changes = try await pantry.larder.changes().makeAsyncIterator()
    let eggs = try pantry.home.phone.newItem("Eggs", 6)
    try pantry.home.sync(pantry.home.phone)
    try pantry.home.sync(try pantry.home.opened(pantry.store))
    let forwarded = try #require(await changes.next())
    #expect(forwarded.cause == .sync)
    #expect(forwarded.differences.map(\.key) == [eggs])
    try pantry.home.phone.consume(eggs, 1)
    try pantry.home.sync(pantry.home.phone)
    try await pantry.larder.add(pieces(1), pantry.details())
    #expect(await changes.next()?.cause == .own)
    try pantry.home.sync(try pantry.home.opened(pantry.store))
    let merged = try #require(await changes.next())
    #expect(merged.cause == .sync)
    #expect(merged.differences[0].quantity?.after == pieces(5))
  }

  @Test("what happened just before a method of its own is told before it, and nothing twice")
  func inOrder() async throws {
    let pantry = try Pantry()
    let eggs = try pantry.store.newItem("Eggs", 60)
    let stream = try await pantry.larder.changes()
    for _ in 0..<5 {
      try pantry.store.consume(eggs, 1)
      try await pantry.larder.add(pieces(1), pantry.details())
    }
    var taken = 0
    var added = 0
    for await change in stream {
      for difference in change.differences {
        let quantity = try #require(difference.quantity)
        let before = quantity.before?.value ?? .zero
        let after = try #require(quantity.after).value
        if difference.key == eggs {
          #expect(before == Number(60 - taken))
          #expect(change.cause == .otherProgram)
          taken += 1
        } else {
          #expect(before == Number(added))
          #expect(change.cause == .own)
          added += 1
        }
        #expect(after == (difference.key == eggs ? Number(60 - taken) : Number(added)))
      }
      if added == 5 { break }
    }
    #expect(taken == 5)
  }

  @Test("what is the neighbours' is not told of, a file that breaks is once it is mended")
  func untold() async throws {
    let pantry = try Pantry()
    let eggs = try pantry.store.newItem("Eggs", 6)
    let path = try pantry.store.path(eggs)
    let text = try pantry.store.text(path)
    var changes = try await pantry.larder.changes().makeAsyncIterator()
    _ = try pantry.foreignBatch()
    try pantry.store.write("{ half a fi", to: path)
    try await Task.sleep(for: .milliseconds(500))
    try pantry.store.write(
      text.replacing(#""quantityInStock": 6"#, with: #""quantityInStock": 5"#), to: path)
    let mended = try #require(await changes.next())
    #expect(mended.differences.map(\.key) == [eggs])
    #expect(mended.differences[0].quantity?.after == pieces(5))
  }

  @Test("nobody has to hold the larder to listen, and once nobody listens it is gone")
  func released() async throws {
    let pantry = try Pantry()
    weak var released: Larder?
    do {
      let larder = try pantry.another()
      released = larder
      let stream = try await larder.changes()
      let listening = Task { () -> Int in
        var count = 0
        for await _ in stream { count += 1 }
        return count
      }
      try await larder.add(pieces(1), pantry.details())
      listening.cancel()
      #expect(await listening.value <= 1)
    }
    for _ in 0..<200 where released != nil { try await Task.sleep(for: .milliseconds(50)) }
    #expect(released == nil)
  }

  @Test("somebody who listens anew hears of what happens from then on alone")
  func anew() async throws {
    let pantry = try Pantry()
    do {
      var former = try await pantry.larder.changes().makeAsyncIterator()
      try await pantry.larder.add(pieces(1), pantry.details())
      #expect(await former.next()?.cause == .own)
    }
    try await pantry.larder.add(pieces(1), pantry.details("ean_2"))
    var changes = try await pantry.larder.changes().makeAsyncIterator()
    let batch = try await pantry.larder.add(pieces(1), pantry.details("ean_3")).batch
    #expect(await changes.next()?.differences.map(\.key.id) == [batch.id])
  }

  @Test("with the household's folder the stream ends")
  func gone() async throws {
    let pantry = try Pantry()
    var changes = try await pantry.larder.changes().makeAsyncIterator()
    try FileManager.default.removeItem(atPath: pantry.store.root)
    while let change = await changes.next() { #expect(change.cause == .edits) }
    await #expect(throws: StoreError.self) { try await pantry.larder.changes() }
  }
}
