import Foundation
import HomeSupport
import LarderJSON
import LarderModel
import LarderStore
import LarderText
import Testing
import TestSupport

@Suite("Names of things and of files that nobody expects")
struct HostileNameTests {
  static let names = [
    "\"quoted\" 'name'", "two\nlines\r\nand\ttabs", "\u{1b}[31mred\u{7}", "🥛 milk 👩‍👩‍👧‍👦",
    "חלב \u{202e}evil\u{202c}", "../../etc/passwd", "..", ".", "/", "-rf", "con.json", ".git",
    String(repeating: "é", count: 300), "\u{7f}\u{1}", "Larder-Command: adopt\n\nLarder-Command: x",
    "a\u{301}", "á", "\u{feff}bom", "%s%n$(touch x)`id`", "牛乳",
  ]

  @Test("things of any name keep it, in files inside their folder, on both devices")
  func things() throws {
    let home = try Home { store in
      for name in Self.names { try store.newItem(name, 1) }
    }
    try home.settle()
    let household = try home.phone.read().household
    #expect(
      Set(household.all(.stockItem).compactMap(\.name).map { Array($0.utf8) })
        == Set(Self.names.map { Array($0.utf8) }))
    for item in household.all(.stockItem) {
      let path = try #require(household.path(of: item.key))
      #expect(path.hasPrefix("stock/") && !path.text.contains(".."), "\(path)")
      #expect(path.utf8.count < 200 && path.names.count == 2, "\(path)")
    }
    for item in household.all(.stockItem) { try home.phone.consume(item.key, 1) }
    try home.settle()
    #expect(try home.laptop.read().household.all(.shoppingListEntry).count == Self.names.count)
  }

  @Test("files of any name are adopted and keep it", arguments: [false, true])
  func files(_ commits: Bool) throws {
    let home = try Home()
    let names = [
      "with \"quotes\".json", "-rf.json", "🥛.json", "חלב.json", " .json", "'.json", "*.json",
      String(repeating: "x", count: 240) + ".json", "deep/er/and/deeper/x.json", "stock/stock.json",
      (1..<64).map { "\($0)/" }.joined() + "x.json",
    ]
    for (index, name) in names.enumerated() {
      try home.laptop.write(
        #"{"name": "Item \#(index)", "quantityInStock": 1}"#, to: "stock/\(name)")
    }
    if commits { try home.commitAll(home.laptop) }
    try home.settle()
    for (index, name) in names.enumerated() {
      let item = try home.phone.item("Item \(index)")
      #expect(try home.phone.path(item.key) == "stock/\(name)")
      try home.phone.consume(item.key, 1)
    }
    try home.settle()
  }

  /// Names of files and folders that differ only in how a letter is composed.
  static let alike: [FilePath] = [
    "stock/th\u{e9}.json", "stock/the\u{301}.json", "stock/\u{e9}/tea.json",
    "stock/e\u{301}/tea.json", "stock/e\u{301}/\u{e9}.json", "stock/\u{301}/\u{301}.json",
  ]

  @Test(
    "files and folders that only look alike are different ones, on both devices",
    .enabled(if: distinguishesForms), arguments: [false, true])
  func alike(_ commits: Bool) throws {
    let home = try Home()
    for (index, path) in Self.alike.enumerated() {
      let store = index.isMultiple(of: 2) ? home.laptop : home.phone
      try store.write(#"{"name": "Item \#(index)", "quantityInStock": 5}"#, to: path)
    }
    if commits { for store in home.devices { try home.commitAll(store) } }
    try home.settle()
    for (index, path) in Self.alike.enumerated() {
      let item = try home.phone.item("Item \(index)")
      #expect(try home.phone.path(item.key) == path)
      try home.phone.consume(item.key, 1)
      try home.laptop.edit(path, "\"Item \(index)\"", "\"Thing \(index)\"")
    }
    try home.settle()
    for (index, path) in Self.alike.enumerated() {
      let text = try home.laptop.text(path)
      #expect(text.contains("\"Thing \(index)\"") && text.contains("\"quantityInStock\": 4"))
    }
    #expect(try home.laptop.read().household.untaken.isEmpty)
  }

  @Test(
    "a file that is renamed to a name that looks the same has the new name on both devices",
    .enabled(if: distinguishesForms))
  func renamed() throws {
    let home = try Home { try $0.newItem("Tea", 5) }
    let item = try home.laptop.item("Tea")
    var path = try home.laptop.path(item.key)
    for target in Self.alike[..<4] {
      try home.laptop.moveFile(path, to: target)
      try home.settle()
      path = try home.phone.path(item.key)
      #expect(path == target)
      #expect(try home.phone.quantity(item.key) == Number(5))
    }
    #expect(try home.phone.read().household.all(.stockItem).count == 1)
  }

  @Test(
    "of two files with one id in a merge by git the path with smaller bytes stands",
    .enabled(if: distinguishesForms))
  func smallerBytes() throws {
    let home = try Home()
    let id = "0192f0c4-7c1e-7d3a-9b52-3f6a1c7f3a9c"
    // With its first letter composed, the second name would come after the first one.
    let paths: [FilePath] = ["stock/fa.json", "stock/e\u{301}a.json"]
    try home.git(home.laptop, "checkout", "-q", "-b", "side")
    try home.laptop.write("a", to: "notes/a.txt")
    try home.commitAll(home.laptop)
    try home.git(home.laptop, "checkout", "-q", "main")
    try home.laptop.write("b", to: "notes/b.txt")
    try home.commitAll(home.laptop)
    try home.git(home.laptop, "merge", "-q", "--no-commit", "side")
    for path in paths {
      try home.laptop.write(#"{"id": "\#(id)", "name": "Tea"}"#, to: path)
    }
    try home.commitAll(home.laptop)
    try home.settle()
    #expect(try home.phone.path(EntityKey(.stockItem, id)) == "stock/e\u{301}a.json")
  }

  @Test("files whose path no household may have are told, stay, and are nobody's loss")
  func forbidden() throws {
    let home = try Home { try $0.newItem("Tea", 1) }
    let deep = (1...64).map { "\($0)/" }.joined()
    let names = ["two\nlines.json", "tab\there.json", "a\\b.json", "\u{85}.json", deep + "x.json"]
    for name in names { try home.laptop.write(#"{"name": "Lost?"}"#, to: "stock/\(name)") }
    let told = try home.laptop.read().household.untaken
    #expect(told.count == names.count)
    #expect(told.values.allSatisfy { if case .badPath = $0.all.first { true } else { false } })
    try home.laptop.consume(home.laptop.item("Tea").key, 1)
    try home.sync(home.laptop)
    try home.sync(home.phone)
    for name in names { #expect(home.laptop.exists("stock/\(name)")) }
    #expect(try home.phone.read().household.all(.stockItem).map(\.name) == ["Tea"])
    try home.commitAll(home.laptop)
    let error = try #require(throws: SyncError.self) { try home.sync(home.laptop) }
    guard case .wouldBeRefused(let refused) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(refused.faults.count == names.count)
    try home.laptop.mend(home.laptop.damage())
    try home.sync(home.laptop)
    for name in names { #expect(home.laptop.exists("stock/\(name)")) }
  }

  @Test("hidden files and names without .json are none of ours")
  func others() throws {
    let home = try Home()
    for name: FilePath in [
      "stock/notes.txt", "stock/tea.json~", "stock/tea.JSON", "tea.json", "misc/x.json",
    ] {
      try home.laptop.write("whatever {", to: name)
    }
    #expect(try home.laptop.read().household.untaken.isEmpty)
    #expect(try home.laptop.adopt().adoption == nil)
  }

  @Test(
    "a file name that is not UTF-8 is left alone", .enabled(if: distinguishesForms),
    arguments: [false, true])
  func notUnicode(_ commits: Bool) throws {
    let home = try Home { try $0.newItem("Tea", 1) }
    let name = home.laptop.root + "/stock/caf"
    var bytes = Array(name.utf8CString.dropLast()) + [CChar(bitPattern: 0xe9)]
    bytes += Array(".json".utf8CString)
    let descriptor = open(bytes, O_CREAT | O_WRONLY, 0o644)
    try #require(descriptor >= 0)
    try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).write(
      contentsOf: Data(#"{"name": "Latin"}"#.utf8))
    if commits { try home.commitAll(home.laptop) }
    #expect(try home.laptop.read().notes.count <= 1)
    try home.laptop.consume(home.laptop.item("Tea").key, 1)
    #expect(access(bytes, R_OK) == 0)
    try home.settle(isClean: false)
    #expect(try home.phone.read().household.all(.stockItem).filter(\.isTombstone).isEmpty)
    #expect(access(bytes, R_OK) == 0)
  }

  /// Whether the file system tells composed from decomposed names and takes any bytes.
  static let distinguishesForms: Bool = {
    #if !canImport(Darwin)
      true
    #else
      false
    #endif
  }()
}
