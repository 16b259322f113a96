import HomeSupport
import LarderJSON
import LarderModel
import LarderStore
import LarderText
import Testing
import TestSupport

@Suite("Files renamed, moved and copied")
struct RenameAndCopyTests {
  private func two() throws -> (home: Home, milk: EntityKey, soy: EntityKey) {
    var keys: [EntityKey] = []
    let home = try Home {
      keys = [try $0.newItem("Oat milk", 5, full: 6), try $0.newItem("Soy milk", 2)]
    }
    return (home, keys[0], keys[1])
  }

  @Test("a rename by git mv is a new name and nothing else")
  func gitMove() throws {
    let (home, milk, _) = try two()
    try home.git(home.laptop, "mv", home.laptop.path(milk).text, "stock/oats.json")
    try home.git(home.laptop, "commit", "-qm", "rename")
    let before = try home.phone.entity(milk)
    try home.phone.consume(milk, 1)
    try home.settle()
    #expect(try home.phone.path(milk) == "stock/oats.json")
    #expect(try home.phone.quantity(milk) == Number(4))
    #expect(try home.phone.entity(milk).registers == before.registers)
  }

  @Test("a rename by hand, with an edit in it, is both", arguments: [false, true])
  func byHand(_ commits: Bool) throws {
    let (home, milk, _) = try two()
    try home.laptop.moveFile(home.laptop.path(milk), to: "stock/dairy/oats.json")
    try home.laptop.edit("stock/dairy/oats.json", "\"Oat milk\"", "\"Oats\"")
    if commits { try home.commitAll(home.laptop) }
    #expect(try home.laptop.read().notes == [])
    try home.settle()
    #expect(try home.phone.path(milk) == "stock/dairy/oats.json")
    #expect(try home.phone.name(milk) == "Oats")
    #expect(try home.phone.entity(milk).ledger.entries.count == 1)
  }

  @Test("a rename on one device and an edit on the other meet")
  func renameMeetsEdit() throws {
    let (home, milk, _) = try two()
    let path = try home.laptop.path(milk)
    try home.laptop.moveFile(path, to: "stock/oats.json")
    try home.phone.edit(path, "\"Oat milk\"", "\"Oats\"")
    try home.settle()
    #expect(try home.laptop.path(milk) == "stock/oats.json")
    #expect(try home.laptop.name(milk) == "Oats")
    #expect(!home.laptop.exists(path))
  }

  @Test("swapped file names swap nothing but the names", arguments: [false, true])
  func swapped(_ commits: Bool) throws {
    let (home, milk, soy) = try two()
    let (first, second) = (try home.laptop.path(milk), try home.laptop.path(soy))
    try home.laptop.moveFile(first, to: "stock/third")
    try home.laptop.moveFile(second, to: first)
    try home.laptop.moveFile("stock/third", to: second)
    if commits { try home.commitAll(home.laptop) }
    #expect(try home.laptop.read().notes == [])
    try home.phone.consume(milk, 1)
    try home.settle()
    #expect(try home.phone.path(milk) == second)
    #expect(try home.phone.path(soy) == first)
    #expect(try home.phone.quantity(milk) == Number(4))
    #expect(try home.phone.quantity(soy) == Number(2))
  }

  @Test("a copy gets an id of its own; the original keeps its own", arguments: [false, true])
  func copy(_ commits: Bool) throws {
    let (home, milk, _) = try two()
    let path = try home.laptop.path(milk)
    let text = try home.laptop.text(path).replacing("\"Oat milk\"", with: "\"Rice milk\"")
    try home.laptop.write(text, to: "stock/a-copy.json")
    if commits { try home.commitAll(home.laptop) }
    #expect(try home.laptop.read().notes == [.copied(path: "stock/a-copy.json", of: milk.id)])
    try home.settle()
    #expect(try home.phone.name(milk) == "Oat milk")
    #expect(try home.phone.path(milk) == path)
    let copy = try home.phone.item("Rice milk")
    #expect(try home.phone.path(copy.key) == "stock/a-copy.json")
    #expect(copy.quantity.value == Number(5))
    try home.phone.consume(copy.key, 1)
    try home.settle()
    #expect(try home.laptop.quantity(milk) == Number(5))
  }

  @Test("two new files with one id: the first by name keeps it", arguments: [false, true])
  func twins(_ commits: Bool) throws {
    let (home, _, _) = try two()
    let id = "0192f0c4-7c1e-7d3a-9b52-3f6a1c7f3a9c"
    try home.laptop.write(
      #"{"id": "\#(id)", "name": "Tea", "quantityInStock": 1}"#, to: "stock/x.json")
    try home.laptop.write(
      #"{"id": "\#(id)", "name": "Coffee", "quantityInStock": 2}"#, to: "stock/w.json")
    if commits { try home.commitAll(home.laptop) }
    try home.settle()
    #expect(try home.phone.item("Coffee").id == id)
    #expect(try home.phone.item("Coffee").quantity.value == Number(2))
    #expect(try home.phone.item("Tea").id != id)
    #expect(try home.phone.item("Tea").quantity.value == Number(1))
  }

  @Test("a file overwritten with a copy of another: the overwritten one comes back as deleted")
  func overwritten() throws {
    let (home, milk, soy) = try two()
    let (first, second) = (try home.laptop.path(milk), try home.laptop.path(soy))
    try home.laptop.write(home.laptop.text(first), to: second)
    let notes = Set(try home.laptop.read().notes)
    #expect(notes.contains(.removed(path: second)))
    try home.settle()
    #expect(try home.phone.path(milk) == first)
    #expect(try home.phone.entity(soy).isTombstone)
    #expect(try home.phone.entity(soy).quantity.value == Number(2), "its ledger is kept")
    #expect(try home.phone.read().household.all(.stockItem).count == 3)
  }

  @Test("a rename and a copy of the same file on two devices leave two things")
  func renameMeetsCopy() throws {
    let (home, milk, _) = try two()
    let path = try home.laptop.path(milk)
    try home.laptop.moveFile(path, to: "stock/oats.json")
    try home.phone.write(
      home.phone.text(path).replacing("\"Oat milk\"", with: "\"Rice milk\""), to: "stock/rice.json")
    try home.settle()
    #expect(try home.laptop.path(milk) == "stock/oats.json")
    #expect(try home.laptop.path(home.laptop.item("Rice milk").key) == "stock/rice.json")
  }

  @Test("a renamed file, and a new one without an id under its old name", arguments: [false, true])
  func oldNameReused(_ commits: Bool) throws {
    let (home, milk, _) = try two()
    let path = try home.laptop.path(milk)
    try home.laptop.moveFile(path, to: "stock/zebra.json")
    try home.laptop.write(#"{"name": "Tea", "quantityInStock": 1}"#, to: path)
    if commits { try home.commitAll(home.laptop) }
    #expect(try home.laptop.read().notes == [])
    try home.settle()
    #expect(try home.phone.path(milk) == "stock/zebra.json")
    #expect(try home.phone.quantity(milk) == Number(5))
    #expect(try home.phone.path(home.phone.item("Tea").key) == path)
  }

  @Test("a file whose id somebody deleted stays what it was", arguments: [false, true])
  func idDeleted(_ commits: Bool) throws {
    let (home, milk, _) = try two()
    let path = try home.laptop.path(milk)
    try home.laptop.edit(path, "  \"id\": \"\(milk.id)\",\n", "")
    if commits { try home.commitAll(home.laptop) }
    try home.settle()
    #expect(try home.phone.path(milk) == path)
    #expect(try home.phone.read().household.all(.stockItem).count == 2)
  }

  @Test("a file moved into another kind's folder stays what it was, and the new file is told of")
  func otherFolder() throws {
    let (home, milk, _) = try two()
    let path = try home.laptop.path(milk)
    try home.laptop.moveFile(path, to: "locations/milk.json")
    try home.settle(isClean: false)
    #expect(try home.phone.entity(milk).quantity.value == Number(5))
    #expect(try home.phone.entity(milk).isTombstone)
  }

  @Test("an entry is followed through a rename when its old version is saved under the new name")
  func staleUnderNewName() throws {
    let (home, milk, _) = try two()
    let path = try home.laptop.path(milk)
    let buffer = try home.laptop.text(path)
    try home.laptop.set("name", .string("Oats"), of: milk)
    try home.git(home.laptop, "mv", path.text, "stock/oats.json")
    try home.git(home.laptop, "commit", "-qm", "rename")
    _ = try home.laptop.adopt()
    try home.laptop.write(buffer, to: "stock/oats.json")
    try home.settle()
    #expect(try home.phone.name(milk) == "Oats")
  }
}
