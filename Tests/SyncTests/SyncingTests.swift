import Foundation
import LarderGit
import LarderModel
import LarderStore
import LarderText
import Testing
import TestSupport

@Suite("What a sync does in every state that a repository can be in")
struct SyncingTests {
  let devices: Devices

  init() throws {
    devices = try Devices()
  }

  @Test("the first sync fills an empty remote and follows it from then on")
  func firstSync() throws {
    let laptop = try devices.first("laptop")
    let outcome = try devices.sync(laptop)
    #expect(outcome.sent == 1)
    #expect(try devices.hubContains(try devices.commit(laptop)))
    #expect(try laptop.repository?.upstream(ofBranch: "main")?.remote == "origin")
    #expect(try devices.sync(laptop).sent == 0)
  }

  @Test("without a remote, with an unknown one or with several it says so")
  func remotes() throws {
    let laptop = try devices.first("laptop")
    try laptop.git("remote", "rename", "origin", "north")
    try laptop.git("remote", "add", "south", devices.folder("hub.git"))
    expect(laptop) { if case .whichRemote(["north", "south"]) = $0 { true } else { false } }
    expect(laptop, remote: "west") {
      if case .unknownRemote("west", known: ["north", "south"]) = $0 { true } else { false }
    }
    _ = try Synchronizer(store: laptop).sync(remote: "south")
    #expect(try devices.sync(laptop).remote == "south")
    try laptop.git("remote", "remove", "north")
    try laptop.git("remote", "remove", "south")
    expect(laptop) { if case .noRemote = $0 { true } else { false } }
  }

  @Test("a detached HEAD and a branch without a commit are refused")
  func heads() throws {
    let (laptop, _, _) = try devices.pair()
    try laptop.git("checkout", "-q", "--detach")
    #expect {
      try devices.sync(laptop)
    } throws: {
      if case .looseHead = $0 as? StoreError { true } else { false }
    }
    try laptop.git("checkout", "-q", "--orphan", "empty")
    expect(laptop) { if case .noCommit = $0 { true } else { false } }
  }

  @Test("in the middle of a merge or rebase nothing is written", arguments: ["merge", "rebase"])
  func operations(operation: String) throws {
    let (laptop, phone, milk) = try devices.pair()
    for (store, name) in [(laptop, "Oat drink"), (phone, "Oat shake")] {
      try store.git("config", "--remove-section", "merge.larder")
      try store.edit(milk, "Oat milk", name)
      try store.git("commit", "-qam", name)
    }
    try devices.sync(phone)
    try laptop.git("fetch", "-q")
    let conflict = #expect(throws: Git.WordsFailure.self) {
      try laptop.git(operation, "origin/main")
    }
    #expect(conflict?.description.contains("CONFLICT") == true, "\(conflict as Any)")
    let before = try devices.commit(laptop)
    #expect(throws: StoreError.self) { try devices.sync(laptop) }
    #expect(try devices.commit(laptop) == before)
    try laptop.git(operation, "--abort")
    #expect(try devices.settle(laptop, phone))
  }

  @Test("a remote that is gone, and a hook that refuses, leave everything as it was")
  func refusals() throws {
    let (laptop, _, milk) = try devices.pair()
    try laptop.consume(milk, 1)
    let hook = devices.folder("hub.git/hooks/pre-receive")
    try FileManager.default.createDirectory(
      atPath: devices.folder("hub.git/hooks"), withIntermediateDirectories: true)
    try Data("#!/bin/sh\necho not today >&2\nexit 1\n".utf8).write(to: URL(filePath: hook))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: hook)
    let before = try devices.commit(laptop)
    let refused = #expect(throws: GitError.self) { try devices.sync(laptop) }
    #expect(refused?.code == .refused)
    try FileManager.default.moveItem(
      atPath: devices.folder("hub.git"), toPath: devices.folder("elsewhere.git"))
    let gone = #expect(throws: GitError.self) { try devices.sync(laptop) }
    #expect(gone?.code == .noRepository)
    #expect(try devices.commit(laptop) == before)
  }

  @Test("a remote that somebody forced back gets everything again")
  func forced() throws {
    let (laptop, phone, milk) = try devices.pair()
    let start = try devices.commit(phone)
    try laptop.consume(milk, 1)
    try devices.sync(laptop)
    try phone.consume(milk, 2)
    try phone.git("push", "-q", "--force", "origin", "HEAD:main")
    let before = try devices.commit(laptop)
    #expect(try devices.settle(laptop, phone))
    #expect(try devices.hubContains(before))
    #expect(try devices.hubContains(start))
    #expect(try phone.read().household[milk.key]?.quantity.value == Number(7))
  }

  @Test("a remote that was emptied or exchanged gets everything")
  func exchanged() throws {
    let (laptop, phone, milk) = try devices.pair()
    try laptop.consume(milk, 1)
    try devices.sync(laptop)
    try phone.git("fetch", "-q")
    try FileManager.default.removeItem(atPath: devices.folder("hub.git"))
    try Git.run(words: ["init", "-q", "--bare", "-b", "main", "hub.git"], in: devices.folder.path)
    #expect(try devices.sync(phone).sent > 0)
    #expect(try devices.hubContains(try devices.commit(laptop)))
    #expect(try devices.settle(laptop, phone))
  }

  @Test("a shallow clone syncs, or says that it is one; nothing is lost")
  func shallow() throws {
    let (laptop, _, milk) = try devices.pair()
    try Git.run(
      words: [
        "clone", "-q", "--depth", "1", "file://" + devices.folder("hub.git"),
        devices.folder("small"),
      ], in: devices.folder.path)
    let small = try Store.open(from: devices.folder("small"), context: devices.context("small"))
    try small.setUpDevice(program: "larder")
    try small.consume(milk, 1)
    try laptop.consume(milk, 2)
    try devices.sync(laptop)
    do {
      try devices.sync(small)
      #expect(try small.read().household[milk.key]?.quantity.value == Number(7))
    } catch let error as GitError {
      #expect(error.code == .shallow)
    } catch StoreError.git(let error) {
      #expect(error.code == .shallow)
    }
    #expect(try devices.hubContains(try devices.commit(laptop)))
  }

  @Test("a household of a newer format is not joined")
  func newerFormat() throws {
    let (laptop, phone, _) = try devices.pair()
    try laptop.write(
      try laptop.text("household.json").replacing("\"format\": 1", with: "\"format\": 2"),
      to: "household.json")
    try laptop.git("commit", "-qam", "migrate\n\nLarder-Command: migrate")
    try laptop.git("push", "-q", "origin", "HEAD")
    let before = try devices.commit(phone)
    expect(phone) { if case .newerFormat("2") = $0 { true } else { false } }
    #expect(try devices.commit(phone) == before)
  }

  @Test("a branch of its own syncs with its own upstream")
  func otherBranch() throws {
    let (laptop, _, milk) = try devices.pair()
    let main = try devices.commit(laptop)
    try laptop.git("checkout", "-qb", "cellar")
    try laptop.consume(milk, 1)
    try laptop.git("push", "-q", "-u", "origin", "cellar:cellar-there")
    try laptop.consume(milk, 1)
    let outcome = try devices.sync(laptop)
    #expect(outcome.branch == "cellar-there")
    #expect(outcome.sent == 1)
    let hub = devices.folder("hub.git")
    #expect(try Git.run(words: ["rev-parse", "main"], in: hub) == main + "\n")
    #expect(
      try Git.run(words: ["rev-parse", "cellar-there"], in: hub) == devices.commit(laptop) + "\n")
  }

  @Test("two devices with two remotes come to rest")
  func twoRemotes() throws {
    let (laptop, phone, milk) = try devices.pair()
    try Git.run(
      words: ["init", "-q", "--bare", "-b", "main", devices.folder("second.git")],
      in: devices.folder.path)
    for store in [laptop, phone] {
      try store.git("remote", "add", "second", devices.folder("second.git"))
    }
    func syncAll(_ store: Store) throws {
      for remote in ["origin", "second"] { _ = try Synchronizer(store: store).sync(remote: remote) }
    }
    try laptop.consume(milk, 1)
    try phone.consume(milk, 2)
    _ = try Synchronizer(store: phone).sync(remote: "second")
    for store in [laptop, phone, laptop, phone] { try syncAll(store) }
    let head = try devices.commit(laptop)
    #expect(try devices.commit(phone) == head)
    for remote in ["hub.git", "second.git"] {
      #expect(
        try Git.run(words: ["rev-parse", "main"], in: devices.folder(remote)) == head + "\n")
    }
    #expect(try laptop.read().household[milk.key]?.quantity.value == Number(7))
  }

  @Test("a dry run tells what would come and go, and moves the tracking reference alone")
  func dryRun() throws {
    let (laptop, phone, milk) = try devices.pair()
    try laptop.consume(milk, 1)
    try devices.sync(laptop)
    try phone.consume(milk, 1)
    try phone.edit(milk, "Oat milk", "Oat drink")
    let head = try devices.commit(phone)
    let hub = try Git.run(words: ["rev-parse", "main"], in: devices.folder("hub.git"))
    let state = try Git.run(words: ["status", "--porcelain"], in: phone.root)
    let outcome = try Synchronizer(store: phone).sync(isDryRun: true)
    #expect(outcome.received == 1)
    #expect(outcome.sent == 1)
    #expect(try devices.commit(phone) == head)
    #expect(try Git.run(words: ["status", "--porcelain"], in: phone.root) == state)
    #expect(try Git.run(words: ["rev-parse", "main"], in: devices.folder("hub.git")) == hub)
    #expect(
      try Git.run(words: ["rev-parse", "refs/remotes/origin/main"], in: phone.root) == hub)
  }

  private func expect(
    _ store: Store, remote: String? = nil, _ fits: (SyncError) -> Bool,
    at location: SourceLocation = #_sourceLocation
  ) {
    let error = #expect(throws: SyncError.self, sourceLocation: location) {
      _ = try Synchronizer(store: store).sync(remote: remote)
    }
    if let error { #expect(fits(error), "\(error)", sourceLocation: location) }
  }
}
