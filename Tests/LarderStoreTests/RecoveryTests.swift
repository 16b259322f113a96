import Foundation
import LarderGit
import LarderJSON
import LarderModel
import TestSupport
import Testing

@testable import LarderStore

/// A household whose last command was killed: the state of each step is laid out by hand.
private final class Killed {
  let home: Home
  let milk: EntityKey
  let path: String
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
  func lay(journal: Bool = true, moved: Bool, files count: Int = 0, index: Bool = false) throws {
    let from = try #require(ObjectID(hex: before.head))
    let to = try #require(ObjectID(hex: after.head))
    let transaction = Transaction(
      move: Transaction.Move(reference: "refs/heads/main", from: from, to: to), files: files)
    if journal {
      try store.write(Data(transaction.journal), to: ".git/larder/transaction")
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
    #expect(!store.exists(".git/larder/transaction"), sourceLocation: location)
    let names = try store.files().keys.filter { $0.contains("larder-new") }
    #expect(names.isEmpty, sourceLocation: location)
    #expect(try store.adopt().adoption == nil, sourceLocation: location)
  }

  func expectBefore(_ location: SourceLocation = #_sourceLocation) throws {
    #expect(try store.name(milk) == "Oat milk", sourceLocation: location)
    #expect(try store.head() == before.head, sourceLocation: location)
    #expect(try store.status() == "", sourceLocation: location)
    #expect(!store.exists(".git/larder/transaction"), sourceLocation: location)
    #expect(try store.adopt().adoption == nil, sourceLocation: location)
  }
}

@Suite("What a killed command leaves")
struct RecoveryTests {
  @Test("killed before the branch moved: as if it had never run")
  func notMoved() throws {
    let killed = try Killed()
    try killed.lay(moved: false)
    try killed.expectBefore()
  }

  @Test("killed while the journal was written: as if it had never run")
  func partialJournal() throws {
    let killed = try Killed()
    try killed.lay(moved: false)
    let journal = try killed.store.text(".git/larder/transaction")
    for count in [0, 1, journal.count / 2, journal.count - 2] {
      try killed.store.write(String(journal.prefix(count)), to: ".git/larder/transaction.new")
      try killed.store.write(String(journal.prefix(count)), to: ".git/larder/transaction")
      try killed.expectBefore()
    }
  }

  @Test("killed after the branch moved, with some of the files: finished", arguments: 0...3)
  func someFiles(_ count: Int) throws {
    let killed = try Killed()
    try killed.lay(moved: true, files: count)
    try killed.expectAfter()
  }

  @Test(
    "killed before the index was written, and before the journal was removed",
    arguments: [false, true])
  func index(_ isWritten: Bool) throws {
    let killed = try Killed()
    try killed.lay(moved: true, files: 3, index: isWritten)
    try killed.expectAfter()
  }

  @Test("a reading command finishes it too, and writes nothing else")
  func reading() throws {
    let killed = try Killed()
    try killed.lay(moved: true, files: 1)
    let reading = try killed.store.read()
    #expect(reading.edited == [])
    #expect(reading.notes == [])
    try killed.expectAfter()
  }

  @Test("a file that somebody edited meanwhile stays and is adopted on top", arguments: 0...3)
  func editedMeanwhile(_ count: Int) throws {
    let killed = try Killed()
    try killed.lay(moved: true, files: count)
    try killed.store.edit(killed.path, "\"quantityFullStock\": 6", "\"quantityFullStock\": 9")
    #expect(try killed.store.read().edited == [killed.path])
    #expect(try killed.store.entity(killed.milk).fullStock == Number(9))
    #expect(try killed.store.name(killed.milk) == "Oats")
    _ = try killed.store.adopt()
    let item = try killed.store.entity(killed.milk)
    #expect(item.name == "Oats")
    #expect(item.fullStock == Number(9))
    #expect(try killed.store.status() == "")
  }

  @Test("files that somebody removed or made meanwhile are theirs")
  func removedMeanwhile() throws {
    let killed = try Killed()
    try killed.lay(moved: true)
    try killed.store.removeFile(killed.path)
    let added = try #require(killed.files.first { $0.old == nil })
    try killed.store.write(#"{"name": "Mine"}"#, to: added.path)
    _ = try killed.store.adopt()
    #expect(try killed.store.entity(killed.milk).isTombstone)
    let mine = try killed.store.item("Mine")
    #expect(try killed.store.path(mine.key) == added.path)
    #expect(mine.quantity.value == Number(2), "it is what its path held in the finished command")
  }

  /// What may lie under the temporary name when a process dies.
  enum Leftover: String, CaseIterable {
    case empty, partial, complete, old, edit
  }

  @Test(
    "temporary files are finished, dropped, or given back", arguments: Leftover.allCases,
    [false, true])
  func temporary(_ leftover: Leftover, _ hasExchanged: Bool) throws {
    let killed = try Killed()
    try killed.lay(moved: true)
    let file = try killed.changedFile
    let temporary = TemporaryFile.path(for: file.path)
    let (old, new) = (try killed.bytes(file.old), try killed.bytes(file.new))
    let edit = killed.before.text.replacing(
      "\"quantityFullStock\": 6", with: "\"quantityFullStock\": 9")
    switch leftover {
    case .empty: try killed.store.write(Data(), to: temporary)
    case .partial: try killed.store.write(new.prefix(new.count / 2), to: temporary)
    case .complete: try killed.store.write(new, to: temporary)
    case .old: try killed.store.write(old, to: temporary)
    case .edit: try killed.store.write(edit, to: temporary)
    }
    if hasExchanged { try killed.apply(file) }
    guard leftover == .edit else { return try killed.expectAfter() }
    _ = try killed.store.adopt()
    #expect(try killed.store.entity(killed.milk).fullStock == Number(9))
    #expect(try killed.store.name(killed.milk) == "Oats")
    #expect(!killed.store.exists(temporary))
    #expect(try killed.store.status() == "")
  }

  @Test("an edit that was swapped out and a later one: the later stands, the other lies beside it")
  func twoEdits() throws {
    let killed = try Killed()
    try killed.lay(moved: true)
    let file = try killed.changedFile
    let first = killed.before.text.replacing("\"Oat milk\"", with: "\"First\"")
    let second = killed.after.text.replacing("\"Oats\"", with: "\"Second\"")
    try killed.store.write(first, to: TemporaryFile.path(for: file.path))
    try killed.store.write(second, to: file.path)
    _ = try killed.store.adopt()
    #expect(try killed.store.name(killed.milk) == "Second")
    let beside = try killed.store.files().filter { $0.key.contains(".conflict-") }
    #expect(Array(beside.values) == [first])
    #expect(try killed.store.read().household.unreadable.isEmpty)
  }

  @Test(
    "an edit of a file that was to be removed comes back to its place", arguments: [false, true])
  func editOfRemoved(_ isMadeAnew: Bool) throws {
    let killed = try Killed()
    try killed.lay(moved: true)
    let file = try #require(killed.files.first { $0.new == nil })
    let text = try killed.store.text(file.path)
    let edit = text.replacing("\"Soy milk\"", with: "\"Soya\"")
    try killed.store.removeFile(file.path)
    try killed.store.write(edit, to: TemporaryFile.path(for: file.path))
    if isMadeAnew {
      try killed.store.write(text.replacing("\"Soy milk\"", with: "\"Soyo\""), to: file.path)
    }
    _ = try killed.store.adopt()
    let files = try killed.store.files()
    #expect(!files.keys.contains { $0.contains("larder-new") })
    #expect(try killed.store.names(in: "stock").count >= 2)
    let names = try killed.store.read().household.all(.stockItem).compactMap(\.name)
    #expect(names.contains(isMadeAnew ? "Soyo" : "Soya"))
    if isMadeAnew { #expect(files.values.contains(edit)) }
  }

  @Test("the branch was set back by hand after the kill: the command is given up, edits are not")
  func setBack() throws {
    let killed = try Killed()
    try killed.lay(moved: true, files: 1)
    let file = try killed.changedFile
    let edit = killed.before.text.replacing("\"Oat milk\"", with: "\"Mine\"")
    try killed.home.git(killed.store, "reset", "-q", "--hard", killed.before.head)
    try killed.store.write(edit, to: TemporaryFile.path(for: file.path))
    #expect(try killed.store.name(killed.milk) == "Mine")
    #expect(try killed.store.head() == killed.before.head)
    #expect(!killed.store.exists(".git/larder/transaction"))
  }

  @Test("work went on with plain git after the kill: the transaction is finished, the work stands")
  func wentOn() throws {
    let killed = try Killed()
    try killed.lay(moved: true, files: 3)
    try killed.store.edit(killed.path, "\"Oats\"", "\"More oats\"")
    try killed.home.git(killed.store, "commit", "-qam", "by hand")
    _ = try killed.store.adopt()
    #expect(try killed.store.name(killed.milk) == "More oats")
    #expect(try killed.store.status() == "")
    #expect(!killed.store.exists(".git/larder/transaction"))
  }

  @Test("a file saved between loading and exchanging stays and is adopted next")
  func savedInBetween() throws {
    let killed = try Killed()
    let store = killed.store
    let text = try store.text(killed.path)
    let edit = text.replacing("\"Oat milk\"", with: "\"Mine\"")
    _ = try store.write("stock consume") { change, writer in
      let item = try #require(change.after[killed.milk])
      _ = try change.take(Quantity(Number(1), .piece), from: item, by: writer)
      try store.write(edit, to: killed.path)
      return "consume"
    }
    #expect(try store.text(killed.path) == edit)
    #expect(try store.name(killed.milk) == "Mine")
    #expect(try store.quantity(killed.milk) == Number(4))
    _ = try store.adopt()
    #expect(try store.name(killed.milk) == "Mine")
    #expect(try store.quantity(killed.milk) == Number(4))
    #expect(try store.status() == "")
  }

  @Test("a commit made with plain git between loading and committing: nothing is changed")
  func committedInBetween() throws {
    let killed = try Killed()
    let store = killed.store
    #expect(throws: StoreError.self) {
      _ = try store.write("stock consume") { change, writer in
        let item = try #require(change.after[killed.milk])
        _ = try change.take(Quantity(Number(1), .piece), from: item, by: writer)
        try store.write("x\n", to: "NOTES.md")
        try killed.home.commitAll(store, "in between")
        return "consume"
      }
    }
    #expect(try store.log().first == "in between")
    #expect(try store.quantity(killed.milk) == Number(5))
    #expect(try store.status() == "")
    #expect(!store.exists(".git/larder/transaction"))
  }

  @Test("a body that throws leaves what people did adopted and nothing else changed")
  func bodyThrows() throws {
    let killed = try Killed()
    try killed.store.edit(killed.path, "\"Oat milk\"", "\"Mine\"")
    struct Refused: Error {}
    #expect(throws: Refused.self) {
      _ = try killed.store.write("x") { edit, writer in
        edit.write([("name", .string("Theirs"))], to: killed.milk, now: writer.now)
        throw Refused()
      }
    }
    #expect(try killed.store.name(killed.milk) == "Mine")
    #expect(try killed.store.log().first?.hasPrefix("adopt") == true)
    #expect(try killed.store.status() == "")
  }
}
