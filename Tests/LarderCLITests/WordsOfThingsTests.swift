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
      ("buy crisps, 2 bags", ["crisps 2 bag"]), ("buy 'crisps, 2 bags'", ["crisps 2 bag"]),
      ("buy milk, 2 gallons", ["milk 2 gal"]), ("buy cola 1.5l x 2", ["cola 3 liter"]),
      ("buy cola 1.5l x2, chips", ["chips 1 piece", "cola 3 liter"]),
      ("buy 3 in 1 oil", ["3 in 1 oil 1 piece"]),
      ("buy '2 in 1 shampoo' 3", ["2 in 1 shampoo 3 piece"]),
      ("buy 1 l 3.5% milk", ["3.5% milk 1 liter"]), ("buy milk 3,5% 2l", ["milk 3,5% 2 liter"]),
      ("buy zwei Zitronen und drei Becher Sahne", ["Sahne 3 becher", "Zitronen 2 piece"]),
      ("buy ein Pfund Kaffee", ["Kaffee 500 gram"]),
      ("buy two eggs and three rolls", ["eggs 2 piece", "rolls 3 piece"]),
      ("buy a couple of lemons", ["lemons 2 piece"]), ("buy half of a cake", ["cake 0.5 piece"]),
      ("buy a third floor lamp", ["third floor lamp 1 piece"]),
    ])
  func list(line: String, entries: [String]) throws {
    let nest = try Nest()
    try nest.prepare(line)
    #expect(try list(nest) == entries)
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
}
