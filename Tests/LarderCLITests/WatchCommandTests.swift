import Foundation
import TestSupport
import Testing
import Libc

@Suite("watch")
struct WatchCommandTests {
  private let milk = "stock/milk.json"

  private func watch(_ nest: HouseholdFixture, every time: String = "1h") throws -> RunningLarder {
    let watch = try nest.larder.start("watch", "--every", time, in: "home/nest")
    #expect(try watch.says("watching"))
    return watch
  }

  private func subjects(_ nest: HouseholdFixture) throws -> [String] {
    try nest.git("log", "--format=%s").split(separator: "\n").map(String.init)
  }

  /// Waits until something holds.
  private func eventually(within seconds: Double = 40, _ body: () throws -> Bool) throws -> Bool {
    let end = Date(timeIntervalSinceNow: seconds)
    while Date() < end {
      if try body() { return true }
      Thread.sleep(forTimeInterval: 0.1)
    }
    return false
  }

  @Test("files saved together are one commit; a folder made later is noticed; and it ends cleanly")
  func adopts() throws {
    let nest = try HouseholdFixture()
    let watch = try watch(nest)
    try nest.write(Written.item(1, "Milk", "\"quantityInStock\": 4"), to: milk)
    try nest.write(Written.item(2, "Bread"), to: "stock/deep/er/bread.json")
    #expect(try watch.says("adopted new item Milk: 4"))
    #expect(try watch.says("adopted new item Bread"))
    try nest.write(Written.item(3, "Eggs"), to: "stock/deep/er/eggs.json")
    #expect(try watch.says("adopted new item Eggs"))
    #expect(
      try subjects(nest).prefix(2) == [
        "adopt the edit of stock/deep/er/eggs.json", "adopt edits of 2 files",
      ])
    #expect(watch.end() == 0)
    let lines = try watch.errors().split(separator: "\n")
    #expect(lines.first?.hasPrefix("2026-11-21 12:00 watching ") ?? false)
    #expect(lines.last == "2026-11-21 12:00 ended")
    #expect(lines.count == 5, "\(lines)")
    #expect(try nest.git("status", "--porcelain") == "")
  }

  @Test("SIGINT, SIGTERM and SIGHUP end it with exit code 0", arguments: [SIGINT, SIGTERM, SIGHUP])
  func signals(_ number: Int32) throws {
    let nest = try HouseholdFixture()
    // Whoever runs the tests in the background may have switched the signal off for all of them.
    let known = signal(number, SIG_DFL)
    let watch = try watch(nest)
    _ = signal(number, known)
    #expect(watch.end(number) == 0)
    #expect(try watch.errors().hasSuffix("ended\n"))
  }

  @Test("a household that is watched already is watched by no second one")
  func watchedAlready() throws {
    let fixture = try HouseholdFixture()
    _ = try fixture("adopt")
    let lock = open(
      fixture.root + "/.git/larder/watch-lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
    defer { close(lock) }
    try #require(lock >= 0 && flock(lock, LOCK_EX) == 0)
    let outcome = try fixture("watch")
    #expect(outcome.code == 7)
    #expect(
      outcome.errors == """
        error: another 'larder watch' or 'larder serve' is at work in this household
        hint: one is enough; end that one first to start another

        """)
  }

  @Test("what was edited before it began is adopted, and a household without a remote is watched")
  func before() throws {
    let nest = try HouseholdFixture([milk: Written.item(1, "Milk")])
    let watch = try watch(nest)
    #expect(try watch.says("which has no remote to sync with yet"))
    #expect(try watch.says("adopted new item Milk"))
    try nest.addOrigin()
    _ = try nest("stock", "new", "Bread")
    #expect(try watch.says("in sync with origin/main: 0 commits received, 3 sent"))
    #expect(watch.end() == 0)
  }

  /// Saves a file in the way of several editors, by steps that each take a moment.
  private static let editors: [(name: String, steps: @Sendable (URL, String) throws -> Void)] = [
    (
      "vim, with a backup",
      { file, text in
        let folder = file.deletingLastPathComponent()
        let probe = folder.appending(path: "4913")
        let swap = folder.appending(path: ".milk.json.swp")
        let backup = folder.appending(path: "milk.json~")
        try Data("swap".utf8).write(to: swap)
        try Data().write(to: probe)
        try FileManager.default.removeItem(at: probe)
        try FileManager.default.moveItem(at: file, to: backup)
        Thread.sleep(forTimeInterval: 0.1)
        try Data(text.utf8).write(to: file)
        Thread.sleep(forTimeInterval: 0.1)
        try FileManager.default.removeItem(at: backup)
        try FileManager.default.removeItem(at: swap)
      }
    ),
    (
      "a temporary file that is renamed",
      { file, text in
        let draft = file.deletingLastPathComponent().appending(path: "milk.json.tmp")
        try Data(text.utf8.prefix(20)).write(to: draft)
        Thread.sleep(forTimeInterval: 0.3)
        try Data(text.utf8).write(to: draft)
        _ = rename(draft.path(), file.path())
      }
    ),
    (
      "Emacs, with its lock",
      { file, text in
        let lock = file.deletingLastPathComponent().appending(path: ".#milk.json")
        try FileManager.default.createSymbolicLink(
          atPath: lock.path(percentEncoded: false), withDestinationPath: "ada@laptop.1234")
        Thread.sleep(forTimeInterval: 1.5)
        try Data(text.utf8).write(to: file)
        try FileManager.default.removeItem(atPath: lock.path(percentEncoded: false))
      }
    ),
    (
      "a slow writer in place",
      { file, text in
        try Data().write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: bytes.count / 8) {
          Thread.sleep(forTimeInterval: 0.3)
          try handle.write(contentsOf: bytes[start..<min(bytes.count, start + bytes.count / 8)])
        }
      }
    ),
  ]

  @Test("every editor's way of saving is one adoption of the whole file", arguments: 0..<4)
  func editor(_ index: Int) throws {
    let nest = try HouseholdFixture([
      milk: Written.item(1, "Milk", "\"quantityInStock\": 4")
    ])
    _ = try nest("adopt")
    let watch = try watch(nest)
    let count = try subjects(nest).count
    let text = try nest.read(milk).replacing("\"name\": \"Milk\"", with: "\"name\": \"Oat milk\"")
    try Self.editors[index].steps(URL(filePath: "\(nest.root)/\(milk)"), text)
    #expect(try watch.says("adopted Oat milk: name: Milk → Oat milk"))
    #expect(watch.end() == 0)
    let errors = try watch.errors()
    #expect(errors.split(separator: "\n").count == 3, "\(errors)")
    #expect(try subjects(nest).count == count + 1)
  }

  @Test("a broken file is told of once until it changes, whatever else is saved")
  func broken() throws {
    let nest = try HouseholdFixture()
    let watch = try watch(nest)
    try nest.write("{ \"name\": \"Milk\", }\n", to: milk)
    let mistake = "warning: stock/milk.json:1:19: there is a comma before this }"
    #expect(try watch.says(mistake))
    for (number, name) in [(2, "Bread"), (3, "Eggs")] {
      try nest.write(Written.item(number, name), to: "stock/\(number).json")
      #expect(try watch.says("adopted new item \(name)"))
    }
    #expect(try watch.errors().ranges(of: mistake).count == 1)
    try nest.write("{ \"name\": \"Milk\", } \n", to: milk)
    #expect(try watch.says(mistake, times: 2))
    try nest.write("{ \"name\": \"Milk\" }\n", to: milk)
    #expect(try watch.says("adopted new item Milk"))
    #expect(watch.end() == 0)
  }

  @Test("nothing is adopted while somebody merges or git writes the index; it is said once")
  func waits() throws {
    let nest = try HouseholdFixture()
    for (branch, text) in [("side", "a\n"), ("main", "b\n")] {
      if branch == "side" { try nest.git("switch", "-q", "-c", branch) }
      try nest.write(text, to: "README.md")
      try nest.git("add", "README.md")
      try nest.git("commit", "-qm", "readme of \(branch)")
      if branch == "side" { try nest.git("switch", "-q", "main") }
    }
    #expect(throws: Git.Failure.self) { try nest.git("merge", "side") }
    let watch = try watch(nest)
    try nest.write(Written.item(1, "Milk"), to: milk)
    #expect(try watch.says("warning: waiting: nothing is written while a git merge is under way"))
    Thread.sleep(forTimeInterval: 2.5)
    #expect(try watch.errors().ranges(of: "waiting").count == 1)
    #expect(try !watch.errors().contains("adopted"))
    try nest.git("merge", "--abort")
    #expect(try watch.says("adopted new item Milk"))

    try nest.write("", to: ".git/index.lock")
    try nest.write(Written.item(2, "Bread"), to: "stock/bread.json")
    #expect(try watch.says("warning: waiting: git's index is locked"))
    Thread.sleep(forTimeInterval: 1.5)
    #expect(try watch.errors().ranges(of: "waiting").count == 2)
    try nest.remove(".git/index.lock")
    #expect(try watch.says("adopted new item Bread"))
    #expect(watch.end() == 0)
  }

  @Test(
    "what is done here is sent, what others did is received, and an unchanged remote is no news")
  func syncs() throws {
    let nest = try HouseholdFixture([milk: Written.item(1, "Milk", "\"quantityInStock\": 4")])
    try nest.addOrigin()
    _ = try nest("sync")
    try nest.join("phone")
    let watch = try watch(nest, every: "1s")
    #expect(try watch.says("up to date with origin/main"))
    _ = try nest("stock", "use", "milk")
    #expect(try watch.says("in sync with origin/main: 0 commits received, 1 sent"))
    var phone = nest.larder
    phone.device = "phone"
    _ = try phone("sync", in: "home/phone")
    _ = try phone("stock", "use", "milk", "2", in: "home/phone")
    _ = try phone("sync", in: "home/phone")
    #expect(try watch.says("in sync with origin/main: 1 commit received, 0 sent"))
    #expect(try watch.says("received Milk: 3 → 1"))
    Thread.sleep(forTimeInterval: 3)
    #expect(watch.end() == 0)
    let errors = try watch.errors()
    #expect(errors.split(separator: "\n").count == 6, "\(errors)")
  }

  @Test("a remote that is away is told of once, adopting goes on, and all is sent once it is back")
  func away() throws {
    let nest = try HouseholdFixture()
    try nest.addOrigin()
    _ = try nest("sync")
    let home = nest.larder.folder("home")
    try FileManager.default.moveItem(atPath: home + "/origin.git", toPath: home + "/gone.git")
    let watch = try watch(nest, every: "1s")
    #expect(try watch.says("could not fetch"))
    try nest.write(Written.item(1, "Milk"), to: milk)
    #expect(try watch.says("adopted new item Milk"))
    Thread.sleep(forTimeInterval: 3)
    #expect(try watch.errors().ranges(of: "could not fetch").count == 1)
    try FileManager.default.moveItem(atPath: home + "/gone.git", toPath: home + "/origin.git")
    #expect(try watch.says("in sync with origin/main: 0 commits received, 1 sent"))
    #expect(watch.end() == 0)
  }

  @Test("a remote that never answers keeps neither adopting nor the end waiting")
  func hangs() throws {
    let nest = try HouseholdFixture()
    try nest.git("remote", "add", "origin", "ssh://nowhere.invalid/nest.git")
    try nest.git("config", "core.sshCommand", "touch asked; sleep 15; false")
    let watch = try watch(nest)
    let asked = nest.root + "/asked"
    #expect(try eventually { FileManager.default.fileExists(atPath: asked) })
    try nest.write(Written.item(1, "Milk"), to: milk)
    #expect(try watch.says("adopted new item Milk", within: 10))
    kill(watch.processIdentifier, SIGTERM)
    #expect(try watch.says("ended", within: 8))
    #expect(try eventually(within: 5) { watch.hasExited })
    #expect(watch.end() == 0)
  }

  @Test("a household that is removed is waited for, and watched again when it is put back")
  func removed() throws {
    let nest = try HouseholdFixture()
    let copy = nest.root + "-copy"
    try FileManager.default.copyItem(atPath: nest.root, toPath: copy)
    let watch = try watch(nest)
    try FileManager.default.removeItem(atPath: nest.root)
    #expect(try watch.says("waiting: there is no household in", within: 10))
    try FileManager.default.moveItem(atPath: copy, toPath: nest.root)
    try nest.write(Written.item(1, "Milk"), to: milk)
    #expect(try watch.says("adopted new item Milk", within: 10))
    try FileManager.default.removeItem(atPath: nest.root)
    #expect(watch.end() == 0)
  }
}
