import Foundation
import HomeSupport
import LarderGit
import LarderJSON
import LarderModel
import LarderText
import Testing
import TestSupport

@testable import LarderStore

/// A household whose last command was killed: the state of each step is laid out by hand.
final class Killed {
  let home: Home
  let milk: EntityKey
  let path: FilePath
  let before: (head: String, text: String)
  let after: (head: String, text: String)

  /// A write that changes one file, adds one and removes one, as a rename does.
  let files: [Transaction.File]
  private let repository: Repository

  var store: Store { home.laptop }

  init() throws {
    var key: EntityKey?
    home = try Home(alone: true) {
      key = try $0.newItem("Oat milk", 5, full: 6)
      try $0.newItem("Soy milk", 2)
    }
    milk = try #require(key)
    let store = home.laptop
    path = try store.path(milk)
    before = (try store.head(), try store.text(path))
    let soy = try store.path(store.item("Soy milk").key)
    try store.moveFile(soy, to: "stock/deep/soy.json")
    try store.edit(path, "\"Oat milk\"", "\"Oats\"")
    try home.commitAll(store, "x")
    _ = try store.adopt()
    after = (try store.head(), try store.text(path))
    let repository = try #require(store.repository)
    self.repository = repository
    let trees = try [before.head, after.head].map { hex in
      try repository.commit(try #require(ObjectID(hex: hex))).tree
    }
    files = try repository.changes(from: trees[0], to: trees[1]).map {
      Transaction.File(path: $0.path, old: $0.old?.id, new: $0.new?.id, mode: .file)
    }
    #expect(files.count == 3)
    try home.git(store, "reset", "-q", "--hard", before.head)
    // The household as it is before, with the objects of the command written already.
    try Git.run("update-ref", "-d", "refs/larder/adopted", in: store.root)
  }

  /// Lays out the journal, the reference and the first files, in the order of a transaction's steps.
  ///
  /// The journal has the commit, and the session of another start of the system if it was `cut` off.
  func lay(
    journal isWritten: Bool = true, moved: Bool, files count: Int = 0, index: Bool = false,
    cut: Bool = false
  ) throws {
    let from = try #require(ObjectID(hex: before.head))
    let to = try #require(ObjectID(hex: after.head))
    let transaction = Transaction(
      move: Transaction.Move(reference: "refs/heads/main", from: from, to: to),
      files: try files.map { file in
        var file = file
        file.bytes = try file.new.map { try repository.readBlob($0) }
        return file
      }, commit: try repository.bytes(ofCommit: to))
    if isWritten {
      let journal = try #require(store.journal)
      var session = journal.session()
      // Nothing else is known of where the branch was.
      if cut { try FileManager.default.removeItem(atPath: store.root + "/.git/logs") }
      if cut { session = Journal.Session(boot: "earlier", device: session.device) }
      try store.write("", to: ".git/larder/journal")
      _ = try journal.append(Journal.Record(transaction, reason: "larder: edit", in: session))
    }
    if moved { try Git.run("update-ref", "refs/heads/main", after.head, in: store.root) }
    for file in files.prefix(count) { try apply(file) }
    if index { try Git.run("read-tree", "HEAD", in: store.root) }
  }

  func apply(_ file: Transaction.File) throws {
    guard let new = file.new else { return try store.removeFile(file.path) }
    try store.write(Data(try repository.readBlob(new)), to: file.path)
  }

  func bytes(_ blob: ObjectID?) throws -> Data { Data(try repository.readBlob(try #require(blob))) }

  var changedFile: Transaction.File {
    get throws { try #require(files.first { $0.path == path }) }
  }

  func expectAfter(_ location: SourceLocation = #_sourceLocation) throws {
    #expect(try store.name(milk) == "Oats", sourceLocation: location)
    #expect(try store.head() == after.head, sourceLocation: location)
    #expect(try store.status() == "", sourceLocation: location)
    #expect(!store.hasUnfinishedTransaction, sourceLocation: location)
    let names = try store.files().keys.filter { $0.text.contains("larder-new") }
    #expect(names.isEmpty, sourceLocation: location)
    #expect(try store.adopt().adoption == nil, sourceLocation: location)
  }

  func expectBefore(_ location: SourceLocation = #_sourceLocation) throws {
    #expect(try store.name(milk) == "Oat milk", sourceLocation: location)
    #expect(try store.head() == before.head, sourceLocation: location)
    #expect(try store.status() == "", sourceLocation: location)
    #expect(!store.hasUnfinishedTransaction, sourceLocation: location)
    #expect(try store.adopt().adoption == nil, sourceLocation: location)
  }
}
