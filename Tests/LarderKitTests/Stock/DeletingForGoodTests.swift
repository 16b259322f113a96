import Foundation
import HomeSupport
import LarderKit
import LarderStore
import Testing
import TestSupport

@Suite("Deleting a batch for good")
struct DeletingForGoodTests {
  private func expectRefused(
    _ pantry: Pantry, _ id: String, _ location: SourceLocation = #_sourceLocation
  ) async throws {
    let head = try pantry.store.head()
    let error = await #expect(throws: RuleError.self, sourceLocation: location) {
      try await pantry.larder.deleteForGood(batch: id)
    }
    #expect(error == .knownElsewhere("ean_1"), sourceLocation: location)
    #expect(try pantry.store.head() == head, sourceLocation: location)
  }

  @Test("what no remote has goes with its file, and no sync brings it back")
  func unknownElsewhere() async throws {
    let pantry = try Pantry(alone: false)
    let kept = try await pantry.larder.add(pieces(1), pantry.details("ean_2")).batch
    let batch = try await pantry.larder.add(pieces(2), pantry.details()).batch
    let path = try pantry.store.path(EntityKey(.inventoryItem, batch.id))
    try await pantry.larder.deleteForGood(batch: batch.id)
    #expect(!pantry.store.exists(path))
    #expect(try await pantry.larder.survey().batch(batch.id) == nil)
    #expect(try await pantry.larder.survey().summary(of: "ean_1") == nil)
    #expect(try pantry.lastCommit().contains("Larder-Command: app\n"))
    #expect(try pantry.store.status() == "")
    try pantry.home.phone.newItem("Eggs", 6)
    try pantry.home.sync(pantry.home.phone)
    try pantry.home.settle()
    for device in pantry.home.devices {
      let keys = try device.read().household.all(.inventoryItem).map(\.id)
      #expect(keys == [kept.id])
    }
  }

  @Test("what was synced can be discarded only")
  func knownElsewhere() async throws {
    let pantry = try Pantry(alone: false)
    let batch = try await pantry.larder.add(pieces(2), pantry.details()).batch
    try pantry.home.sync(pantry.store)
    try await expectRefused(pantry, batch.id)
    #expect(try await pantry.larder.survey().batch(batch.id) == batch)
    try await pantry.larder.discard(batch: batch.id)
    try await expectRefused(pantry, batch.id)
    try pantry.home.settle()
    #expect(try pantry.home.phone.entity(EntityKey(.inventoryItem, batch.id)).isTombstone)
  }

  @Test("what was pushed with plain git, to any branch of any remote, is known there")
  func pushed() async throws {
    let pantry = try Pantry()
    let batch = try await pantry.larder.add(pieces(2), pantry.details()).batch
    try Git.run("init", "-q", "--bare", pantry.home.folder("disk.git"), in: pantry.store.root)
    try Git.run("remote", "add", "disk", pantry.home.folder("disk.git"), in: pantry.store.root)
    try pantry.home.git(pantry.store, "push", "-q", "disk", "HEAD:refs/heads/backup/today")
    try await expectRefused(pantry, batch.id)
    try pantry.home.git(pantry.store, "pack-refs", "--all")
    try await expectRefused(pantry, batch.id)
  }

  @Test("what a plain commit on a remote only hints at is known there too")
  func plainCommit() async throws {
    let pantry = try Pantry(alone: false)
    try pantry.store.write(
      #"{ "productRef": { "productId": "ean_1" }, "quantity": { "value": 4 } }"#,
      to: "batches/by-hand.json")
    try pantry.home.commitAll(pantry.store)
    try pantry.home.git(pantry.store, "push", "-q", "origin", "main")
    _ = try pantry.store.adopt()
    let batch = try #require(try await pantry.larder.survey().batches(of: "ean_1").first)
    try await expectRefused(pantry, batch.id)
  }

  @Test("what the cloud has is known there, a remote's HEAD that leads nowhere says nothing")
  func cloud() async throws {
    let pantry = try Pantry()
    let batch = try await pantry.larder.add(pieces(2), pantry.details()).batch
    try pantry.home.git(
      pantry.store, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/gone")
    try pantry.home.git(pantry.store, "update-ref", "refs/larder/cloud", "HEAD")
    try await expectRefused(pantry, batch.id)
    try pantry.home.git(pantry.store, "update-ref", "-d", "refs/larder/cloud")
    try await pantry.larder.deleteForGood(batch: batch.id)
    #expect(try await pantry.larder.survey().batch(batch.id) == nil)
  }

  @Test("an undo brings the file back as it was, and a redo takes it away again")
  func undo() async throws {
    let pantry = try Pantry()
    let batch = try await pantry.larder.add(pieces(2), pantry.details()).batch
    let path = try pantry.store.path(EntityKey(.inventoryItem, batch.id))
    let text = try pantry.store.text(path)
    try await pantry.larder.deleteForGood(batch: batch.id)
    _ = try pantry.store.undo()
    #expect(try pantry.store.text(path) == text)
    #expect(try await pantry.larder.survey().batch(batch.id) == batch)
    _ = try pantry.store.redo()
    #expect(try await pantry.larder.survey().batches(of: "ean_1") == [])
  }

  @Test("while a sync is under way it waits, and gives up after the context's patience")
  func syncing() async throws {
    let pantry = try Pantry()
    let batch = try await pantry.larder.add(pieces(2), pantry.details()).batch
    let other = try pantry.home.opened(pantry.store)
    let lock = try other.syncLock()
    let error = await #expect(throws: StoreError.self) {
      try await pantry.larder.deleteForGood(batch: batch.id)
    }
    lock.release()
    guard case .locked(milliseconds: 200)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    try await pantry.larder.deleteForGood(batch: batch.id)
  }
}
