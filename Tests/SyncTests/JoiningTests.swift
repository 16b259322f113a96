import Foundation
import LarderGit
import LarderJSON
import LarderModel
import LarderStore
import LarderText
import Testing
import TestSupport

@Suite("Joining a household, and two households")
struct JoiningTests {
  let devices: Devices

  init() throws {
    devices = try Devices()
  }

  @Test("a clone is set up, from a path or a URL, under any name", arguments: [false, true])
  func join(byURL: Bool) throws {
    let (laptop, _, milk) = try devices.pair()
    let path = devices.folder("Vorräte im Keller.git")
    try FileManager.default.moveItem(atPath: devices.folder("hub.git"), toPath: path)
    let url = byURL ? "file://" + path : path
    let store = try Store.join(
      url, into: devices.folder("Küche oben"), program: "larder", context: devices.context("new"))
    #expect(try store.read().household[milk.key] != nil)
    #expect(try store.setUpProblems().isEmpty)
    try store.consume(milk, 1)
    _ = try Synchronizer(store: store).sync()
    try laptop.git("remote", "set-url", "origin", path)
    try devices.sync(laptop)
    #expect(try laptop.read().household[milk.key]?.quantity.value == Number(9))
  }

  @Test("plain git takes no file that is just being written")
  func unfinishedFiles() throws {
    let (laptop, phone, _) = try devices.pair()
    for store in [laptop, phone] {
      try store.write("{", to: "stock/.milk.json.larder-new")
      #expect(try Git.run(words: ["status", "--porcelain"], in: store.root) == "")
    }
    // What people have there already stays, and the line comes once.
    try laptop.write("mine", to: ".git/info/exclude")
    for _ in 0..<2 { try laptop.setUpDevice(program: "larder") }
    #expect(try laptop.text(".git/info/exclude") == "mine\n.*.larder-new\n")
  }

  @Test("an empty folder is taken, one in use is not touched")
  func folders() throws {
    _ = try devices.pair()
    let empty = devices.folder("empty")
    try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: true)
    _ = try devices.join("empty")
    try devices.folder.write("mine", to: "used/file.txt")
    #expect(throws: SyncError.self) { try devices.join("used") }
    #expect(try devices.folder.read("used/file.txt") == "mine")
  }

  @Test("what holds no household is removed again", arguments: [false, true])
  func noHousehold(folderExists: Bool) throws {
    let target = devices.folder("target")
    if folderExists {
      try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
    }
    // An empty remote, then one with something else in it.
    #expect(throws: SyncError.self) { try devices.join("target") }
    try Git.run(words: ["init", "-q", "-b", "main", "other"], in: devices.folder.path)
    try devices.folder.write("text", to: "other/file.txt")
    try Git.run(words: ["add", "-A"], in: devices.folder("other"))
    try Git.run(words: ["commit", "-qm", "text"], in: devices.folder("other"))
    try Git.run(
      words: ["push", "-q", devices.folder("hub.git"), "main"], in: devices.folder("other"))
    let error = #expect(throws: SyncError.self) { try devices.join("target") }
    guard case .noHousehold? = error else {
      Issue.record("\(error as Any)")
      return
    }
    let left = try? FileManager.default.contentsOfDirectory(atPath: target)
    #expect(left == (folderExists ? [] : nil))
    #expect(throws: GitError.self) {
      try Store.join(
        devices.folder("nowhere.git"), into: target, program: "larder",
        context: devices.context("new"))
    }
  }

  @Test("two households become one only when asked, the same from both directions")
  func histories() throws {
    let devices = devices
    let laptop = try devices.first("laptop")
    let phone = try devices.first("phone")
    let milk = try laptop.newItem("Oat milk", 2)
    let bread = try phone.newItem("Bread", 1)
    let fridge = try phone.newPlace("Fridge")
    let cellar = try laptop.newPlace("Cellar")
    for store in [laptop, phone] {
      try Git.run(words: ["clone", "-q", store.root, store.root + "-copy"], in: store.root)
    }
    try devices.sync(laptop)
    let error = #expect(throws: SyncError.self) { try devices.sync(phone) }
    guard case .unrelatedHistories(remote: "origin")? = error else {
      Issue.record("\(error as Any)")
      return
    }
    _ = try Synchronizer(store: phone).sync(joiningHistories: true)
    #expect(try devices.settle(laptop, phone))
    let household = try laptop.read().household
    #expect(household.untaken.isEmpty)
    let own = try #require(household.own)
    #expect(household.all(.household).count == 1)
    for key in [milk.key, bread.key, fridge.key, cellar.key] { #expect(household[key] != nil) }
    #expect(household.all(.storageLocation).count == 2)
    for place in household.all(.storageLocation) {
      #expect(place["householdId"]?.string == own.id)
    }
    // The other way round.
    try Git.run(
      words: ["init", "-q", "--bare", "-b", "main", "second.git"], in: devices.folder.path)
    let copies = try ["laptop", "phone"].map { name in
      let store = try Store.open(
        from: devices.folder(name + "-copy"), context: devices.context(name))
      try store.setUpDevice(program: "larder")
      try store.git("remote", "set-url", "origin", devices.folder("second.git"))
      return store
    }
    try devices.sync(copies[1])
    _ = try Synchronizer(store: copies[0]).sync(joiningHistories: true)
    try laptop.git("fetch", "-q", devices.folder("second.git"))
    let difference = try Git.run(
      words: ["diff", "--no-textconv", "HEAD", "FETCH_HEAD"], in: laptop.root)
    #expect(difference == "")
  }
}

extension Store {
  func newPlace(_ name: String) throws -> Entity {
    try commit(as: "location new") { edit, writer in
      let place = edit.new(.storageLocation, [("name", .string(name))], by: writer)
      edit.put(place)
      return ("new place", place)
    }.get().value
  }
}
