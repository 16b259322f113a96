import HomeSupport
import LarderGit
import LarderJSON
import LarderModel
import LarderStore
import LarderText
import Testing
import TestSupport

@Suite("Files whose edits are refused")
struct RefusedFileTests {
  private func milk() throws -> (home: Home, milk: EntityKey, path: FilePath) {
    var key: EntityKey?
    let home = try Home {
      key = try $0.newItem("Oat milk", 5, full: 6, unit: .liter)
      try $0.newItem("Bananas", 2)
    }
    let milk = try #require(key)
    return (home, milk, try home.laptop.path(milk))
  }

  /// What an edit does to the file of an item in litres, so that it is refused or broken.
  enum Bad: CaseIterable {
    case unit, unitWithoutLines, unitWithoutID, longNumber, noName, cut

    func text(of text: String, _ mark: String = "Refused") -> String {
      let named = text.replacing("\"Oat milk\"", with: "\"\(mark)\"")
      let unit = named.replacing("\"unit\": \"liter\",\n", with: "\"unit\": \"pack\",\n")
      switch self {
      case .unit: return unit
      case .unitWithoutLines: return withoutLines(unit)
      case .unitWithoutID:
        return unit.split(separator: "\n").filter { !$0.hasPrefix("  \"id\"") }
          .joined(separator: "\n")
      case .longNumber:
        return named.replacing("\"quantityInStock\": 5", with: "\"quantityInStock\": 5.1234567")
      case .noName: return named.replacing("\"name\"", with: "\"title\"")
      case .cut: return String(named.dropLast(named.count / 3))
      }
    }

    private func withoutLines(_ text: String) -> String {
      guard let start = text.firstRange(of: "\"changes\": [") else { return text }
      return text[..<start.upperBound] + "]\n}\n"
    }
  }

  /// What is done while the file is so.
  enum Deed: CaseIterable {
    case put, undo, adopt, sync, join, pull, mend

    func run(_ home: Home) throws {
      switch self {
      case .put: try home.laptop.newItem("Tea", 1)
      case .undo:
        try home.laptop.newItem("Coffee", 1)
        _ = try home.laptop.undo()
        _ = try home.laptop.redo()
      case .adopt:
        try home.laptop.write(#"{"name": "Salt"}"#, to: "stock/salt.json")
        _ = try home.laptop.adopt()
      case .sync: try home.sync(home.laptop)
      case .join:
        try home.phone.newItem("Rice", 1)
        try home.sync(home.phone)
        try home.sync(home.laptop)
        try home.sync(home.phone)
      case .pull:
        try home.phone.newItem("Flour", 1)
        try home.sync(home.phone)
        try home.git(home.laptop, "pull", "-q", "--no-rebase", "--no-edit", "origin", "main")
        try home.laptop.newItem("Sugar", 1)
      case .mend: _ = try home.laptop.mendAttributes()
      }
    }
  }

  @Test(
    "a refused file stays refused through every kind of commit, and its entity as it was",
    arguments: Bad.allCases, Deed.allCases)
  func stays(_ bad: Bad, _ deed: Deed) throws {
    let (home, milk, path) = try milk()
    let before = try home.laptop.entity(milk)
    let text = bad.text(of: try home.laptop.text(path))
    try home.laptop.write(text, to: path)
    try home.commitAll(home.laptop)
    try deed.run(home)
    try home.laptop.newItem("Oil", 1)
    try home.settle(isClean: false)
    for store in home.devices {
      #expect(try store.entity(milk) == before)
      #expect(try store.text(path) == text)
      #expect(try store.read().household.untaken[path] != nil)
      #expect(throws: StoreError.self) { try store.consume(milk, 1) }
    }
  }

  @Test("one that is refused again with other words stays refused, and is told why")
  func twice() throws {
    let (home, milk, path) = try milk()
    let before = try home.laptop.entity(milk)
    let text = try home.laptop.text(path)
    for mark in ["First", "Second", "Third"] {
      try home.laptop.write(Bad.unit.text(of: text, mark), to: path)
      try home.commitAll(home.laptop, mark)
      if mark != "First" { try home.laptop.newItem(mark, 1) }
    }
    try home.settle(isClean: false)
    let mistakes = try #require(try home.phone.read().household.untaken[path])
    #expect(mistakes.all.contains { if case .refused = $0 { true } else { false } })
    #expect(try home.phone.entity(milk) == before)
  }

  @Test(
    "mended, the file says what its author wrote from the beginning",
    arguments: [false, true], [false, true])
  func mended(_ commits: Bool, _ elsewhere: Bool) throws {
    let (home, milk, path) = try milk()
    let text = try home.laptop.text(path)
    try home.laptop.write(Bad.unitWithoutLines.text(of: text, "Oats"), to: path)
    try home.commitAll(home.laptop)
    try home.laptop.newItem("Tea", 1)
    if elsewhere { try home.settle(isClean: false) }
    let mender = elsewhere ? home.phone : home.laptop
    try mender.write(text.replacing("\"Oat milk\"", with: "\"Oats\""), to: path)
    if commits { try home.commitAll(mender) }
    try home.settle()
    for store in home.devices {
      #expect(try store.name(milk) == "Oats")
      #expect(try store.entity(milk).unit == .liter)
      #expect(try store.quantity(milk) == Number(5))
      #expect(try store.read().household.untaken.isEmpty)
    }
  }

  @Test("git checkout of the version before mends it", arguments: [false, true])
  func checkedOut(_ commits: Bool) throws {
    let (home, milk, path) = try milk()
    let before = try home.laptop.entity(milk)
    let good = try home.laptop.head()
    try home.laptop.write(Bad.unit.text(of: try home.laptop.text(path)), to: path)
    try home.commitAll(home.laptop)
    try home.laptop.newItem("Tea", 1)
    try home.git(home.laptop, "checkout", "-q", good, "--", path.text)
    if commits { try home.commitAll(home.laptop) }
    try home.settle()
    #expect(try home.phone.entity(milk) == before)
    try home.phone.consume(milk, 1)
    #expect(try home.phone.quantity(milk) == Number(4))
  }

  @Test("refused on one device and changed on the other: what is changed counts, both texts stay")
  func meetsChange() throws {
    let (home, milk, path) = try milk()
    let text = Bad.unitWithoutLines.text(of: try home.laptop.text(path))
    try home.laptop.consume(milk, 1)
    try home.laptop.write(text, to: path)
    try home.commitAll(home.laptop)
    try home.laptop.newItem("Tea", 1)
    try home.phone.consume(milk, 1)
    try home.phone.set("category", .string("Dairy"), of: milk)
    try home.settle(isClean: false)
    for store in home.devices {
      #expect(try store.quantity(milk) == Number(3))
      #expect(try store.name(milk) == "Oat milk")
      #expect(try store.entity(milk).unit == .liter)
      #expect(try store.files().values.contains(text))
    }
  }

  @Test("mended on one device while the other worked on: the mended file stands")
  func mendedElsewhere() throws {
    let (home, milk, path) = try milk()
    let text = try home.laptop.text(path)
    try home.laptop.write(Bad.unit.text(of: text), to: path)
    try home.commitAll(home.laptop)
    try home.settle(isClean: false)
    try home.phone.write(text.replacing("\"Oat milk\"", with: "\"Oats\""), to: path)
    try home.sync(home.phone)
    try home.laptop.newItem("Tea", 1)
    try home.settle()
    #expect(try home.laptop.name(milk) == "Oats")
    #expect(try home.laptop.read().household.untaken.isEmpty)
  }

  @Test(
    "moved in the same commit or later, its entity stands where the file is",
    arguments: [false, true])
  func moved(_ later: Bool) throws {
    let (home, milk, path) = try milk()
    let before = try home.laptop.entity(milk)
    let text = try home.laptop.text(path)
    let bad = Bad.unit.text(of: text)
    try home.laptop.write(bad, to: path)
    if later {
      try home.commitAll(home.laptop)
      try home.laptop.newItem("Tea", 1)
    }
    try home.laptop.moveFile(path, to: "stock/aaa.json")
    try home.commitAll(home.laptop)
    try home.laptop.newItem("Salt", 1)
    try home.settle(isClean: false)
    for store in home.devices {
      #expect(try store.entity(milk) == before)
      #expect(try store.path(milk) == "stock/aaa.json")
      #expect(try store.text("stock/aaa.json") == bad)
      #expect(!store.exists(path))
    }
    try home.phone.write(text.replacing("\"Oat milk\"", with: "\"Oats\""), to: "stock/aaa.json")
    try home.settle()
    #expect(try home.laptop.name(milk) == "Oats")
    #expect(try home.laptop.path(milk) == "stock/aaa.json")
  }

  @Test("moved on one device and refused on the other: nothing of the refused edit counts")
  func movedElsewhere() throws {
    let (home, milk, path) = try milk()
    try home.laptop.write(Bad.unitWithoutLines.text(of: try home.laptop.text(path)), to: path)
    try home.commitAll(home.laptop)
    try home.laptop.newItem("Tea", 1)
    try home.phone.moveFile(path, to: "stock/zzz.json")
    try home.phone.consume(milk, 1)
    try home.settle(isClean: false)
    for store in home.devices {
      #expect(try store.quantity(milk) == Number(4))
      #expect(try store.name(milk) == "Oat milk")
      #expect(try store.path(milk) == "stock/zzz.json")
    }
  }

  @Test("removed by hand, it comes back as the deleted entity that it was")
  func removed() throws {
    let (home, milk, path) = try milk()
    try home.laptop.write(Bad.unitWithoutLines.text(of: try home.laptop.text(path)), to: path)
    try home.commitAll(home.laptop)
    try home.laptop.newItem("Tea", 1)
    try home.laptop.removeFile(path)
    try home.commitAll(home.laptop)
    try home.settle()
    #expect(try home.phone.entity(milk).isTombstone)
    #expect(try home.phone.quantity(milk) == Number(5))
    #expect(try home.phone.name(milk) == "Oat milk")
  }

  @Test("a commit of larder's that git amended means the same", arguments: [false, true])
  func amended(_ changes: Bool) throws {
    let (home, milk, path) = try milk()
    let before = try home.laptop.entity(milk)
    try home.laptop.write(Bad.unit.text(of: try home.laptop.text(path)), to: path)
    try home.commitAll(home.laptop)
    try home.laptop.newItem("Tea", 1)
    if changes { try home.laptop.write("note", to: "note.txt") }
    try Git.run("add", "-A", in: home.laptop.root)
    try home.git(home.laptop, "commit", "-q", "--amend", "--no-edit")
    try home.laptop.newItem("Salt", 1)
    try home.settle(isClean: false)
    #expect(try home.phone.entity(milk) == before)
  }

  @Test(
    "paths of all kinds are found again",
    arguments: ["stock/a b%20c.json", "stock/tee ☕\u{2028}.json"])
  func paths(_ path: FilePath) throws {
    let (home, milk, old) = try milk()
    let before = try home.laptop.entity(milk)
    try home.laptop.moveFile(old, to: path)
    _ = try home.laptop.adopt()
    try home.laptop.write(Bad.unit.text(of: try home.laptop.text(path)), to: path)
    try home.commitAll(home.laptop)
    try home.laptop.newItem("Tea", 1)
    try home.settle(isClean: false)
    #expect(try home.phone.entity(milk) == before)
    #expect(try home.phone.read().household.untaken[path] != nil)
  }

  @Test("what is known of it needs neither a snapshot nor the whole history")
  func shallow() throws {
    let (home, milk, path) = try milk()
    let before = try home.laptop.entity(milk)
    for name in ["A", "B", "C"] { try home.laptop.newItem(name, 1) }
    try home.laptop.write(Bad.unit.text(of: try home.laptop.text(path)), to: path)
    try home.commitAll(home.laptop)
    try home.laptop.newItem("Tea", 1)
    try home.sync(home.laptop)
    let clone = home.folder("shallow")
    try Git.run(
      "clone", "-q", "--depth", "4", "file://" + home.folder("hub.git"), clone,
      in: home.folder.path)
    let store = try Store.open(from: clone, context: home.context("clone"))
    #expect(try store.read().household[milk] == before)
  }
}
