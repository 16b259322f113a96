import TestSupport
import Testing

@testable import LarderCLI

@Suite("The lines of receipts as they are typed")
struct ReceiptCommandLineTests {
  private func shop() throws -> Nest {
    let nest = try Nest()
    try nest.prepare(
      "stock new Eggs 6 --full 12", "stock new Milk 2l --full 6l", "stock new Rice 500g",
      "shop buy milk eggs", "buy 'Birthday candles' 3")
    return nest
  }

  private func list(_ nest: Nest) throws -> [String] {
    try nest("shop --plain").records.map { $0[1] }
  }

  @Test("a line takes what it names off the shopping list, in the same commit")
  func ticksOff() throws {
    let nest = try shop()
    let before = try nest.subjects().count
    let saved = try nest(
      "receipt save --shop Greenway --line milk=2 --line eggs@2.99 --line candle@3")
    #expect(saved.code == 0, "\(saved.errors)")
    #expect(saved.errors.contains("off the shopping list: Milk, Eggs, Birthday candles"))
    #expect(try list(nest) == [])
    #expect(try nest.subjects().count == before + 1)
    let lines = try nest("receipt show greenway --plain").records.map { Array($0.prefix(4)) }
    #expect(
      lines == [
        ["Milk", "2", "liter", ""], ["Eggs", "6", "piece", "2.99"],
        ["Birthday candles", "3", "piece", "3"],
      ])
    #expect(try nest("stock list --plain").records.map { $0[1] } == ["12", "4", "500"])
    try nest.prepare("undo")
    #expect(try list(nest).count == 3)
  }

  @Test("with --keep the list stays as it is")
  func keeps() throws {
    let nest = try shop()
    try nest.prepare("receipt save --shop Greenway --line milk=2 --line eggs=6 --keep")
    #expect(try list(nest).count == 3)
    #expect(try nest("stock list milk --plain").records.first?[1] == "4")
  }

  @Test("a part of a name on the list does not take the place of an item's own name")
  func ownName() throws {
    let nest = try shop()
    try nest.prepare("buy 'Easter eggs' 4", "receipt save --shop Greenway --line egg=2")
    #expect(try list(nest).contains("Easter eggs"))
    #expect(!(try list(nest).contains("Eggs")))
    #expect(try nest("stock list eggs --plain").records.first?[1] == "8")
  }

  @Test("a line that a correction adds leaves the list too")
  func correction() throws {
    let nest = try shop()
    try nest.prepare("receipt save --shop Greenway --line rice=1kg")
    let added = try nest("receipt edit greenway --line milk=2l --line candles")
    #expect(added.errors.contains("off the shopping list: Milk, Birthday candles"))
    #expect(try list(nest) == ["Eggs"])
    try nest.prepare("receipt edit greenway --line eggs=1 --keep")
    #expect(try list(nest) == ["Eggs"])
  }

  @Test("the amount may stand before the name, as in the form")
  func amountFirst() throws {
    let nest = try shop()
    let before = try #require(try nest("stock list milk --plain").records.first?[1])
    try nest.prepare(
      "stock new '7 Up' 1", "receipt save --shop Spar --line '2 l Milk @ 3.00' --line '7 Up@1'")
    #expect(try nest("stock list milk --plain").records.first?[1] != before)
    #expect(try nest("stock list '7 up' --plain").records.first?[1] == "2")
  }

  @Test("what is in the basket and no item is told, and becomes one if somebody says so")
  func unknownEntries() throws {
    let nest = try shop()
    try nest.prepare("buy tomatoes 'red wine' 2", "got tomatoes red wine")
    let saved = try nest("receipt save --shop Spar")
    #expect(saved.code == 0)
    #expect(saved.errors.contains("on the receipt only: red wine, tomatoes"), "\(saved.errors)")
    try nest.prepare("undo", "receipt save --shop Spar --new")
    #expect(try nest("stock list wine --plain").records.first?[1] == "2")
    #expect(try nest("stock list tomatoes --plain").records.first?[1] == "1")
  }

  @Test("receipts are listed from a day on, and what nobody said was paid is the sum of the lines")
  func since() throws {
    let nest = try shop()
    try nest.prepare(
      "receipt save --shop Old --line tofu@3 --at 2026-10-31",
      "receipt save --shop Spar --line milk=1@@2 --at 2026-11-01",
      "receipt save --shop Rewe --line milk=1@@2.50 --amount 2.50 --at 2026-11-18")
    func shops(_ since: String) throws -> [String] {
      try nest("receipt list --since \(since) --plain").records.map { $0[1] }
    }
    #expect(try shops("2026-11") == ["Rewe", "Spar"])
    #expect(try shops("'nov 2026'") == ["Rewe", "Spar"])
    #expect(try shops("7d") == ["Rewe"])
    #expect(try shops("'3 weeks ago'") == ["Rewe", "Spar", "Old"])
    #expect(
      try nest.atTerminal("--no-color receipt list --since 2026-11").screen
        .contains("Together: 4.50"))
    #expect(try nest("log --oneline --since 1w").output.contains("Rewe"))
  }

  @Test("what nobody knows stays on the receipt, and the command that makes an item of it works")
  func unknown() throws {
    let nest = try shop()
    let saved = try nest("receipt save --shop Greenway --line tofu=400g@@2 --line mlik=1l")
    #expect(saved.errors.contains("no item is called 'mlik'; did you mean 'Milk'?"))
    let command = #"receipt edit "Greenway 2026-11-21" --line tofu --line mlik --new"#
    #expect(
      saved.errors.contains(
        "on the receipt only: tofu, mlik; 'larder \(command)' makes them items of the stock"))
    #expect(try nest("stock --plain").records.count == 3)
    let made = try nest(command)
    #expect(made.code == 0, "\(made.errors)")
    #expect(!made.errors.contains("on the receipt only"))
    #expect(try nest("stock list tofu --plain").records.first.map { $0[1...2] } == ["400", "gram"])
    #expect(try nest("check").code == 0)
  }

  @Test("with --new a line makes an item, in the same commit, and takes the entry of that name")
  func new() throws {
    let nest = try shop()
    try nest.prepare("buy tofu")
    let before = try nest.subjects().count
    let saved = try nest("receipt save --shop Greenway --line Tofu=2@@3 --line Ham=100g --new")
    #expect(saved.code == 0, "\(saved.errors)")
    #expect(try nest.subjects().count == before + 1)
    #expect(try nest("stock list tofu --plain").records.first?[1] == "2")
    #expect(try nest("stock list ham --plain").records.first?[1] == "100")
    #expect(!(try list(nest).contains("tofu")))
    try nest.prepare("undo")
    #expect(try nest("stock --plain").records.count == 3)
  }

  @Test("with --new a part of a name is too little to be something else")
  func newInFull() throws {
    let nest = try shop()
    try nest.prepare("stock new Shampoo 1", "receipt save --shop Greenway --line ham=2 --new")
    #expect(try nest("stock list shampoo --plain").records.first?[1] == "1")
    #expect(try nest("stock --plain").records.count == 5)
  }

  @Test("a discount is a line with a price below zero, and no item")
  func discount() throws {
    let nest = try shop()
    let saved = try nest(
      "receipt save --shop Greenway --line milk=2@@4 --line Discount@-1.50 --amount 2.50 --new")
    #expect(saved.code == 0)
    #expect(saved.errors == "off the shopping list: Milk\n")
    #expect(try nest("stock --plain").records.count == 3)
  }

  @Test("an entry that has an item's name counts as the item")
  func linked() throws {
    let nest = try shop()
    try nest.prepare("buy Oil", "stock new Oil 1l", "receipt save --shop G --line oil=2")
    #expect(try nest("stock list oil --plain").records.first?[1] == "3")
    #expect(!(try list(nest).contains("Oil")))
  }

  @Test("a new item is offered the lines that have its name, by a command that works")
  func offered() throws {
    let nest = try shop()
    try nest.prepare(
      "receipt save --shop Old --line tofu=1 --at 2026-11-18",
      "receipt save --shop Greenway --line tofu=2@@3 --amount 3")
    let made = try nest("stock new Tofu")
    let command = #"receipt edit "Greenway 2026-11-21" --line tofu"#
    #expect(
      made.errors.contains(
        "Tofu is on the receipt of Greenway, 2026-11-21 13:00, 3.00 EUR, and 1 older line has it "
          + "too; 'larder \(command)' adds its 2 to the stock"))
    try nest.prepare(command)
    #expect(try nest("stock list tofu --plain").records.first?[1] == "2")
    // A correction of the price alone takes nothing into the stock.
    try nest.prepare("receipt edit old --line tofu@5")
    #expect(try nest("stock list tofu --plain").records.first?[1] == "2")
    #expect(try nest("check").code == 0)
    #expect(!(try nest("stock new Cheese").errors.contains("receipt")))
  }

  @Test("an amount that is not the sum of the lines is told, and refused with --strict")
  func sums() throws {
    let nest = try shop()
    let told = "the amount is 9.00 EUR, and the lines come to 6.50 EUR: 2.50 EUR less"
    let line = "receipt save --shop G --line milk=2@@4 --line eggs=6@@2.50 --amount"
    let strict = try nest("\(line) 9 --strict")
    #expect(strict.code == 1)
    #expect(strict.errors.contains("error: " + told))
    #expect(try nest("receipt --plain").records.isEmpty)
    #expect(try list(nest).count == 3)
    #expect(try nest("\(line) 9").errors.contains("warning: " + told))
    #expect(try nest("receipt edit g --amount 9.01").errors.contains("9.01 EUR"))
    #expect(try nest("receipt edit g --amount 10 --strict").code == 1)
    #expect(try nest("receipt list --plain").records.first?[2] == "9.01")
    // A rounding is a cent a line.
    #expect(try !nest("receipt edit g --amount 6,52 --strict").errors.contains("amount"))
    #expect(try nest("receipt edit g --amount 6.53").errors.contains("6.53 EUR"))
    #expect(try !nest("receipt edit g --line rice=1kg").errors.contains("amount is"))
  }

  @Test("an amount below zero is a mistake")
  func belowZero() throws {
    let nest = try shop()
    for line in ["receipt save --shop G --line milk=2", "receipt edit g"] {
      let refused = try nest("\(line) --amount -3")
      #expect(refused.code == 2)
      #expect(refused.errors.contains("an amount can't be below zero"), "\(refused.errors)")
      try nest.prepare("receipt save --shop G --line milk=2")
    }
  }

  @Test("the household's spelling of a shop is taken, until somebody changes the spelling itself")
  func shops() throws {
    let nest = try shop()
    try nest.prepare(
      "receipt save --shop Käseladen --line milk=1", "receipt save --shop KASELADEN --line eggs=1")
    #expect(try nest("receipt --plain").records.map { $0[1] } == ["Käseladen", "Käseladen"])
    #expect(try nest("receipt list shop:kaseladen --plain").records.count == 2)
    #expect(try nest.subjects().first == "save a receipt of Käseladen")
    try nest.prepare(
      "receipt save --shop Rewe --line rice=1kg --at 2026-11-20",
      "receipt edit rewe --shop käseladen")
    #expect(try nest("receipt list shop:Käseladen --plain").records.count == 3)
    try nest.prepare("receipt edit 2026-11-20 --shop KÄSELADEN")
    #expect(try nest("receipt list --until 2026-11-20 --plain").records.first?[1] == "KÄSELADEN")
  }
}
