import HomeSupport
import LarderGit
import LarderJSON
import LarderModel
import LarderStore
import LarderText
import Testing
import TestSupport

@Suite("Where files lie after a join")
struct JoinPathTests {
  private func two() throws -> (home: Home, milk: EntityKey, soy: EntityKey) {
    var keys: [EntityKey] = []
    let home = try Home {
      keys = [try $0.newItem("Oat milk", 5, full: 6), try $0.newItem("Soy milk", 2)]
    }
    return (home, keys[0], keys[1])
  }

  /// Joins each device's head into the other's copy, without the remote between them, and checks
  /// that both come to the same tree.
  private func joinedBothWays(_ home: Home) throws {
    for store in home.devices { _ = try store.adopt() }
    for (store, other) in [(home.laptop, home.phone), (home.phone, home.laptop)] {
      try home.git(store, "fetch", "-q", other.root, "main:refs/heads/theirs")
    }
    let heads = try home.devices.map { try $0.head() }
    var trees: Set<String> = []
    for (store, head) in [(home.laptop, heads[1]), (home.phone, heads[0])] {
      let theirs = try #require(ObjectID(hex: head))
      _ = try store.whileLocked { () throws(any Error) in
        try store.join(theirs, from: "origin", joiningHistories: false)
      }
      trees.insert(try Git.run("rev-parse", "HEAD^{tree}", in: store.root))
      #expect(try store.status() == "")
    }
    #expect(trees.count == 1, "both ways give one tree")
    try home.settle()
  }

  @Test("renamed on one side: the new name")
  func oneRenamed() throws {
    let (home, milk, _) = try two()
    let path = try home.laptop.path(milk)
    try home.laptop.moveFile(path, to: "stock/zebra.json")
    try home.phone.consume(milk, 1)
    try joinedBothWays(home)
    #expect(try home.phone.path(milk) == "stock/zebra.json")
    #expect(try home.phone.quantity(milk) == Number(4))
  }

  @Test("renamed on both sides: the smaller name")
  func bothRenamed() throws {
    let (home, milk, _) = try two()
    let path = try home.laptop.path(milk)
    try home.laptop.moveFile(path, to: "stock/zebra.json")
    try home.phone.moveFile(path, to: "stock/alpha.json")
    try joinedBothWays(home)
    #expect(try home.laptop.path(milk) == "stock/alpha.json")
    #expect(try home.laptop.names(in: "stock").count == 2)
  }

  @Test("two things under one name: the smaller id keeps it, the other gets its own name")
  func twoIDs() throws {
    let (home, _, _) = try two()
    try home.laptop.write(#"{"name": "Tea", "quantityInStock": 1}"#, to: "stock/new.json")
    try home.phone.write(#"{"name": "Coffee", "quantityInStock": 2}"#, to: "stock/new.json")
    try joinedBothWays(home)
    let (tea, coffee) = (try home.laptop.item("Tea"), try home.laptop.item("Coffee"))
    let (first, second) = tea.id < coffee.id ? (tea, coffee) : (coffee, tea)
    #expect(try home.laptop.path(first.key) == "stock/new.json")
    let slug = second.name == "Tea" ? "tea" : "coffee"
    #expect(try home.laptop.path(second.key) == "stock/\(slug)-\(second.id.suffix(6)).json")
    #expect(tea.quantity.value == Number(1))
    #expect(coffee.quantity.value == Number(2))
  }

  @Test("each side renames another thing to one name")
  func renamedToOne() throws {
    let (home, milk, soy) = try two()
    try home.laptop.moveFile(home.laptop.path(milk), to: "stock/same.json")
    try home.phone.moveFile(home.phone.path(soy), to: "stock/same.json")
    try joinedBothWays(home)
    let first = milk.id < soy.id ? milk : soy
    #expect(try home.laptop.path(first) == "stock/same.json")
    #expect(try home.laptop.names(in: "stock").count == 2)
  }

  @Test("swapped on one side, used on the other")
  func swapped() throws {
    let (home, milk, soy) = try two()
    let (first, second) = (try home.laptop.path(milk), try home.laptop.path(soy))
    try home.laptop.moveFile(first, to: "stock/third")
    try home.laptop.moveFile(second, to: first)
    try home.laptop.moveFile("stock/third", to: second)
    try home.phone.consume(milk, 1)
    try home.phone.consume(soy, 1)
    try joinedBothWays(home)
    #expect(try home.laptop.path(milk) == second)
    #expect(try home.laptop.path(soy) == first)
    #expect(try home.laptop.quantity(milk) == Number(4))
    #expect(try home.laptop.quantity(soy) == Number(1))
  }

  @Test("renamed here, and its old name given to something new there")
  func nameReused() throws {
    let (home, milk, _) = try two()
    let path = try home.laptop.path(milk)
    try home.laptop.moveFile(path, to: "stock/zebra.json")
    try home.phone.moveFile(path, to: "stock/yak.json")
    try home.phone.write(#"{"name": "Tea", "quantityInStock": 1}"#, to: path)
    try joinedBothWays(home)
    #expect(try home.laptop.path(milk) == "stock/yak.json")
    #expect(try home.laptop.path(home.laptop.item("Tea").key) == path)
  }

  @Test("removed on one side, changed on the other: removed, with the change in it")
  func removedAndChanged() throws {
    let (home, milk, _) = try two()
    try home.laptop.removeFile(home.laptop.path(milk))
    try home.phone.set("category", .string("Dairy"), of: milk)
    try home.phone.consume(milk, 1)
    try joinedBothWays(home)
    let item = try home.laptop.entity(milk)
    #expect(item.isTombstone)
    #expect(item.category == "Dairy")
    #expect(item.quantity.value == Number(4))
  }

  @Test("removed on both sides, and removed on one but renamed on the other")
  func removedAndRenamed() throws {
    let (home, milk, soy) = try two()
    try home.laptop.removeFile(home.laptop.path(milk))
    try home.phone.removeFile(home.phone.path(milk))
    try home.laptop.removeFile(home.laptop.path(soy))
    try home.phone.moveFile(home.phone.path(soy), to: "stock/zebra.json")
    try joinedBothWays(home)
    #expect(try home.laptop.entity(milk).isTombstone)
    #expect(try home.laptop.entity(soy).isTombstone)
    #expect(try home.laptop.path(soy) == "stock/zebra.json")
  }

  @Test("other files: merged where git can, kept both where it can't, the same from both sides")
  func otherFiles() throws {
    let (home, _, _) = try two()
    try home.laptop.write("1\n2\n3\n4\n5\n6\n7\n", to: "NOTES.md")
    try home.laptop.write("old\n", to: "recipe.txt")
    try home.laptop.write("old\n", to: "gone.txt")
    try home.commitAll(home.laptop)
    try home.settle()
    for (store, first, last, text) in [
      (home.laptop, "one", "7", "laptop\n"), (home.phone, "1", "seven", "phone\n"),
    ] {
      try store.write("\(first)\n2\n3\n4\n5\n6\n\(last)\n", to: "NOTES.md")
      try store.write(text, to: "recipe.txt")
      try store.write(text, to: "both.txt")
    }
    try home.laptop.removeFile("gone.txt")
    try home.phone.write("changed\n", to: "gone.txt")
    for store in home.devices { try home.commitAll(store) }
    try joinedBothWays(home)
    let files = try home.laptop.files()
    #expect(files["NOTES.md"] == "one\n2\n3\n4\n5\n6\nseven\n")
    #expect(files["gone.txt"] == "changed\n")
    for name in ["recipe.txt", "both.txt"] {
      let versions = files.filter { $0.key.hasPrefix(name) }
      #expect(Set(versions.values) == ["laptop\n", "phone\n"])
    }
  }

  @Test("a file here and a folder of its name there both stay")
  func fileAndFolder() throws {
    let (home, milk, _) = try two()
    try home.laptop.write("file\n", to: "notes")
    try home.phone.write("inside\n", to: "notes/a.txt")
    for store in home.devices { try home.commitAll(store) }
    try home.laptop.consume(milk, 1)
    try joinedBothWays(home)
    let files = try home.laptop.files()
    #expect(Set(files.values).isSuperset(of: ["file\n", "inside\n"]))
  }

  @Test("a join that uses up what neither side had used up puts the item on the list")
  func zeroStock() throws {
    let (home, milk, soy) = try two()
    try home.laptop.consume(milk, 2)
    try home.phone.consume(milk, 3)
    try home.laptop.consume(soy, 1)
    try home.phone.consume(soy, 2)
    let known = try home.phone.entity(
      EntityKey(.shoppingListEntry, ShoppingEntry.id(of: home.phone.entity(soy))))
    try joinedBothWays(home)
    let household = try home.laptop.read().household
    let entry = try #require(
      household[.shoppingListEntry, ShoppingEntry.id(of: home.laptop.entity(milk))])
    #expect(entry.desired.value == Number(6))
    #expect(household.all(.shoppingListEntry).count == 2)
    #expect(try home.laptop.quantity(soy) == Number(-1))
    #expect(
      household[known.key] == known, "the side that used it up has seen to it; a join adds nothing")
  }

  @Test("one id under two names, on two sides that made it apart")
  func oneIDTwoPaths() throws {
    let (home, _, _) = try two()
    let id = "0192f0c4-7c1e-7d3a-9b52-3f6a1c7f3a9c"
    try home.laptop.write(
      #"{"id": "\#(id)", "name": "Tea", "quantityInStock": 1}"#, to: "stock/b.json")
    try home.phone.write(
      #"{"id": "\#(id)", "name": "Tea", "category": "Drinks"}"#, to: "stock/a.json")
    try joinedBothWays(home)
    let item = try home.laptop.item("Tea")
    #expect(try home.laptop.path(item.key) == "stock/a.json")
    #expect(item.category == "Drinks")
    #expect(!home.laptop.exists("stock/b.json"))
  }
}
