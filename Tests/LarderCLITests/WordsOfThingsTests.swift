import TestSupport
import Testing

@testable import LarderCLI

@Suite("Things and amounts in the words that people use")
struct WordsOfThingsTests {
  /// The names and amounts on the shopping list, by name.
  private func list(_ nest: Nest) throws -> [String] {
    try nest("shop --plain").records.map { "\($0[1]) \($0[2]) \($0[3])" }.sorted()
  }

  @Test(
    "on the shopping list",
    arguments: [
      ("buy 2 packs of noodles", ["noodles 2 pack"]),
      ("buy 2 packs of noodles 3 cans of beans", ["beans 3 can", "noodles 2 pack"]),
      ("buy milk 2 packs of noodles", ["milk 1 piece", "noodles 2 pack"]),
      ("buy 3 tins tomatoes", ["tomatoes 3 tin"]), ("buy a dozen eggs", ["eggs 12 piece"]),
      ("buy half a dozen eggs", ["eggs 6 piece"]),
      ("buy half a kilo of flour", ["flour 0.5 kilogram"]),
      ("buy 2 and a half kg potatoes", ["potatoes 2.5 kilogram"]),
      ("buy 500 g of quark", ["quark 500 gram"]), ("buy bread x2", ["bread 2 piece"]),
      ("buy milk 2x", ["milk 2 piece"]), ("buy 'candles 3'", ["candles 3 piece"]),
      ("buy '3 cans of beans'", ["beans 3 can"]), ("buy '7 Up'", ["7 Up 1 piece"]),
      ("buy '3 candles'", ["candles 3 piece"]),
      (
        "buy milk '3 candles'",
        [
          "candles 3 piece", "milk 1 piece",
        ]
      ),
      ("buy 'candles 3' 1", ["candles 3 1 piece"]),
      (
        "buy milk, eggs 12, toilet paper",
        ["eggs 12 piece", "milk 1 piece", "toilet paper 1 piece"]
      ),
      (
        "buy 'milk, eggs 12, toilet paper'",
        [
          "eggs 12 piece", "milk 1 piece", "toilet paper 1 piece",
        ]
      ),
      ("buy milk, bread,", ["bread 1 piece", "milk 1 piece"]),
      ("buy 500 g quark and 2 cucumbers", ["cucumbers 2 piece", "quark 500 gram"]),
      ("buy '500 g quark and 2 cucumbers'", ["cucumbers 2 piece", "quark 500 gram"]),
      ("buy milk & eggs", ["eggs 1 piece", "milk 1 piece"]),
      ("buy Brot und Butter 2", ["Brot 1 piece", "Butter 2 piece"]),
      ("buy 'salt and pepper'", ["salt and pepper 1 piece"]),
      ("buy half and half", ["half and half 1 piece"]),
      ("shop buy Tea '2 Packungen'", ["Tea 2 pack"]),
      ("shop buy Tomatoes '2 Dosen'", ["Tomatoes 2 dosen"]),
    ])
  func list(line: String, entries: [String]) throws {
    let nest = try Nest()
    try nest.prepare(line)
    #expect(try list(nest) == entries)
  }

  @Test("in the stock")
  func stock() throws {
    let nest = try Nest()
    try nest.prepare(
      "put 500 g quark and 2 cucumbers --new", "put '3 cans of beans' --new",
      "put a dozen eggs --new")
    #expect(
      try nest("stock list --plain").records.map { "\($0[0]) \($0[1]) \($0[2])" }
        == ["beans 3 can", "cucumbers 2 piece", "eggs 12 piece", "quark 500 gram"])
  }

  @Test("a known name is never taken apart, whatever words are in it")
  func known() throws {
    let nest = try Nest()
    let names = [
      "Salt and pepper", "Tin of tomatoes", "Tin opener", "Omega 3", "7 Up", "Half and half",
      "Tomatoes, tinned", "A tin of tuna", "3 cans of beans",
    ]
    for name in names { try nest.prepare("stock new '\(name)' 5") }
    for name in names {
      for words in [name, "'\(name)'", name.lowercased()] {
        let used = try nest("use \(words)")
        #expect(used.output == "used 1 of \(name), 4 left\n", "\(words): \(used)")
        try nest.prepare("undo")
      }
      let used = try nest("use \(name) 2 and omega 3")
      if name != "Omega 3" { #expect(used.output.contains("used 2 of \(name)"), "\(used)") }
      if used.code == 0 { try nest.prepare("undo") }
    }
    #expect(try nest("use a tin opener").output == "used 1 of Tin opener, 4 left\n")
    #expect(try nest("use 2 tin of tomatoes").output == "used 2 of Tin of tomatoes, 3 left\n")
  }

  @Test("words that become several things, and a number in a name, are told with the way back")
  func told() throws {
    let nest = try Nest()
    let paper = try nest("buy toilet paper")
    #expect(paper.errors.contains("'toilet' and 'paper' are 2 things; if it is one, 'larder undo'"))
    #expect(paper.errors.contains("'larder buy \"toilet paper\"'"))
    try nest.prepare("undo", "buy 'toilet paper'")
    #expect(try list(nest) == ["toilet paper 1 piece"])
    try nest.prepare("buy toilet paper 2")
    #expect(try list(nest) == ["toilet paper 2 piece"], "the name is on the list already")
    let salt = try nest("put salt and pepper --new")
    #expect(salt.errors.contains("'salt' and 'pepper' are 2 things"))
    let candles = try nest("buy 'candles 3'")
    #expect(candles.errors.contains("'larder buy \"candles 3\" 1'"), "\(candles)")
    #expect(try nest("buy '7 Up'").errors.contains("'7 Up' is a name"))
    // What is clear needs no words.
    #expect(try nest("buy 2 packs of noodles and 3 eggs").errors.isEmpty)
  }

  @Test("a line of standard input is one thing, unless it has a comma")
  func lines() throws {
    let nest = try Nest()
    try nest.prepare("stock new Milk 1l")
    let put = try nest(
      "buy -",
      input: "toilet paper\nsalt and pepper\n2 packs of noodles\nmilk 2l, kitchen roll\n8 rolls\n")
    #expect(put.code == 0, "\(put)")
    #expect(
      try list(nest) == [
        "Milk 2 liter", "kitchen roll 1 piece", "noodles 2 pack", "rolls 8 piece",
        "salt and pepper 1 piece", "toilet paper 1 piece",
      ])
  }

  @Test("a todo.txt file is read as lines are")
  func todo() throws {
    let nest = try Nest()
    try nest.write("2 packs of noodles\na dozen eggs\nsalt and pepper\nbread x2\n", to: "list.txt")
    try nest.prepare("import todo.txt list.txt")
    #expect(
      try list(nest) == [
        "bread 2 piece", "eggs 12 piece", "noodles 2 pack", "salt and pepper 1 piece",
      ])
  }

  @Test("half is told where half of what is there is another amount")
  func half() throws {
    let nest = try Nest()
    try nest.prepare("stock new Melon 4", "stock new Lemon 1")
    let used = try nest("use half melon")
    #expect(used.output == "used 0.5 of Melon, 3.5 left\n")
    #expect(used.errors.contains("half of the 4 that were there is 'larder undo', and"))
    #expect(used.errors.contains("'larder use melon 2'"))
    try nest.prepare("undo")
    #expect(try nest("use melon 2").output == "used 2 of Melon, 2 left\n")
    #expect(try nest("use half lemon").errors.isEmpty)
  }

  @Test("an item in a unit of the household's own takes the plural of it")
  func ownUnits() throws {
    let nest = try Nest()
    try nest.prepare(
      "stock new Tea --unit packungen --in-stock 2", "stock new Tuna --unit dose --in-stock 1",
      "put tea '3 Packungen'", "put tuna 2 Dosen")
    #expect(try nest("stock list --plain").records.map { $0[1] } == ["5", "3"])
  }
}

extension WordsOfThingsTests {
  /// The prices on the newest receipt.
  private func prices(_ nest: Nest) throws -> [String] {
    try nest("receipt show S --plain").records.map { $0[3] }
  }

  @Test(
    "behind @ is the price of one, and behind @@ that of all",
    arguments: [
      ("'oat milk=2@3.10'", "6.2"), ("'oat milk=2@@3.10'", "3.1"), ("milk=2l@1.65", "3.3"),
      ("milk@1.65", "1.65"), ("'milk=0.486 kg@2.99'", "1.45"), ("'milk=3@0.125'", "0.375"),
      ("'2 packs of noodles@0.99'", "1.98"), ("'flour=500g@@1.29'", "1.29"),
      ("milk=2@3.10 --amount 6.20", "6.2"), ("milk=2@3.10 --amount 3.10", "3.1"),
      ("milk=2@3.10 --amount 9", "6.2"), ("flour=500g@1.29 --amount 1.29", "1.29"),
    ])
  func prices(line: String, price: String) throws {
    let nest = try Nest()
    try nest.prepare("receipt save --shop S --line \(line)")
    #expect(try prices(nest) == [price])
  }

  @Test("which price the amount decided, and one of a line without a number, is told")
  func toldPrices() throws {
    let nest = try Nest()
    let decided = try nest("receipt save --shop S --line milk=2@3.10 --amount 3.10")
    #expect(decided.errors.contains("those of all of a line, as only so they come to the amount"))
    try nest.prepare("receipt void S", "buy eggs 12")
    let eggs = try nest("receipt save --shop T --line eggs@2.99")
    #expect(eggs.errors.contains("2.99 EUR is the price of all 12 of eggs"), "\(eggs)")
    #expect(eggs.errors.contains("eggs=12@2.99"))
    let flour = try nest("receipt save --shop U --line flour=500g@1.29")
    #expect(flour.code == 2)
    #expect(flour.errors.contains("flour=500g@@1.29"))
    #expect(flour.errors.contains("flour=0.5kg@1.29"))
  }

  @Test("a receipt that is corrected follows the same rule")
  func corrected() throws {
    let nest = try Nest()
    try nest.prepare(
      "receipt save --shop S --line milk=2@@3 --line tea@2", "receipt edit S --line milk=3@1.50")
    #expect(try prices(nest) == ["4.5", "2"])
    try nest.prepare("receipt edit S --line milk=4@6 --amount 8")
    #expect(try prices(nest) == ["6", "2"])
  }
}
