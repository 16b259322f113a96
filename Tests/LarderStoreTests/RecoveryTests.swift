import Foundation
import HomeSupport
import LarderGit
import LarderJSON
import LarderModel
import LarderText
import Testing
import TestSupport

@testable import LarderStore

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
    let journal = try killed.store.text(".git/larder/journal")
    for count in [0, 1, journal.count / 2, journal.count - 2] {
      try killed.store.write(String(journal.prefix(count)), to: ".git/larder/journal")
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
    let temporary = file.temporary
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
    try killed.store.write(first, to: file.temporary)
    try killed.store.write(second, to: file.path)
    _ = try killed.store.adopt()
    #expect(try killed.store.name(killed.milk) == "Second")
    let beside = try killed.store.files().filter { $0.key.text.contains(".conflict-") }
    #expect(Array(beside.values) == [first])
    #expect(try killed.store.read().household.untaken.isEmpty)
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
    try killed.store.write(edit, to: file.temporary)
    if isMadeAnew {
      try killed.store.write(text.replacing("\"Soy milk\"", with: "\"Soyo\""), to: file.path)
    }
    _ = try killed.store.adopt()
    let files = try killed.store.files()
    #expect(!files.keys.contains { $0.text.contains("larder-new") })
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
    try killed.store.write(edit, to: file.temporary)
    #expect(try killed.store.name(killed.milk) == "Mine")
    #expect(try killed.store.head() == killed.before.head)
    #expect(!killed.store.hasUnfinishedTransaction)
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
    #expect(!killed.store.hasUnfinishedTransaction)
  }

  @Test("a file saved between loading and exchanging stays and is adopted next")
  func savedInBetween() throws {
    let killed = try Killed()
    let store = killed.store
    let text = try store.text(killed.path)
    let edit = text.replacing("\"Oat milk\"", with: "\"Mine\"")
    try store.commit(as: "stock use") { change, writer in
      let item = try #require(change.after[killed.milk])
      _ = try change.take(Quantity(Number(1), .piece), from: item, by: writer)
      try store.write(edit, to: killed.path)
      return ("consume", ())
    }.get().value
    #expect(try store.text(killed.path) == edit)
    #expect(try store.name(killed.milk) == "Mine")
    #expect(try store.quantity(killed.milk) == Number(4))
    _ = try store.adopt()
    #expect(try store.name(killed.milk) == "Mine")
    #expect(try store.quantity(killed.milk) == Number(4))
    #expect(try store.status() == "")
  }

  @Test("plain git that commits between loading and committing every time: nothing is changed")
  func committedInBetween() throws {
    let killed = try Killed()
    let store = killed.store
    var runs = 0
    let error = try #require(throws: StoreError.self) {
      try store.commit(as: "stock use") { change, writer in
        let item = try #require(change.after[killed.milk])
        _ = try change.take(Quantity(Number(1), .piece), from: item, by: writer)
        runs += 1
        try store.write("\(runs)\n", to: "NOTES.md")
        try killed.home.commitAll(store, "in between")
        return ("consume", ())
      }.get().value
    }
    guard case .git(let failure) = error, failure.code == .conflict else {
      Issue.record("\(error)")
      return
    }
    #expect(try store.log().first == "in between")
    #expect(try store.quantity(killed.milk) == Number(5))
    #expect(try store.status() == "")
    #expect(!store.hasUnfinishedTransaction)
  }

  @Test("a body that throws leaves what people did adopted and nothing else changed")
  func bodyThrows() throws {
    let killed = try Killed()
    try killed.store.edit(killed.path, "\"Oat milk\"", "\"Mine\"")
    struct Refused: Error {}
    #expect(throws: Refused.self) {
      try killed.store.commit(as: "x") { edit, writer -> (subject: String, value: Void) in
        edit.write([("name", .string("Theirs"))], to: killed.milk, now: writer.now)
        throw Refused()
      }.get().value
    }
    #expect(try killed.store.name(killed.milk) == "Mine")
    #expect(try killed.store.log().first?.hasPrefix("adopt") == true)
    #expect(try killed.store.status() == "")
  }
}
