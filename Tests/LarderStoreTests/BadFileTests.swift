import Foundation
import HomeSupport
import LarderGit
import LarderJSON
import LarderModel
import LarderStore
import LarderText
import Testing
import TestSupport

@Suite("Broken files")
struct BadFileTests {
  private func milk(alone: Bool = true) throws -> (home: Home, milk: EntityKey, path: FilePath) {
    var key: EntityKey?
    let home = try Home(alone: alone) {
      key = try $0.newItem("Oat milk", 5, full: 6)
      try $0.newItem("Soy milk", 2)
    }
    let milk = try #require(key)
    return (home, milk, try home.laptop.path(milk))
  }

  private static let huge = Data(repeating: UInt8(ascii: " "), count: 20 << 20)

  static let bad: [(name: String, data: Data)] = [
    ("empty", Data()),
    ("truncated", Data(#"{"id": "0192f0c4-7c1e-7d3a-9b52-3f6a1c7f3a9c", "na"#.utf8)),
    ("binary", Data([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 255, 254])),
    ("not UTF-8", Data(#"{"name": ""#.utf8) + Data([0xff, 0xfe]) + Data(#""}"#.utf8)),
    ("U+0000", Data(#"{"name": "a\u0000b"}"#.utf8)),
    ("a list", Data("[1, 2]".utf8)),
    ("a wrong type", Data(#"{"name": 7}"#.utf8)),
    ("an empty name", Data(#"{"name": ""}"#.utf8)),
    ("no name", Data(#"{"quantityInStock": 2}"#.utf8)),
    ("a wrong unit", Data(#"{"name": "Tea", "unit": "fl oz"}"#.utf8)),
    ("a negative full stock", Data(#"{"name": "Tea", "quantityFullStock": -1}"#.utf8)),
    ("NaN", Data(#"{"name": "Tea", "quantityInStock": NaN}"#.utf8)),
    ("an infinite number", Data(#"{"name": "Tea", "quantityInStock": 1e999}"#.utf8)),
    ("a number as text", Data(#"{"name": "Tea", "quantityInStock": "3"}"#.utf8)),
    ("a number too long", Data(#"{"name": "Tea", "quantityInStock": 1.1234567}"#.utf8)),
    ("a key twice", Data(#"{"name": "Tea", "name": "Coffee"}"#.utf8)),
    ("an id that is none", Data(#"{"id": "tea", "name": "Tea"}"#.utf8)),
    (
      "conflict markers",
      Data("{\n<<<<<<< ours\n  \"name\": \"Tea\"\n=======\n>>>>>>> theirs\n}\n".utf8)
    ),
    ("deep", Data((String(repeating: "[", count: 70) + String(repeating: "]", count: 70)).utf8)),
    ("20 MB", huge),
  ]

  @Test("a new file that can't be read is told of and left alone, and work on the others goes on")
  func newFiles() throws {
    let (home, milk, _) = try milk()
    for (index, bad) in Self.bad.enumerated() {
      try home.laptop.write(bad.data, to: "stock/bad-\(index).json")
    }
    let reading = try home.laptop.read()
    for (index, bad) in Self.bad.enumerated() {
      let path: FilePath = "stock/bad-\(index).json"
      #expect(reading.household.untaken[path]?.all.isEmpty == false, "\(bad.name)")
      #expect(reading.notes.contains(.untaken(path: path)), "\(bad.name)")
    }
    try home.laptop.consume(milk, 1)
    #expect(try home.laptop.quantity(milk) == Number(4))
    for (index, bad) in Self.bad.enumerated() {
      let file = URL(filePath: home.laptop.root + "/stock/bad-\(index).json")
      #expect(try Data(contentsOf: file) == bad.data, "\(bad.name)")
    }
    let committed = try Git.run("ls-tree", "-r", "--name-only", "HEAD", in: home.laptop.root)
    #expect(!committed.contains("bad-"))
  }

  @Test("the same files committed with plain git do no harm either")
  func committed() throws {
    let (home, milk, _) = try milk(alone: false)
    for (index, bad) in Self.bad.enumerated() {
      try home.laptop.write(bad.data, to: "stock/bad-\(index).json")
    }
    try home.commitAll(home.laptop)
    try home.laptop.consume(milk, 1)
    try home.phone.consume(milk, 1)
    try home.settle(isClean: false)
    #expect(try home.phone.quantity(milk) == Number(3))
    for (index, bad) in Self.bad.enumerated() {
      let path: FilePath = "stock/bad-\(index).json"
      let file = URL(filePath: "\(home.phone.root)/\(path)")
      #expect(try Data(contentsOf: file) == bad.data, "\(bad.name)")
      #expect(try home.phone.read().household.untaken[path] != nil, "\(bad.name)")
    }
  }

  @Test(
    "an item whose file is broken can't be written; mended, it keeps its stamps",
    arguments: [false, true])
  func brokenAndMended(_ commits: Bool) throws {
    let (home, milk, path) = try milk(alone: false)
    try home.laptop.set("category", .string("Dairy"), of: milk)
    let before = try home.laptop.entity(milk)
    let text = try home.laptop.text(path)
    for bad in Self.bad where bad.name != "20 MB" {
      try home.laptop.write(bad.data, to: path)
      if commits { try home.commitAll(home.laptop, bad.name) }
      let error = try #require(throws: StoreError.self, "\(bad.name)") {
        try home.laptop.consume(milk, 1)
      }
      guard case .untaken(path, let mistakes) = error else {
        Issue.record("\(bad.name): \(error)")
        continue
      }
      #expect(!mistakes.all.isEmpty)
      #expect(try home.laptop.entity(milk) == before, "\(bad.name)")
    }
    try home.laptop.newItem("Tea", 1)
    try home.laptop.write(text.replacing("\"Oat milk\"", with: "\"Oats\""), to: path)
    #expect(try home.laptop.read().notes == [])
    try home.settle()
    let after = try home.phone.entity(milk)
    #expect(after.name == "Oats")
    #expect(after.createdAt == before.createdAt)
    #expect(after.register("category") == before.register("category"))
    #expect(after.ledger == before.ledger)
  }

  @Test(
    "a broken file that is deleted by hand comes back as a tombstone", arguments: [false, true])
  func brokenAndDeleted(_ commits: Bool) throws {
    let (home, milk, path) = try milk(alone: false)
    try home.laptop.write("{", to: path)
    if commits { try home.commitAll(home.laptop) }
    _ = try home.laptop.adopt()
    try home.laptop.removeFile(path)
    #expect(try home.laptop.read().notes == [.removed(path: path)])
    try home.settle()
    #expect(try home.phone.entity(milk).isTombstone)
    #expect(try home.phone.quantity(milk) == Number(5))
  }

  @Test("broken on one device and changed on the other: both stay", arguments: [false, true])
  func brokenMeetsChange(_ commits: Bool) throws {
    let (home, milk, path) = try milk(alone: false)
    try home.laptop.consume(milk, 1)
    try home.laptop.write("{ broken", to: path)
    if commits { try home.commitAll(home.laptop) }
    try home.phone.consume(milk, 1)
    try home.phone.set("name", .string("Oats"), of: milk)
    try home.settle(isClean: false)
    for store in home.devices {
      #expect(try store.entity(milk).name == "Oats")
      #expect(try store.quantity(milk) == Number(3))
    }
    #expect(try home.laptop.files().values.contains("{ broken"))
    if commits {
      #expect(try home.phone.files().values.contains("{ broken"))
      #expect(try home.phone.read().household.untaken.isEmpty)
      try home.settle()
    } else {
      #expect(try home.laptop.text(path) == "{ broken")
      try home.git(home.laptop, "checkout", "-q", "--", path.text)
      try home.settle()
    }
    #expect(try home.laptop.quantity(milk) == Number(3))
  }

  @Test("an unfinished edit in the work tree stays through a sync and is mended on what came")
  func mendedAfterSync() throws {
    let (home, milk, path) = try milk(alone: false)
    let text = try home.laptop.text(path)
    let draft = text.replacing("\"quantityFullStock\": 6", with: "\"quantityFullStock\": 9")
    try home.laptop.write(String(draft.dropLast(3)), to: path)
    try home.phone.consume(milk, 2)
    try home.phone.newItem("Tea", 1)
    try home.sync(home.phone)
    try home.laptop.newItem("Coffee", 1)
    try home.sync(home.laptop)
    #expect(try home.laptop.text(path) == String(draft.dropLast(3)))
    try home.laptop.write(draft, to: path)
    try home.settle()
    #expect(try home.phone.quantity(milk) == Number(3))
    #expect(try home.phone.entity(milk).fullStock == Number(9))
  }

  @Test(
    "broken on one device and removed on the other: the tombstone and the broken text both stay")
  func brokenMeetsRemoval() throws {
    let (home, milk, path) = try milk(alone: false)
    try home.laptop.write("{ broken", to: path)
    try home.commitAll(home.laptop)
    try home.phone.removeFile(path)
    try home.settle(isClean: false)
    #expect(try home.laptop.entity(milk).isTombstone)
    #expect(try home.phone.files().values.contains("{ broken"))
  }

  @Test("broken differently on two devices: both texts stay, what was known stays known")
  func brokenTwice() throws {
    let (home, milk, path) = try milk(alone: false)
    try home.laptop.write("{ one", to: path)
    try home.commitAll(home.laptop)
    try home.phone.write("{ two", to: path)
    try home.commitAll(home.phone)
    try home.settle(isClean: false)
    #expect(try Set(home.laptop.files().values).isSuperset(of: ["{ one", "{ two"]))
    #expect(try home.phone.quantity(milk) == Number(5))
  }

  @Test(
    "what a receipt brings while an item's file is broken comes in the end",
    arguments: [false, true])
  func receiptForBroken(_ commits: Bool) throws {
    let (home, milk, path) = try milk(alone: false)
    let text = try home.laptop.text(path)
    try home.laptop.write("{ broken", to: path)
    if commits { try home.commitAll(home.laptop) }
    let line = #"{"itemName": "x", "quantity": 3, "itemId": "\#(milk.id)"}"#
    try home.laptop.write(
      #"{"shopName": "Corner", "items": [\#(line)]}"#, to: "receipts/corner.json")
    if commits { try home.commitAll(home.laptop) }
    _ = try home.laptop.adopt()
    try home.laptop.newItem("Tea", 1)
    #expect(try home.laptop.text(path) == "{ broken")
    try home.laptop.write(text, to: path)
    if commits { try home.commitAll(home.laptop) }
    try home.settle()
    #expect(try home.phone.quantity(milk) == Number(8))
    #expect(try home.phone.entity(milk).ledger.entries.count == 2)
  }
}
