import HomeSupport
import LarderJSON
import LarderModel
import LarderStore
import LarderText
import Testing
import TestSupport

@Suite("Files that are gone")
struct RemovalTests {
  private func milk() throws -> (home: Home, milk: EntityKey, path: FilePath) {
    var key: EntityKey?
    let home = try Home {
      key = try $0.newItem("Oat milk", 5, full: 6)
      try $0.newItem("Soy milk", 2)
    }
    let milk = try #require(key)
    return (home, milk, try home.laptop.path(milk))
  }

  @Test(
    "a removed file comes back as a tombstone under its name", arguments: ["rm", "hand", "commit"])
  func removed(_ way: String) throws {
    let (home, milk, path) = try milk()
    if way == "hand" { try home.laptop.removeFile(path) }
    if way != "hand" { try home.git(home.laptop, "rm", "-q", path.text) }
    if way == "commit" { try home.git(home.laptop, "commit", "-qm", "remove") }
    #expect(try home.laptop.read().notes == [.removed(path: path)])
    try home.phone.consume(milk, 1)
    try home.settle()
    let item = try home.phone.entity(milk)
    #expect(item.isTombstone)
    #expect(item.quantity.value == Number(4), "the other device's use is kept in it")
    #expect(try home.phone.path(milk) == path)
  }

  @Test("removing twice says nothing twice, and restoring holds")
  func removedAndRestored() throws {
    let (home, milk, path) = try milk()
    try home.laptop.removeFile(path)
    _ = try home.laptop.adopt()
    try home.laptop.removeFile(path)
    let again = try home.laptop.adopt()
    #expect(again.commit == nil)
    #expect(home.laptop.exists(path))
    try home.laptop.set("isArchived", .bool(false), of: milk)
    try home.settle()
    #expect(try !home.phone.entity(milk).isTombstone)
  }

  @Test("household.json removed comes back as it was", arguments: [false, true])
  func household(_ commits: Bool) throws {
    let (home, _, _) = try milk()
    let text = try home.laptop.text("household.json")
    try home.laptop.removeFile("household.json")
    if commits { try home.commitAll(home.laptop, "remove") }
    let store = try home.opened(home.laptop)
    #expect(try store.read().household.own?.name == "Home")
    _ = try store.adopt()
    #expect(try store.text("household.json") == text)
    try home.settle()
  }

  @Test("a receipt that is removed is voided: the stock it brought goes again")
  func receipt() throws {
    let (home, milk, _) = try milk()
    try home.laptop.write(
      #"{"shopName": "Corner", "items": [{"itemName": "Oat", "quantity": 3, "itemId": "\#(milk.id)"}]}"#,
      to: "receipts/corner.json")
    try home.settle()
    #expect(try home.phone.quantity(milk) == Number(8))
    try home.git(home.phone, "rm", "-q", "receipts/corner.json")
    try home.git(home.phone, "commit", "-qm", "remove")
    try home.git(home.phone, "push", "-q", "origin", "main")
    try home.git(home.laptop, "pull", "-q", "--ff-only", "origin", "main")
    #expect(try home.phone.adopt().commit == home.laptop.adopt().commit)
    try home.settle()
    #expect(try home.laptop.quantity(milk) == Number(5))
    let receipts = try home.laptop.read().household.all(.receipt)
    #expect(receipts.map(\.isTombstone) == [true])
  }

  @Test("what a sparse checkout leaves out is not removed")
  func sparse() throws {
    let (home, milk, path) = try milk()
    // Git keeps a file that it could have changed within the index's own clock tick; status looks.
    #expect(try home.laptop.status() == "")
    try home.git(home.laptop, "sparse-checkout", "set", "--no-cone", "/*", "!/stock/oat-milk*")
    #expect(!home.laptop.exists(path))
    #expect(try home.laptop.read().notes == [])
    #expect(try home.laptop.read().edited == [])
    try home.laptop.newItem("Tea", 1)
    try home.phone.consume(milk, 1)
    try home.phone.newItem("Coffee", 1)
    for _ in 0..<2 { for store in home.devices { try home.sync(store) } }
    #expect(try home.laptop.head() == home.phone.head())
    #expect(!home.laptop.exists(path), "a join leaves it out")
    #expect(try home.laptop.status() == "")
    #expect(try home.laptop.quantity(milk) == Number(4))
    try home.phone.consume(milk, 1)
    try home.sync(home.phone)
    try home.sync(home.laptop)
    #expect(!home.laptop.exists(path), "a fast-forward leaves it out")
    #expect(try home.laptop.status() == "")
    #expect(try home.laptop.adopt().commit == nil)
    try home.laptop.consume(milk, 1)
    #expect(try home.laptop.quantity(milk) == Number(2))
    #expect(try home.laptop.status() == "")
    try home.git(home.laptop, "sparse-checkout", "disable")
    try home.settle()
    #expect(try home.phone.quantity(milk) == Number(2))
  }

  @Test("a file marked skip-worktree and deleted is not removed")
  func skipWorktree() throws {
    let (home, milk, path) = try milk()
    try home.git(home.laptop, "update-index", "--skip-worktree", path.text)
    try home.laptop.removeFile(path)
    #expect(try home.laptop.read().notes == [])
    #expect(try home.laptop.adopt().commit == nil)
    #expect(try !home.laptop.entity(milk).isTombstone)
  }

  private func household(of count: Int) throws -> Home {
    try Home(alone: true) { store in
      try store.commit(as: "stock new") { (edit, writer) throws(Never) in
        for number in 1...count {
          edit.put(edit.new(.stockItem, [("name", .string("Item \(number)"))], by: writer))
        }
        return ("many", ())
      }.get().value
    }
  }

  @Test("more than ten files and a quarter of the household gone at once: refused, until agreed to")
  func many() throws {
    let home = try household(of: 30)
    let names = try home.laptop.names(in: "stock").prefix(11)
    for name in names { try home.laptop.removeFile("stock/\(name)") }
    let head = try home.laptop.head()
    let error = try #require(throws: StoreError.self) { _ = try home.laptop.adopt() }
    guard case .manyRemovals(gone: 11, of: 31) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(throws: StoreError.self) { try home.laptop.newItem("Tea") }
    #expect(try home.laptop.head() == head)
    #expect(try home.laptop.read().household.all(.stockItem).count(where: \.isTombstone) == 11)
    let agreed = try home.opened(home.laptop) { $0.acceptsManyRemovals = true }
    #expect(try agreed.adopt().commit != nil)
    #expect(try agreed.names(in: "stock").count == 30)
    #expect(try agreed.status() == "")
  }

  @Test("ten files, or less than a quarter, are removed without a question")
  func few() throws {
    for (count, gone) in [(20, 10), (60, 15)] {
      let home = try household(of: count)
      for name in try home.laptop.names(in: "stock").prefix(gone) {
        try home.laptop.removeFile("stock/\(name)")
      }
      #expect(try home.laptop.adopt().adoption?.notes.count == gone)
    }
  }

  @Test("a whole folder that is gone is refused too, and git brings it back")
  func folder() throws {
    let home = try household(of: 20)
    try home.laptop.removeFile("stock")
    #expect(throws: StoreError.self) { try home.laptop.adopt() }
    try home.git(home.laptop, "checkout", "-q", "--", ".")
    #expect(try home.laptop.adopt().adoption == nil)
  }
}
