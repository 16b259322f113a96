import Foundation
import LarderText
import Testing
import TestSupport

/// One household on two devices, which have gone apart; then merged once by plain git with larder as
/// its driver, and once by `larder sync`.
private struct Apart {
  let larder: CommandRunner

  init(_ edits: Edits) throws {
    var larder = try CommandRunner(now: "2026-11-21T12:00:00Z")
    _ = try larder("init", "laptop", "--name", "Nest", "--time-zone", "UTC")
    try Git.run("init", "--quiet", "--bare", "-b", "main", "hub.git", in: larder.folder.path)
    try Git.run("remote", "add", "origin", "../hub.git", in: larder.folder("laptop"))
    for name in ["Eggs", "Milk"] {
      let made = try larder(
        "stock", "new", name, "--in-stock", "10", "--full", "12", "--category", "Old", in: "laptop")
      #expect(made.code == 0)
    }
    _ = try larder("sync", in: "laptop")
    _ = try larder("join", "hub.git", "phone")
    larder.now = "2026-11-21T13:00:00Z"
    try edits.byHand(larder.folder("laptop"))
    try Git.run(
      "commit", "-qam", "by hand", in: larder.folder("laptop"), at: "2026-11-21T13:00:00Z")
    larder.now = "2026-11-21T13:00:30Z"
    larder.device = "phone"
    for words in edits.commands { #expect(try larder.run(words, in: "phone").code == 0) }
    _ = try larder("sync", in: "phone")
    larder.now = "2026-11-21T13:10:00Z"
    larder.device = "laptop"
    self.larder = larder
  }

  struct Edits: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let byHand: @Sendable (_ folder: String) throws -> Void
    let commands: [[String]]
  }

  /// The entities' files after merging, by path.
  func merged(byGit: Bool) throws -> [String: String] {
    let copy = byGit ? "git" : "sync"
    try FileManager.default.copyItem(
      atPath: larder.folder("laptop"), toPath: larder.folder(copy))
    if byGit {
      let driver = "'\(CommandRunner.program.path())' merge-driver %O %A %B %P"
      try Git.run("config", "merge.larder.driver", driver, in: larder.folder(copy))
      try Git.run("fetch", "-q", "origin", in: larder.folder(copy))
      try Git.run(
        "merge", "-q", "--no-edit", "origin/main", in: larder.folder(copy),
        at: "2026-11-21T13:09:00Z")
      #expect(try larder("adopt", in: copy).code == 0)
    } else {
      #expect(try larder("sync", in: copy).code == 0)
    }
    let root = URL(filePath: larder.folder(copy))
    return try Checkout.jsonFiles(in: root).reduce(into: [:]) { files, file in
      // What git's folder has is of this device alone.
      if file.path.text.hasPrefix(".git/") { return }
      files[file.path.text] = String(decoding: file.bytes, as: UTF8.self)
    }
  }
}

private func replace(_ old: String, _ new: String, in folder: String, _ name: String) throws {
  let stock = folder + "/stock"
  let file = try #require(
    FileManager.default.contentsOfDirectory(atPath: stock).first { $0.hasPrefix(name) })
  let text = try String(contentsOfFile: "\(stock)/\(file)", encoding: .utf8)
  #expect(text.contains(old))
  try text.replacing(old, with: new).write(
    toFile: "\(stock)/\(file)", atomically: true, encoding: .utf8)
}

@Suite("Plain git merge with larder as its driver")
struct DriverMergeTests {
  private static let edits: [Apart.Edits] = [
    Apart.Edits(
      testDescription: "a number by hand before a use",
      byHand: { try replace("\"quantityInStock\": 10", "\"quantityInStock\": 20", in: $0, "eggs") },
      commands: [["stock", "use", "eggs", "1"]]),
    Apart.Edits(
      testDescription: "one field by hand before the same field by a command",
      byHand: { try replace("\"category\": \"Old\"", "\"category\": \"Hand\"", in: $0, "eggs") },
      commands: [["stock", "edit", "eggs", "--category", "Phone"]]),
    Apart.Edits(
      testDescription: "a name by hand, the full stock by a command",
      byHand: { try replace("\"name\": \"Eggs\"", "\"name\": \"Ducks' eggs\"", in: $0, "eggs") },
      commands: [["stock", "edit", "eggs", "--full", "30"], ["stock", "count", "eggs", "7"]]),
    Apart.Edits(
      testDescription: "a number by hand, and everything used up on the other side",
      byHand: { try replace("\"quantityInStock\": 10", "\"quantityInStock\": 3", in: $0, "eggs") },
      commands: [["stock", "use", "eggs", "4"], ["stock", "use", "milk", "10"]]),
  ]

  @Test("gives the same files as a sync", arguments: edits)
  private func sameAsSync(_ edits: Apart.Edits) throws {
    let apart = try Apart(edits)
    let byGit = try apart.merged(byGit: true)
    let bySync = try apart.merged(byGit: false)
    #expect(byGit == bySync)
  }

  @Test("counts the use of one device after the number that the other wrote before it")
  func useAfterNumber() throws {
    let files = try Apart(Self.edits[0]).merged(byGit: true)
    let eggs = try #require(files.first { $0.key.hasPrefix("stock/eggs") }?.value)
    #expect(eggs.contains("\"quantityInStock\": 19"))
  }

  @Test("works for a program in a folder with a space, a quote and letters of any language")
  func anyFolder() throws {
    let folder = try Folder()
    let place = folder("Zoë's own prögrams")
    try FileManager.default.createDirectory(
      atPath: place, withIntermediateDirectories: true)
    let program = place + "/larder"
    // A process of its own copies it: a file that this one has open to write can't be started
    // while a child of another test has it open too.
    let copying = try Process.run(
      URL(filePath: try Programs.find("cp")),
      arguments: [CommandRunner.program.path(percentEncoded: false), program])
    copying.waitUntilExit()
    func run(_ words: String...) throws -> Int32 {
      let process = Process()
      process.executableURL = URL(filePath: program)
      process.arguments = words
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      return process.terminationStatus
    }
    let nest = folder("nest")
    #expect(try run("init", nest, "--name", "Nest", "--time-zone", "UTC") == 0)
    #expect(try run("-C", nest, "stock", "new", "Eggs", "--full", "6") == 0)
    #expect(try run("-C", nest, "doctor") == 0)
    try Git.run("branch", "other", in: nest)
    #expect(try run("-C", nest, "stock", "edit", "eggs", "--category", "Dairy") == 0)
    try Git.run("switch", "-q", "other", in: nest)
    #expect(try run("-C", nest, "stock", "edit", "eggs", "--full", "12") == 0)
    // Both wrote the stamps at one place of the file, which git can't merge by itself.
    try Git.run("merge", "-q", "--no-edit", "main", in: nest)
    let files = try FileManager.default.contentsOfDirectory(atPath: nest + "/stock")
    let eggs = try folder.read("nest/stock/" + (try #require(files.first)))
    #expect(eggs.contains("\"category\": \"Dairy\""))
    #expect(eggs.contains("\"quantityFullStock\": 12"))
  }
}
