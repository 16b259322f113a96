import TestSupport
import Testing

@testable import LarderCLI

@Suite("What an item says of itself")
struct ItemDetailsTests {
  @Test("below its minimum an item is put on the list, and used up it is wanted in full")
  func minimum() throws {
    let nest = try Nest()
    try nest.prepare("stock new Eggs 6 --full 12 --minimum 4")
    #expect(try nest("use eggs 2").output == "used 2 of Eggs, 4 left\n")
    #expect(
      try nest("use eggs").output
        == "used 1 of Eggs, 3 left\nEggs is on the shopping list: 8\n")
    #expect(try nest("low --plain").records.map { $0[0] } == ["Eggs"])
    #expect(
      try nest("use eggs all").output
        == "used 3 of Eggs, none left\nEggs is on the shopping list: 12\n")
    #expect(try nest("undo").code == 0)
    #expect(try nest("shop --plain").records.map { $0[2] } == ["8"])
    #expect(try nest("undo -n 2").code == 0)
    #expect(try nest("shop --plain").output.isEmpty)
    #expect(try nest("stock edit eggs --minimum 1kg").code != 0)
    #expect(try nest("stock edit eggs --minimum -1").code != 0)
    #expect(try nest("stock edit eggs --minimum ''").output == "Eggs: minimum 4 → none\n")
    #expect(try nest("low").errors == "nothing is low\n")
  }

  @Test("a unit that converts takes the minimum along")
  func unit() throws {
    let nest = try Nest()
    try nest.prepare("stock new Flour 2kg --minimum 500g")
    #expect(try nest("show flour").output.contains("minimum: 0.5 kg\n"))
    #expect(
      try nest("stock edit flour --unit g").output.contains("minimum 0.5 kg → 500 g"))
    #expect(try nest("use flour 1501g").output.contains("Flour is on the shopping list: 500 g"))
  }

  @Test("what comes without a date keeps as long as the item says, as a guess")
  func keeping() throws {
    let nest = try Nest()
    try nest.prepare("stock new Bread --keeps 5d", "location new Box")
    let added = try nest("put bread 2")
    #expect(added.output == "put 2 of Bread (created: batch of ~2026-11-26), 2 now\n")
    #expect(try nest("put bread 1 --location box").output.contains("batch of ~2026-11-26, Box"))
    #expect(try nest("put bread 1 --expiry 2026-11-22").output.contains("batch of 2026-11-22"))
    #expect(try nest("stock list bread").output.contains("  2026-11-22\n"))
    #expect(try nest("due").output.contains("Thu ~2026-11-26"))
    #expect(try nest("stock list bread --plain").records.first?[6] == "2026-11-22")
    let saved = try nest("receipt save --shop Mill --line bread=3@@6 --at 2026-11-19")
    #expect(saved.output.contains("2026-11-24"))
    #expect(try nest("stock list --batches bread").output.contains("~2026-11-24"))
    #expect(try nest("stock edit bread --keeps soon").code == 2)
    #expect(try nest("stock edit bread --keeps ''").code == 0)
    #expect(try nest("put bread 4").output == "put 4 of Bread, 11 now\n")
  }

  @Test("an item is found by its other names, which no other item may have")
  func aliases() throws {
    let nest = try Nest()
    try nest.prepare("stock new Bread 2 --alias 'Farmhouse loaf 800g' --alias Brot")
    #expect(try nest("use brot").output == "used 1 of Bread, 1 left\n")
    #expect(
      try nest("use 'FARMHOUSE LOAF 800G'").output
        == "used 1 of Bread, none left\nBread is on the shopping list: 2\n")
    #expect(try nest("got brot").output == "Bread is in the basket: 2\n")
    #expect(try nest("buy 'farmhouse loaf 800g'").output.hasPrefix("Bread is"))
    #expect(try nest("stock new Brot").errors.contains("Brot is another name of"))
    #expect(try nest("stock new Rye --alias bread").code == 1)
    try nest.prepare("stock new Rye")
    #expect(try nest("stock edit rye --name brot").code == 1)
    #expect(try nest("stock edit rye bread --alias Loaf").code == 2)
    #expect(
      try nest("stock edit bread --alias '' --alias Pain").output
        == "Bread: other names Farmhouse loaf 800g, Brot → Pain\n")
    #expect(try nest("stock edit rye --name Brot").code == 0)
    #expect(try nest("stock list alias:pain --plain").records.map { $0[0] } == ["Bread"])
  }

  @Test("what is no item has one entry for its name, which is opened again")
  func looseEntries() throws {
    let nest = try Nest()
    try nest.prepare("buy crisps 2", "got crisps", "receipt save --shop Mill", "buy 'Crìsps '")
    let entries = try nest("shop list --all --json").array("items")
    #expect(entries.map { $0["id"] as? String } == [ShoppingEntryID.crisps])
    #expect(entries.first?["desiredQuantity"] as? Int == 1)
    try nest.prepare("shop edit crisps --name Chips", "buy crisps")
    #expect(try nest("shop --plain").records.map { $0[1] }.sorted() == ["Chips", "crisps"])
  }

  @Test("names that people wrote twice into files are named by check")
  func sharedNames() throws {
    let nest = try Nest()
    try nest.prepare("stock new Milk")
    try nest.write(#"{"name": "Soy", "aliases": ["MILK"]}"#, to: "stock/soy.json")
    let told = try nest("check").output
    #expect(told.contains(" is called Milk too") || told.contains(" is called MILK too"))
  }
}

private enum ShoppingEntryID {
  /// The version 5 id of `name/crisps` in the format's namespace.
  static let crisps = "e14c431e-16f1-5fa1-9226-442b24b39eaa"
}
