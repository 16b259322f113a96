import Foundation
import LarderJSON
import LarderKit
import LarderModel
import LarderStore
import TestSupport
import Testing

@testable import LarderCloud

/// An app on one device, whose household is in the local Supabase.
private struct App {
  let member: Member
  let larder: Larder
  let sync: CloudSync
  private let folder: Folder

  /// The app of a new household, or another one of the household that an app has.
  init(beside other: App? = nil) async throws {
    folder = try Folder()
    let root = folder("home")
    let context = StoreContext(now: { .current }, device: other == nil ? "laptop" : "phone")
    let store: Store
    if let other {
      member = other.member
      let own = try #require(try await other.larder.survey().household.own)
      store = try Store.create(at: root, of: own, program: "larder", context: context)
      try store.setUserID(UUID().uuidString.lowercased())
    } else {
      member = try await Member(LocalSupabase.shared.get())
      store = try Store.create(
        at: root, name: "Home", timeZone: "UTC", currency: nil, program: "larder",
        context: context)
    }
    larder = Larder(store)
    sync = CloudSync(
      try Store.open(from: root, context: context), client: member.client, now: { .current })
  }

  /// Adds a batch that expires in so many days, and gives its key.
  @discardableResult
  func add(expiringIn days: Int = 3) async throws -> EntityKey {
    var details = BatchDetails(productID: "ean_\(days)")
    details.expiry = ExpiryInfo(.expiry, Day(.current, in: "UTC").adding(days: days))
    let batch = try await larder.add(Quantity(Number(1), .piece), details).batch
    return EntityKey(.inventoryItem, batch.id)
  }
}

extension CloudSyncState {
  /// A word for which it is, and how much waits.
  fileprivate var summary: String {
    switch self {
    case .idle(let count): "idle \(count)"
    case .syncing: "syncing"
    case .synced(_, let count): "synced \(count)"
    case .failed(_, let count): "failed \(count)"
    }
  }
}

@Suite("An app's exchange with the cloud")
struct CloudSyncTests {
  @Test("the states begin with what waits, and say how each exchange ended and what still waits")
  func states() async throws {
    let app = try await App()
    try await app.add()
    var states = await app.sync.states().makeAsyncIterator()
    #expect(await states.next()?.summary == "idle 2")
    _ = try await app.sync.sync()
    #expect(await states.next()?.summary == "synced 0")

    try await app.add(expiringIn: 5)
    try app.member.supabase.fail(
      app.member.email, ["status": 400], ["path": "/rest/v1/rpc/news"])
    await #expect(throws: CloudError.self) { try await app.sync.sync() }
    guard case .failed(CloudError.rejected, 1)? = await states.next() else {
      Issue.record("the failure was not told")
      return
    }
    try app.member.supabase.mend(app.member.email)
    _ = try await app.sync.push()
    #expect(await states.next()?.summary == "synced 0")
    var later = await app.sync.states().makeAsyncIterator()
    #expect(await later.next()?.summary == "idle 0")
  }

  @Test("while an exchange is under way the states say so, and nothing says so once it is over")
  func underWay() async throws {
    let app = try await App()
    for days in 0..<20 { try await app.add(expiringIn: days) }
    try app.member.supabase.fail(app.member.email, ["delay": 1.5], ["times": 1])
    let stream = await app.sync.states()
    let listening = Task {
      var seen: [String] = []
      for await state in stream {
        seen.append(state.summary)
        if case .synced = state { break }
      }
      return seen
    }
    _ = try await app.sync.push()
    let seen = await listening.value
    #expect(seen.contains("syncing"))
    #expect(seen.last == "synced 0")
    try app.member.supabase.mend(app.member.email)

    // What was told of progress on another thread may come after the end.
    var states = await app.sync.states().makeAsyncIterator()
    try await app.add()
    _ = try await app.sync.push()
    await app.sync.tell(.pushed(entities: 1, of: 1))
    #expect(await states.next()?.summary == "synced 0")
  }

  @Test("what an exchange changes here is told, all of it and nothing else")
  func changes() async throws {
    let laptop = try await App()
    let first = try await laptop.add()
    _ = try await laptop.sync.sync()
    let phone = try await App(beside: laptop)
    var changes = await phone.sync.changes().makeAsyncIterator()
    var others = await phone.sync.changes().makeAsyncIterator()
    let pulled = try await phone.sync.sync().pulled
    #expect(await changes.next() == pulled.changed)
    #expect(await others.next() == pulled.changed)
    #expect(pulled.changed.contains(first))

    // An exchange that brings nothing is no news, nor is what was done here.
    _ = try await phone.sync.sync()
    try await phone.add(expiringIn: 8)
    _ = try await phone.sync.sync()
    let second = try await laptop.add(expiringIn: 9)
    _ = try await laptop.sync.sync()
    _ = try await phone.sync.sync()
    #expect(await changes.next() == [second])
  }

  @Test("warming up brings what expires soon, once a day but for who asks again")
  func warmUp() async throws {
    let laptop = try await App()
    for days in [1, 2, 30] { try await laptop.add(expiringIn: days) }
    _ = try await laptop.sync.sync()
    let phone = try await App(beside: laptop)
    var changes = await phone.sync.changes().makeAsyncIterator()
    let warm = try await phone.sync.warmUp(withinDays: 2)
    #expect(await changes.next() == warm.pulled.changed)
    #expect(!warm.fromCacheOnly)
    #expect(warm.updatedLocalCount == 2)
    #expect(warm.fetchedCount >= 2)
    let batches = try await phone.larder.survey().expiring(withinDays: 60)
    #expect(batches.map(\.productID).sorted() == ["ean_1", "ean_2"])
    #expect(batches.allSatisfy { $0.quantity == Quantity(Number(1), .piece) })

    try await laptop.add(expiringIn: 0)
    _ = try await laptop.sync.sync()
    let again = try await phone.sync.warmUp(withinDays: 2)
    #expect(again.fromCacheOnly)
    #expect(again.fetchedCount == 0)
    #expect(try await phone.sync.warmUp(withinDays: 2, again: true).updatedLocalCount == 1)
    // All the rest comes with the next exchange, and nothing a second time.
    #expect(try await phone.sync.sync().pulled.changed.count == 1)
    #expect(try await phone.larder.survey().expiring(withinDays: 60).count == 4)
  }

  @Test("warming up without a network answers with what is here")
  func warmUpOffline() async throws {
    let app = try await App()
    try await app.add()
    _ = try await app.sync.sync()
    try app.member.supabase.fail(app.member.email, ["drop": "before"])
    var states = await app.sync.states().makeAsyncIterator()
    let outcome = try await app.sync.warmUp(withinDays: 7)
    #expect(outcome.fromCacheOnly)
    guard case .idle(pendingCount: 0) = await states.next() else {
      Issue.record("what was not exchanged is told as synced")
      return
    }
    try app.member.supabase.mend(app.member.email)
    #expect(try await !app.sync.warmUp(withinDays: 7).fromCacheOnly)
  }

  @Test("what is not here is found in the cloud, whoever brings it, and what is here without it")
  func find() async throws {
    let laptop = try await App()
    let phone = try await App(beside: laptop)
    _ = try await phone.sync.sync()
    let key = try await laptop.add()
    _ = try await laptop.sync.sync()
    try phone.member.supabase.fail(phone.member.email, ["delay": 1.0], ["times": 1])
    async let pulled = phone.sync.pull()
    async let found = phone.sync.find { $0[key]?.productID }
    #expect(try await found == "ean_3")
    #expect(try await pulled.changed == [key])
    #expect(try await phone.sync.find { $0[EntityKey(.product, "ean_0")]?.id } == nil)

    try phone.member.supabase.fail(phone.member.email, ["status": 400])
    #expect(try await phone.sync.find { $0[key]?.productID } == "ean_3")
    await #expect(throws: CloudError.self) {
      try await phone.sync.find { $0[EntityKey(.product, "ean_0")]?.id }
    }
    try phone.member.supabase.mend(phone.member.email)
  }

  @Test("exchanges that are asked for at once take turns")
  func atOnce() async throws {
    let app = try await App()
    for days in 0..<5 { try await app.add(expiringIn: days) }
    let attempted = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<4 { group.addTask { try await app.sync.sync().pushed.attempted } }
      return try await group.reduce(0, +)
    }
    #expect(attempted == 6, "each thing is sent by one of them")
    #expect(try await app.sync.pendingState().count(.pending) == 0)
  }

  @Test("the migration that is asked for is the last, and the database says so")
  func migration() async throws {
    let folder = Checkout.root.appending(path: "supabase/migrations").path()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    #expect(names.last?.prefix { $0 != "_" } == CloudSync.neededMigration[...])
    let app = try await App()
    let schema = try await app.member.client.call("larder_schema")
    #expect(schema["number"]?.string == CloudSync.neededMigration)
    #expect(schema["missing"]?.array == [])
    try app.member.supabase.fail(
      app.member.email, ["status": 200, "body": #"{"number":"20261001000000","missing":[]}"#],
      ["path": "/rest/v1/rpc/larder_schema"])
    await #expect(throws: CloudError.self) { try await app.sync.push() }
    await #expect(throws: CloudError.self) { try await app.sync.warmUp(withinDays: 1) }
    try app.member.supabase.mend(app.member.email)
    _ = try await app.sync.sync()
  }
}
