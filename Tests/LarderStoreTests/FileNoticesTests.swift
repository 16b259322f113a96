import Foundation
import HomeSupport
import LarderStore
import LarderText
import Testing
import TestSupport

@Suite("Noticing changes")
struct FileNoticesTests {
  /// Whether something is noticed within a time that is long enough on a busy machine.
  private func isHeard(_ notices: FileNotices, within limit: Duration = .seconds(20)) throws -> Bool
  {
    let end = ContinuousClock.now + limit
    while ContinuousClock.now < end {
      if try notices.wait(atMost: end - .now, orReadable: []).hasChanged { return true }
    }
    return false
  }

  /// Takes what has happened so far, such as what the preparations left.
  private func settle(_ notices: FileNotices) throws {
    while try isHeard(notices, within: .milliseconds(notices.isLooking ? 2500 : 300)) {}
  }

  @Test(
    "saving, renaming, removing, new folders and moved branches are noticed",
    arguments: [
      true, false,
    ])
  func heard(isTold: Bool) throws {
    let home = try Home(alone: true) { try $0.newItem("Oat milk", 5) }
    let store = home.laptop
    let notices = try FileNotices(of: store, isTold: isTold)
    let changes: [(String, () throws -> Void)] = [
      (
        "a new file in a folder that was not there",
        { try store.write("{", to: "batches/a/b.json") }
      ),
      ("a file in that folder", { try store.write("{}", to: "batches/a/c.json") }),
      ("a file in place", { try store.write("{ }", to: "batches/a/c.json") }),
      ("a renamed folder", { try store.moveFile("batches/a", to: "batches/d") }),
      ("a file in the renamed folder", { try store.write("", to: "batches/d/c.json") }),
      ("a removed file", { try store.removeFile("batches/d/c.json") }),
      ("the household's own file", { try store.edit("household.json", "Home", "Hut") }),
      (
        "a commit without a file of ours",
        {
          try Git.run("commit", "-q", "--allow-empty", "-m", "x", in: store.root)
        }
      ),
      ("another branch", { try Git.run("switch", "-q", "-c", "a/side", in: store.root) }),
    ]
    for (name, change) in changes {
      try settle(notices)
      try change()
      #expect(try isHeard(notices), "\(name)")
    }
  }

  @Test(
    "drafts of editors and of larder, files of nobody and git's own writing are not",
    arguments: [
      true, false,
    ])
  func unheard(isTold: Bool) throws {
    let home = try Home(alone: true) { try $0.newItem("Oat milk", 5) }
    let store = home.laptop
    let notices = try FileNotices(of: store, isTold: isTold)
    try settle(notices)
    for name in [
      "4913", ".milk.json.swp", "milk.json~", ".milk.json.larder-new", "milk.txt", "#milk.json#",
    ] {
      try store.write("{", to: "stock/\(name)")
      try store.write("{ }", to: "stock/\(name)")
      try store.removeFile("stock/\(name)")
    }
    try FileManager.default.createSymbolicLink(
      atPath: store.root + "/stock/.#milk.json", withDestinationPath: "ada@laptop.1234")
    try store.write("hello\n", to: "README.md")
    try store.write("{}", to: "other/milk.json")
    try store.write("", to: ".git/index.lock")
    try store.removeFile(".git/index.lock")
    try Git.run("tag", "here", in: store.root)
    #expect(try !isHeard(notices, within: .milliseconds(isTold ? 700 : 2500)))
    #expect(try store.read().notes == [])
  }

  @Test("another descriptor ends the wait")
  func descriptor() throws {
    let home = try Home(alone: true)
    let notices = try FileNotices(of: home.laptop)
    let pipe = Pipe()
    let reading = pipe.fileHandleForReading.fileDescriptor
    try settle(notices)
    #expect(try notices.wait(atMost: .milliseconds(1), orReadable: [reading]).readable.isEmpty)
    try pipe.fileHandleForWriting.write(contentsOf: Data([1]))
    #expect(try notices.wait(atMost: .seconds(20), orReadable: [reading]).readable == [reading])
  }
}
