import HomeSupport
import LarderJSON
import LarderModel
import LarderStore
import LarderText
import Testing
import TestSupport

@Suite("Receipts written by hand")
struct HandWrittenReceiptTests {
  private let path: FilePath = "receipts/corner.json"

  private func milk() throws -> (home: Home, milk: EntityKey, soy: EntityKey) {
    var keys: [EntityKey] = []
    let home = try Home {
      keys = [try $0.newItem("Oat milk", 5, full: 6), try $0.newItem("Soy milk", 2)]
    }
    return (home, keys[0], keys[1])
  }

  private func text(_ lines: [(EntityKey, Int)]) -> String {
    let items = lines.map { item, quantity in
      #"{"itemName": "bought", "quantity": \#(quantity), "itemId": "\#(item.id)"}"#
    }
    return #"{"shopName": "Corner", "items": [\#(items.joined(separator: ", "))]}"#
  }

  /// Lets both devices adopt the same plain commit, each for itself.
  private func adoptOnBoth(_ home: Home) throws {
    try home.git(home.laptop, "push", "-q", "origin", "main")
    try home.git(home.phone, "pull", "-q", "--ff-only", "origin", "main")
    let first = try home.laptop.adopt()
    #expect(try first.commit == home.phone.adopt().commit)
    #expect(first.commit != nil)
    try home.settle()
  }

  @Test("a receipt committed by plain git replenishes once, though two devices adopt it")
  func replenishes() throws {
    let (home, milk, soy) = try milk()
    try home.laptop.write(text([(milk, 3), (soy, 1)]), to: path)
    try home.commitAll(home.laptop)
    try adoptOnBoth(home)
    #expect(try home.phone.quantity(milk) == Number(8))
    #expect(try home.phone.quantity(soy) == Number(3))
    let receipt = try #require(try home.phone.read().household.all(.receipt).first)
    #expect(Set(receipt.lines.map(\.id)).count == 2)
    let entry = try home.phone.entity(milk).ledger.entries.last
    #expect(entry?.receipt == receipt.id)
    #expect(entry?.by == "edit")
  }

  @Test("a receipt in the work tree replenishes, too")
  func workTree() throws {
    let (home, milk, _) = try milk()
    try home.laptop.write(text([(milk, 3)]), to: path)
    #expect(try home.laptop.quantity(milk) == Number(8), "reading sees it")
    try home.settle()
    #expect(try home.phone.quantity(milk) == Number(8))
  }

  @Test("a changed line adjusts by the difference, a removed one goes, a new one comes")
  func changedLines() throws {
    let (home, milk, soy) = try milk()
    try home.laptop.write(text([(milk, 3), (soy, 1)]), to: path)
    try home.commitAll(home.laptop)
    try adoptOnBoth(home)
    try home.laptop.consume(milk, 1)
    try home.settle()
    try home.laptop.edit(path, "\"quantity\": 3", "\"quantity\": 5")
    try home.commitAll(home.laptop)
    try adoptOnBoth(home)
    #expect(try home.phone.quantity(milk) == Number(9))
    let lines = try home.laptop.text(path).split(separator: "\n")
    let without = lines.filter { !$0.contains(soy.id) }.joined(separator: "\n")
    try home.laptop.write(without.replacing("},\n  ]", with: "}\n  ]"), to: path)
    try home.commitAll(home.laptop)
    try adoptOnBoth(home)
    #expect(try home.phone.quantity(soy) == Number(2))
    #expect(try home.phone.quantity(milk) == Number(9))
  }

  @Test(
    "lines changed on two devices: the later version of the lines stands, and so does its stock")
  func bothChange() throws {
    let (home, milk, _) = try milk()
    try home.laptop.write(text([(milk, 3)]), to: path)
    try home.settle()
    try home.phone.edit(path, "\"quantity\": 3", "\"quantity\": 4")
    try home.commitAll(home.phone)
    try home.laptop.consume(milk, 1)
    try home.settle()
    #expect(try home.laptop.quantity(milk) == Number(8))
  }

  @Test("a number and a receipt in one commit: the number says what there is with the receipt")
  func withNumber() throws {
    let (home, milk, _) = try milk()
    try home.laptop.write(text([(milk, 3)]), to: path)
    try home.laptop.edit(home.laptop.path(milk), "\"quantityInStock\": 5", "\"quantityInStock\": 7")
    try home.commitAll(home.laptop)
    try adoptOnBoth(home)
    #expect(try home.phone.quantity(milk) == Number(7))
  }

  @Test("a receipt for an item that its commit makes")
  func newItem() throws {
    let (home, _, _) = try milk()
    let id = "0192f0c4-7c1e-7d3a-9b52-3f6a1c7f3a9c"
    try home.laptop.write(#"{"id": "\#(id)", "name": "Tea"}"#, to: "stock/tea.json")
    try home.laptop.write(text([(EntityKey(.stockItem, id), 4)]), to: path)
    try home.commitAll(home.laptop)
    try adoptOnBoth(home)
    #expect(try home.phone.item("Tea").quantity.value == Number(4))
  }

  @Test("a receipt removed by a plain commit is taken back once, and git revert brings it back")
  func removedAndBack() throws {
    let (home, milk, _) = try milk()
    try home.laptop.write(text([(milk, 3)]), to: path)
    try home.commitAll(home.laptop)
    try adoptOnBoth(home)
    try home.git(home.laptop, "rm", "-q", path.text)
    try home.git(home.laptop, "commit", "-qm", "remove")
    let removal = try home.laptop.head()
    try home.git(home.laptop, "revert", "--no-edit", removal)
    try home.settle()
    #expect(try home.phone.quantity(milk) == Number(8))
  }

  @Test("a copied receipt is another purchase")
  func copied() throws {
    let (home, milk, _) = try milk()
    try home.laptop.write(text([(milk, 3)]), to: path)
    try home.settle()
    try home.laptop.write(home.laptop.text(path), to: "receipts/again.json")
    try home.settle()
    #expect(try home.phone.quantity(milk) == Number(11))
    #expect(try home.phone.read().household.all(.receipt).count == 2)
  }

  @Test("a receipt that uses up nothing and names an item nobody has stays a receipt")
  func unknownItem() throws {
    let (home, milk, _) = try milk()
    let other = EntityKey(.stockItem, "0192f0c4-7c1e-7d3a-9b52-3f6a1c7f3a9c")
    try home.laptop.write(text([(other, 4), (milk, 1)]), to: path)
    try home.settle()
    #expect(try home.phone.quantity(milk) == Number(6))
    #expect(try home.phone.read().household.all(.receipt).first?.lines.count == 2)
  }
}
