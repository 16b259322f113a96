import Foundation
import HomeSupport
import LarderGit
import LarderModel
import LarderText
import Testing
import TestSupport

@testable import LarderStore

/// The journal says what a power cut may have taken back; what people did since is theirs.
@Suite("After a power cut")
struct ReinstatingTests {
  @Test(
    "the branch, and each file, are where the command left them", arguments: [false, true], 0...3)
  func fallenBack(_ moved: Bool, _ files: Int) throws {
    let killed = try Killed()
    try killed.lay(moved: moved, files: files, cut: true)
    try killed.expectAfter()
  }

  @Test("a reading command puts everything back, too")
  func reading() throws {
    let killed = try Killed()
    try killed.lay(moved: false, cut: true)
    #expect(try killed.store.read().edited == [])
    try killed.expectAfter()
  }

  @Test("what has no bytes any more has them again", arguments: ["", "\0\0\0\0", "4f2a"])
  func broken(_ rest: String) throws {
    let killed = try Killed()
    try killed.lay(moved: true, files: 3, index: true, cut: true)
    let store = killed.store
    // What plain git made is not in the journal.
    let made = try Git.run(
      "rev-parse", killed.after.head, "\(killed.after.head)^{tree}", "\(killed.after.head):stock",
      in: store.root)
    for id in made.split(separator: "\n").map(String.init) + killed.files.compactMap(\.new?.hex) {
      try replace(".git/objects/\(id.prefix(2))/\(id.dropFirst(2))", by: rest, in: store)
    }
    for path in [".git/refs/heads/main", ".git/index"] + killed.files.map(\.path.text)
    where store.exists(FilePath(path)) {
      try replace(path, by: path.hasPrefix(".git") ? rest : "", in: store)
    }
    try killed.expectAfter()
    #expect(try Git.run("fsck", "--no-dangling", in: store.root) == "")
  }

  private func replace(_ path: String, by text: String, in store: Store) throws {
    try store.removeFile(FilePath(path))
    try store.write(text, to: FilePath(path))
  }

  @Test("done once more, it changes nothing")
  func twice() throws {
    let killed = try Killed()
    try killed.lay(moved: false, cut: true)
    let journal = try killed.store.text(".git/larder/journal")
    try killed.expectAfter()
    try killed.store.write(journal, to: ".git/larder/journal")
    try killed.expectAfter()
  }

  @Test("a plain commit where the branch had fallen back to is joined with what the journal has")
  func plainCommit() throws {
    let killed = try Killed()
    try killed.store.edit(killed.path, "\"quantityFullStock\": 6", "\"quantityFullStock\": 9")
    try killed.home.commitAll(killed.store, "by hand")
    try killed.lay(moved: false, cut: true)
    _ = try killed.store.adopt()
    #expect(try killed.store.name(killed.milk) == "Oats")
    #expect(try killed.store.entity(killed.milk).fullStock == Number(9))
    #expect(try killed.store.log().contains("by hand"))
    try Git.run("merge-base", "--is-ancestor", killed.after.head, "HEAD", in: killed.store.root)
    #expect(try killed.store.status() == "")
  }

  @Test(
    "of a disk alone, which was away and is back with an older state, the act that was told of is there",
    arguments: [false, true])
  func diskWasAway(isApplied: Bool) throws {
    let killed = try Killed()
    let store = killed.store
    let copy = try Folder()
    try copyAll(store.root, to: copy("then"))
    try store.set("name", .string("Oats"), of: killed.milk)
    let told = try store.head()
    var journal = try store.text(".git/larder/journal")
    // Its record was waited for; the note that it was applied was not.
    if !isApplied, let line = journal.ranges(of: "applied ").last {
      journal = String(journal[..<line.lowerBound])
    }
    try FileManager.default.removeItem(atPath: store.root)
    try copyAll(copy("then"), to: store.root)
    try store.write(journal, to: ".git/larder/journal")
    let again = try store.reopened()
    #expect(try again.name(killed.milk) == "Oats")
    #expect(try again.head() == told)
    #expect(try again.status() == "")
    #expect(!again.hasUnfinishedTransaction)
    #expect(try again.adopt().adoption == nil)
  }

  /// Copies a folder with the times of its files.
  private func copyAll(_ place: String, to target: String) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["cp", "-a", place, target]
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
  }

  @Test("a branch that somebody set back in the same session stays where it is")
  func setBack() throws {
    let killed = try Killed()
    let store = killed.store
    try store.set("name", .string("Oats"), of: killed.milk)
    try killed.home.git(store, "reset", "-q", "--hard", "HEAD~1")
    let head = try store.head()
    #expect(try store.name(killed.milk) == "Oat milk")
    #expect(try store.head() == head)
    #expect(try store.status() == "")
    try store.set("name", .string("Oat drink"), of: killed.milk)
    #expect(try store.name(killed.milk) == "Oat drink")
  }

  @Test(
    "a lock of git's that no process holds is gone, whatever its time", arguments: [-9e6, 0, 9e6])
  func lock(_ seconds: Double) throws {
    let killed = try Killed()
    try killed.lay(moved: false, cut: true)
    for path in [".git/index.lock", ".git/refs/heads/main.lock"] {
      try killed.store.write("", to: FilePath(path))
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: seconds)],
        ofItemAtPath: killed.store.root + "/" + path)
    }
    try killed.expectAfter()
    #expect(!killed.store.exists(".git/index.lock"))
  }

  @Test("a lock of a git that runs, though the clock was set forward since, stays")
  func heldLock() throws {
    let killed = try Killed()
    try killed.lay(moved: false, cut: true)
    let lock = killed.store.root + "/.git/index.lock"
    let holder = open(lock, O_WRONLY | O_CREAT, 0o600)
    defer { close(holder) }
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 9)], ofItemAtPath: lock)
    #expect(throws: StoreError.self) { try killed.store.adopt() }
    #expect(killed.store.exists(".git/index.lock"))
  }

  /// What people may do after a command, before the system is started again.
  enum Deed: String, CaseIterable {
    case nothing, reset, revertedFile, removedFile, renamedFile, renamedBranch, plainCommit
    case stagedFile
  }

  @Test("what people did after the command stays", arguments: Deed.allCases)
  func deeds(_ deed: Deed) throws {
    var key: EntityKey?
    let home = try Home(alone: true) { key = try $0.newItem("Oat milk", 5, full: 6) }
    let (store, milk) = (home.laptop, try #require(key))
    let path = try store.path(milk)
    let old = try store.text(path)
    try store.consume(milk, 1)
    let soy = try store.path(store.newItem("Soy milk", 2))
    // File times have ticks.
    usleep(20_000)
    switch deed {
    case .nothing: break
    case .reset: try home.git(store, "reset", "-q", "--hard", "HEAD~2")
    case .revertedFile: try store.write(old, to: path)
    case .removedFile: try store.removeFile(soy)
    case .renamedFile: try store.moveFile(soy, to: "stock/deep/soy.json")
    case .renamedBranch: try home.git(store, "branch", "-m", "main", "trunk")
    case .plainCommit:
      try store.edit(path, "\"Oat milk\"", "\"Oats\"")
      try home.commitAll(store, "by hand")
    case .stagedFile:
      try store.edit(path, "\"Oat milk\"", "\"Oats\"")
      try home.git(store, "add", "-A")
    }
    let before = (try store.files(), try store.head(), try store.status())
    try restart(store)
    _ = try store.read()
    #expect(try store.files() == before.0)
    #expect(try store.head() == before.1)
    #expect(try store.status() == before.2)
    #expect(!store.hasUnfinishedTransaction)
  }

  /// Lets the journal be of an earlier session of the system.
  private func restart(_ store: Store) throws {
    let journal = try #require(store.journal)
    let records = try journal.read().records
    try #require(!records.isEmpty)
    try store.write("", to: ".git/larder/journal")
    let session = Journal.Session(boot: "earlier", device: journal.session().device)
    for entry in records {
      let record = entry.record
      _ = try journal.append(
        Journal.Record(record.transaction, reason: record.reason, in: session, at: record.time))
      let text = try store.text(".git/larder/journal")
      let sum = try #require(text.split(separator: "\n").last?.split(separator: " ").last)
      let time = try #require(entry.applied).time
      let line = "applied \(sum) \(session.boot) \(session.device) \(time)\n"
      try store.write(text + line, to: ".git/larder/journal")
    }
  }
}
