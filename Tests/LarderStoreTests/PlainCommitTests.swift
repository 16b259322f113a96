import HomeSupport
import LarderJSON
import LarderModel
import LarderStore
import LarderText
import Testing
import TestSupport

@Suite("Edits by hand, committed and not")
struct PlainCommitTests {
  private func milk(_ quantity: Int = 5) throws -> (home: Home, milk: EntityKey, path: FilePath) {
    var key: EntityKey?
    let home = try Home { key = try $0.newItem("Oat milk", quantity, full: 6) }
    let milk = try #require(key)
    return (home, milk, try home.laptop.path(milk))
  }

  @Test("an edit in the work tree is adopted in a commit of its own before the next command's")
  func workTree() throws {
    let (home, milk, path) = try milk()
    try home.laptop.edit(path, "\"Oat milk\"", "\"Oat drink\"")
    #expect(try home.laptop.name(milk) == "Oat drink")
    #expect(try home.laptop.log().first == "new Oat milk", "reading writes nothing")
    try home.laptop.consume(milk, 1)
    #expect(try Array(home.laptop.log().prefix(2)) == ["consume", "adopt the edit of \(path)"])
    try home.settle()
    #expect(try home.phone.name(milk) == "Oat drink")
    #expect(try home.phone.quantity(milk) == Number(4))
  }

  @Test("edits of different fields in two work trees both stand")
  func twoWorkTrees() throws {
    let (home, milk, path) = try milk()
    try home.laptop.edit(path, "\"Oat milk\"", "\"Oat drink\"")
    try home.phone.edit(path, "\"quantityFullStock\": 6", "\"quantityFullStock\": 9")
    try home.settle()
    #expect(try home.laptop.name(milk) == "Oat drink")
    #expect(try home.laptop.entity(milk).fullStock == Number(9))
  }

  @Test("a plain commit that two devices pulled becomes the very same commit on both")
  func identical() throws {
    let (home, milk, path) = try milk()
    try home.laptop.edit(path, "\"Oat milk\"", "\"Oat drink\"")
    try home.commitAll(home.laptop)
    try home.git(home.laptop, "push", "-q", "origin", "main")
    try home.git(home.phone, "pull", "-q", "--ff-only", "origin", "main")
    let first = try home.laptop.adopt()
    let second = try home.phone.adopt()
    #expect(first.commit != nil)
    #expect(first.commit == second.commit)
    #expect(try home.laptop.head() == home.phone.head())
    try home.settle()
    #expect(try home.phone.name(milk) == "Oat drink")
  }

  @Test("several plain commits in a row are adopted in their order, alike by both devices")
  func severalInARow() throws {
    let (home, milk, path) = try milk()
    try home.laptop.edit(path, "\"Oat milk\"", "\"Oat drink\"")
    try home.commitAll(home.laptop)
    try home.laptop.edit(path, "\"Oat drink\"", "\"Oats\"")
    try home.laptop.edit(path, "\"quantityFullStock\": 6", "\"quantityFullStock\": 9")
    try home.commitAll(home.laptop)
    try home.laptop.edit(path, "\"quantityInStock\": 5", "\"quantityInStock\": 3")
    try home.commitAll(home.laptop)
    try home.laptop.edit(path, "\"quantityInStock\": 3", "\"quantityInStock\": 7")
    try home.commitAll(home.laptop)
    try home.git(home.laptop, "push", "-q", "origin", "main")
    try home.git(home.phone, "pull", "-q", "--ff-only", "origin", "main")
    let first = try home.laptop.adopt()
    let second = try home.phone.adopt()
    #expect(first.commit == second.commit)
    #expect(first.adoption?.plainCommits == 4)
    try home.settle()
    let item = try home.phone.entity(milk)
    #expect(item.name == "Oats")
    #expect(item.fullStock == Number(9))
    #expect(item.quantity.value == Number(7))
    #expect(
      item.ledger.entries.map(\.event) == [.set(Number(5)), .set(Number(3)), .set(Number(7))])
  }

  @Test("the same number written again by a later commit says nothing new")
  func sameNumberAgain() throws {
    let (home, milk, path) = try milk()
    try home.laptop.edit(path, "\"quantityInStock\": 5", "\"quantityInStock\": 3")
    try home.commitAll(home.laptop)
    try home.laptop.edit(path, "\"Oat milk\"", "\"Oat drink\"")
    try home.commitAll(home.laptop)
    try home.settle()
    #expect(try home.phone.entity(milk).ledger.entries.count == 2)
    #expect(try home.phone.quantity(milk) == Number(3))
  }

  @Test("a number edited back to what its ledger says takes the edit back")
  func numberBack() throws {
    let (home, milk, path) = try milk()
    try home.laptop.edit(path, "\"quantityInStock\": 5", "\"quantityInStock\": 3")
    try home.commitAll(home.laptop)
    try home.laptop.edit(path, "\"quantityInStock\": 3", "\"quantityInStock\": 5")
    try home.commitAll(home.laptop)
    try home.settle()
    #expect(try home.phone.quantity(milk) == Number(5))
  }

  @Test("plain commits of two devices that meet in a sync both count")
  func bothCommit() throws {
    let (home, milk, path) = try milk()
    try home.laptop.edit(path, "\"Oat milk\"", "\"Oat drink\"")
    try home.commitAll(home.laptop)
    try home.phone.edit(path, "\"quantityFullStock\": 6", "\"quantityFullStock\": 9")
    try home.phone.edit(path, "\"quantityInStock\": 5", "\"quantityInStock\": 3")
    try home.commitAll(home.phone)
    try home.settle()
    let item = try home.laptop.entity(milk)
    #expect(item.name == "Oat drink")
    #expect(item.fullStock == Number(9))
    #expect(item.quantity.value == Number(3))
  }

  @Test("of two plain commits of one field the later one stands, on both devices")
  func laterWins() throws {
    let (home, milk, path) = try milk()
    try home.phone.edit(path, "\"Oat milk\"", "\"Earlier\"")
    try home.commitAll(home.phone)
    try home.laptop.edit(path, "\"Oat milk\"", "\"Later\"")
    try home.commitAll(home.laptop)
    try home.settle()
    #expect(try home.phone.name(milk) == "Later")
  }

  @Test("a plain commit on top of one that another device has adopted already is read alike")
  func onTopOfAdopted() throws {
    let (home, milk, path) = try milk()
    try home.laptop.edit(path, "\"Oat milk\"", "\"Oat drink\"")
    try home.commitAll(home.laptop)
    try home.git(home.laptop, "push", "-q", "origin", "main")
    try home.git(home.phone, "pull", "-q", "--ff-only", "origin", "main")
    _ = try home.laptop.adopt()
    try home.phone.edit(path, "\"quantityFullStock\": 6", "\"quantityFullStock\": 9")
    try home.commitAll(home.phone)
    try home.settle()
    #expect(try home.laptop.name(milk) == "Oat drink")
    #expect(try home.laptop.entity(milk).fullStock == Number(9))
  }

  @Test("a commit that changes nothing of ours is no news, and what follows it counts")
  func otherFiles() throws {
    let (home, milk, path) = try milk()
    try home.laptop.write("Where the spare key is.\n", to: "NOTES.md")
    try home.commitAll(home.laptop)
    #expect(try home.laptop.adopt().commit == nil)
    try home.laptop.edit(path, "\"Oat milk\"", "\"Oat drink\"")
    try home.commitAll(home.laptop)
    try home.settle()
    #expect(try home.phone.name(milk) == "Oat drink")
    #expect(try home.phone.text("NOTES.md") == "Where the spare key is.\n")
  }

  @Test("a hand-written file gets an id and a user of its commit, the same on every device")
  func newFile() throws {
    let (home, _, _) = try milk()
    let text = #"{"name": "Soy milk", "quantityInStock": 2}"#
    try home.laptop.write(text, to: "stock/soy-milk.json")
    try home.commitAll(home.laptop)
    try home.git(home.laptop, "push", "-q", "origin", "main")
    try home.git(home.phone, "pull", "-q", "--ff-only", "origin", "main")
    #expect(try home.laptop.adopt().commit == home.phone.adopt().commit)
    try home.settle()
    let item = try home.phone.item("Soy milk")
    #expect(item.quantity.value == Number(2))
    #expect(item.userID == Identifier.derived(from: "author", "ada@example.org"))
    #expect(try home.phone.path(item.key) == "stock/soy-milk.json", "the file keeps its name")
  }

  @Test("a hand-written file in the work tree gets an id and keeps its name")
  func newFileInWorkTree() throws {
    let (home, _, _) = try milk()
    let text = #"{"name": "Soy milk", "quantityInStock": 2}"#
    try home.laptop.write(text, to: "stock/dairy/soy-milk.json")
    #expect(try home.laptop.item("Soy milk").quantity.value == Number(2))
    try home.settle()
    let item = try home.phone.item("Soy milk")
    #expect(try home.phone.path(item.key) == "stock/dairy/soy-milk.json")
    let user = try #require(try home.laptop.userID)
    #expect(item.userID == user)
  }

  @Test("a file without an id, committed twice before anybody looked, is one thing")
  func newFileTwice() throws {
    let (home, _, _) = try milk()
    try home.laptop.write(#"{"name": "Soy milk"}"#, to: "stock/soy.json")
    try home.commitAll(home.laptop)
    try home.laptop.write(#"{"name": "Soya", "quantityInStock": 3}"#, to: "stock/soy.json")
    try home.commitAll(home.laptop)
    try home.settle()
    #expect(try home.phone.item("Soya").quantity.value == Number(3))
    #expect(try home.phone.read().household.all(.stockItem).count == 2)
  }

  @Test("unknown keys of people and other programs stay where they are")
  func unknownKeys() throws {
    let (home, milk, path) = try milk()
    try home.laptop.edit(
      path, "\"isArchived\": false,",
      "\"isArchived\": false, \"x-shelf\": { \"row\": 2.50, \"é\": [1, null] },")
    try home.commitAll(home.laptop)
    try home.phone.consume(milk, 1)
    try home.settle()
    #expect(try home.phone.text(path).contains(#""x-shelf": {"#))
    #expect(try home.phone.entity(milk)["x-shelf"]?["row"]?.number == "2.5")
    try home.phone.set("name", .string("Oat drink"), of: milk)
    try home.settle()
    #expect(try home.laptop.text(path).contains(#""x-shelf""#))
  }

  @Test("ledger lines that people removed or altered come back")
  func ledgerLines() throws {
    let (home, milk, path) = try milk()
    try home.laptop.consume(milk, 1)
    try home.laptop.edit(path, "\"delta\": -1", "\"delta\": -3")
    try home.commitAll(home.laptop)
    try home.settle()
    #expect(try home.phone.quantity(milk) == Number(4))
    let lines = try home.phone.text(path).split(separator: "\n").filter { !$0.contains("delta") }
    try home.phone.write(
      lines.joined(separator: "\n").replacing("},\n  ]", with: "}\n  ]"), to: path)
    let notes = try home.phone.read().notes
    #expect(notes == [.stale(path: path, fields: ["changes"])])
    try home.settle()
    #expect(try home.laptop.quantity(milk) == Number(4))
  }
}
