import Foundation
import HomeSupport
import LarderJSON
import LarderModel
import LarderStore
import LarderText
import Testing
import TestSupport

@Suite("The work tree and git's index")
struct WorkTreeTests {
  private func milk() throws -> (home: Home, milk: EntityKey, path: FilePath) {
    var key: EntityKey?
    let home = try Home { key = try $0.newItem("Oat milk", 5, full: 6) }
    let milk = try #require(key)
    return (home, milk, try home.laptop.path(milk))
  }

  @Test("what the user had staged stays staged")
  func staged() throws {
    let (home, milk, _) = try milk()
    try home.laptop.write("one\n", to: "NOTES.md")
    try home.laptop.write("draft\n", to: "photos/list.txt")
    try home.git(home.laptop, "add", "NOTES.md", "photos/list.txt")
    try home.laptop.write("one\ntwo\n", to: "NOTES.md")
    try home.laptop.consume(milk, 1)
    #expect(try home.laptop.status() == "AM NOTES.md\nA  photos/list.txt\n")
    let committed = try Git.run("show", "--stat", "--format=", "HEAD", in: home.laptop.root)
    #expect(!committed.contains("NOTES.md"))
    try home.phone.consume(milk, 1)
    try home.sync(home.phone)
    try home.sync(home.laptop)
    #expect(try home.laptop.status() == "AM NOTES.md\nA  photos/list.txt\n")
    #expect(try home.laptop.quantity(milk) == Number(3))
  }

  @Test("an edit of ours that is staged is adopted and leaves a clean index")
  func stagedEdit() throws {
    let (home, milk, path) = try milk()
    try home.laptop.edit(path, "\"Oat milk\"", "\"Oats\"")
    try home.git(home.laptop, "add", path.text)
    try home.laptop.consume(milk, 1)
    #expect(try home.laptop.status() == "")
    try home.settle()
    #expect(try home.phone.name(milk) == "Oats")
  }

  @Test("other files are merged as git merges them; where that conflicts both versions stay")
  func otherFiles() throws {
    let (home, _, _) = try milk()
    try home.laptop.write("1\n2\n3\n4\n5\n6\n7\n", to: "NOTES.md")
    try home.laptop.write("old\n", to: "recipe.txt")
    try home.laptop.write(Data([0, 1, 2, 255]), to: "photos/a.jpg")
    try home.commitAll(home.laptop)
    try home.settle()
    try home.laptop.edit("NOTES.md", "1\n", "one\n")
    try home.laptop.write("laptop\n", to: "recipe.txt")
    try home.laptop.write("#!/bin/sh\n", to: "bin/list")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: home.laptop.root + "/bin/list")
    try home.commitAll(home.laptop)
    try home.phone.edit("NOTES.md", "7\n", "seven\n")
    try home.phone.write("phone\n", to: "recipe.txt")
    try home.phone.removeFile("photos/a.jpg")
    try home.commitAll(home.phone)
    try home.sync(home.laptop)
    let outcome = try home.sync(home.phone)
    #expect(outcome.conflicts.map(\.path) == ["recipe.txt"])
    try home.settle()
    let files = try home.laptop.files()
    #expect(files["NOTES.md"] == "one\n2\n3\n4\n5\n6\nseven\n")
    #expect(files["photos/a.jpg"] == nil)
    let recipes = files.filter { $0.key.hasPrefix("recipe.txt") }
    #expect(Set(recipes.values) == ["laptop\n", "phone\n"])
    #expect(FileManager.default.isExecutableFile(atPath: home.phone.root + "/bin/list"))
  }

  @Test(
    "an uncommitted change of another file stops a sync that changes it, until it is committed or gone"
  )
  func dirtyOtherFile() throws {
    let (home, milk, _) = try milk()
    try home.laptop.write("old\n", to: "NOTES.md")
    try home.commitAll(home.laptop)
    try home.settle()
    for joins in [false, true] {
      try home.phone.write("phone \(joins)\n", to: "NOTES.md")
      try home.commitAll(home.phone)
      try home.sync(home.phone)
      if joins { try home.laptop.consume(milk, 1) }
      try home.laptop.write("draft\n", to: "NOTES.md")
      let head = try home.laptop.head()
      #expect(throws: SyncError.self) { try home.sync(home.laptop) }
      #expect(try home.laptop.text("NOTES.md") == "draft\n")
      #expect(try home.laptop.head() == head)
      try home.git(home.laptop, "checkout", "-q", "--", "NOTES.md")
      try home.sync(home.laptop)
      #expect(try home.laptop.text("NOTES.md") == "phone \(joins)\n")
    }
  }

  @Test("files with CRLF mean the same, and are written with LF when they are adopted")
  func lineEnds() throws {
    let (home, milk, path) = try milk()
    let text = try home.laptop.text(path)
    let crlf = text.replacing("\n", with: "\r\n")
    try home.laptop.write(crlf, to: path)
    #expect(try home.laptop.read().notes == [])
    #expect(try home.laptop.adopt().commit == nil)
    #expect(try home.laptop.text(path) == text)
    try home.laptop.write(crlf.replacing("\"Oat milk\"", with: "\"Oats\""), to: path)
    try home.laptop.removeFile(".gitattributes")
    try home.git(home.laptop, "-c", "core.autocrlf=false", "commit", "-qam", "CRLF")
    try home.settle()
    #expect(try home.phone.name(milk) == "Oats")
    #expect(try !home.phone.text(path).contains("\r"))
  }

  @Test("a missing .gitattributes is told of and mended, and does not hinder")
  func attributes() throws {
    let (home, milk, _) = try milk()
    try home.git(home.laptop, "rm", "-q", ".gitattributes")
    try home.git(home.laptop, "commit", "-qm", "remove")
    try home.laptop.consume(milk, 1)
    try home.settle()
    #expect(try home.phone.setUpProblems().contains(.noAttributes))
    #expect(try home.phone.mendAttributes() != nil)
    #expect(try home.phone.mendAttributes() == nil)
    try home.settle()
    #expect(try !home.laptop.setUpProblems().contains(.noAttributes))
    #expect(try home.laptop.text(".gitattributes").contains("merge=larder"))
  }

  @Test("mending .gitattributes on commits of plain git leaves their edits to be adopted")
  func attributesOnPlainCommits() throws {
    let (home, milk, path) = try milk()
    try home.laptop.edit(path, "\"quantityInStock\": 5", "\"quantityInStock\": 2")
    try home.git(home.laptop, "rm", "-q", ".gitattributes")
    try home.git(home.laptop, "commit", "-qam", "by hand")
    #expect(try home.laptop.mendAttributes() != nil)
    #expect(try home.laptop.quantity(milk) == Number(2))
    try home.settle()
    #expect(try home.phone.quantity(milk) == Number(2))
  }

  @Test("a household begun on commits of plain git takes the files that they have")
  func begunOnPlainCommits() throws {
    let folder = try Folder()
    try folder.write("{\"name\": \"Milk\", \"quantityInStock\": 2}", to: "nest/stock/milk.json")
    try Git.run("init", "-q", "-b", "main", in: folder("nest"))
    try Git.run("add", "-A", in: folder("nest"))
    try Git.run("commit", "-qm", "by hand", in: folder("nest"))
    let store = try Store.create(
      at: folder("nest"), name: "Nest", timeZone: "UTC", currency: nil, program: "larder",
      context: StoreContext(now: { Instant(milliseconds: 1_800_000_000_000) }, device: "laptop"))
    let items = try store.read().household.all(.stockItem)
    #expect(items.map(\.name) == ["Milk"])
    #expect(items.map(\.quantity.value) == [Number(2)])
    #expect(try store.read().household.untaken.isEmpty)
    #expect(try store.adopt().commit == nil)
  }

  @Test("lines that people added to .gitattributes stay when it is mended")
  func ownAttributes() throws {
    let (home, _, _) = try milk()
    try home.laptop.write("*.jpg binary\n", to: ".gitattributes")
    _ = try home.laptop.mendAttributes()
    #expect(try home.laptop.text(".gitattributes").hasPrefix("*.jpg binary\n/household.json"))
    try home.settle()
  }

  @Test("no commit is made on a detached HEAD")
  func detached() throws {
    let (home, milk, _) = try milk()
    try home.git(home.laptop, "checkout", "-q", "--detach")
    let head = try home.laptop.head()
    #expect(throws: StoreError.self) { try home.laptop.consume(milk, 1) }
    #expect(try home.laptop.head() == head)
    try home.git(home.laptop, "checkout", "-q", "main")
    try home.laptop.consume(milk, 1)
    try home.settle()
    #expect(try home.phone.quantity(milk) == Number(4))
  }

  @Test("files made by hand before anything was ever committed are adopted")
  func unborn() throws {
    let folder = try Folder()
    try Git.run("init", "-q", "-b", "main", folder("new"), in: folder.path)
    try folder.write(#"{"name": "Flat"}"#, to: "new/household.json")
    try folder.write(#"{"name": "Tea", "quantityInStock": 3}"#, to: "new/stock/tea.json")
    let home = try Home(alone: true)
    let store = try Store.open(from: folder("new/stock"), context: home.context("new"))
    #expect(try store.item("Tea").quantity.value == Number(3))
    #expect(throws: StoreError.self) { try store.adopt() }
    try store.setUpDevice(program: "larder")
    #expect(try store.adopt().commit != nil)
    #expect(try store.status() == "")
    #expect(try store.path(store.item("Tea").key) == "stock/tea.json")
    try store.consume(store.item("Tea").key, 1)
    #expect(try store.item("Tea").quantity.value == Number(2))
    #expect(try store.unformatted() == [])
  }

  @Test("a household inside another repository is read, and not written")
  func insideAnother() throws {
    let folder = try Folder()
    let home = try Home(alone: true)
    try Git.run("init", "-q", "-b", "main", folder("outer"), in: folder.path)
    try folder.write(#"{"name": "Flat"}"#, to: "outer/home/household.json")
    try folder.write(#"{"name": "Tea", "quantityInStock": 3}"#, to: "outer/home/stock/tea.json")
    let store = try Store.open(from: folder("outer/home"), context: home.context("new"))
    #expect(try store.item("Tea").quantity.value == Number(3))
    let error = try #require(throws: StoreError.self) { try store.newItem("Coffee") }
    guard case .notARepository = error else {
      Issue.record("\(error)")
      return
    }
  }
}
