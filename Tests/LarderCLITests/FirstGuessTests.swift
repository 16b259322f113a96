import TestSupport
import Testing

@testable import LarderCLI

@Suite("What people type first")
struct FirstGuessTests {
  private func kitchen() throws -> Nest {
    let nest = try Nest()
    try nest.prepare(
      "stock new Flour 1kg --full 2kg", "stock new Eggs 12", "stock new Milk 2l",
      "stock new 'Oat milk' 3l", "stock new Bread 2", "stock new 'Tinned tomatoes' 4 tins",
      "stock new '7 Up' 6", "location new Fridge Freezer Cupboard")
    return nest
  }

  /// Lines, with what each prints at first.
  private static let guesses: [(String, String)] = [
    ("stock new Sugar 1kg", "new item Sugar: 1 kg"),
    ("stock new Salmon 2 --expiry +10d --location fridge", "new item Salmon: 2 (batch of "),
    ("use eggs 3", "used 3 of Eggs, 9 left\n"), ("use eggs x3", "used 3 of Eggs, 9 left\n"),
    ("use three eggs", "used 3 of Eggs, 9 left\n"), ("use 3 eggs", "used 3 of Eggs, 9 left\n"),
    ("use egg", "used 1 of Eggs, 11 left\n"),
    ("use Milk 0.1 l", "used 0.1 l of Milk, 1.9 l left\n"),
    ("use flour 200 g", "used 200 g of Flour, 0.8 kg left\n"),
    ("use Milk 1/2l", "used 0.5 l of Milk, 1.5 l left\n"),
    ("use milk half a litre", "used 0.5 l of Milk, 1.5 l left\n"),
    ("use milk 0,5", "used 0.5 l of Milk, 1.5 l left\n"),
    ("use milk 2cl", "used 20 ml of Milk, 1.98 l left\n"),
    ("use flour 50gr", "used 50 g of Flour, 0.95 kg left\n"),
    (
      "use flour 200g eggs 3 milk 0.25l",
      "used 200 g of Flour, 0.8 kg left\nused 3 of Eggs, 9 left\nused 0.25 l of Milk, 1.75 l left\n"
    ),
    ("use oat milk 1l eggs", "used 1 l of Oat milk, 2 l left\nused 1 of Eggs, 11 left\n"),
    ("use oat milk 1l, eggs", "used 1 l of Oat milk, 2 l left\nused 1 of Eggs, 11 left\n"),
    ("use bread all", "used 2 of Bread, none left\n"),
    ("use all bread", "used 2 of Bread, none left\n"),
    ("use 7 up 2", "used 2 of 7 Up, 4 left\n"),
    ("use 'tinned tomatoes' 2 tins", "used 2 tins of Tinned tomatoes, 2 tins left\n"),
    (
      "put milk 2 eggs 12 bread",
      "put 2 l of Milk, 4 l now\nput 12 of Eggs, 24 now\nput 1 of Bread"
    ),
    ("put milk 2l --expiry 10d", "put 2 l of Milk (created: batch of "),
    ("put milk 1 --expiry 01.12.2027", "put 1 l of Milk (created: batch of 2027-12-01)"),
    ("put milk 1 --expiry 12/2027", "put 1 l of Milk (created: batch of 2027-12-31)"),
    ("put Tofu 400g --new", "put 400 g of Tofu, 400 g now\n"),
    ("count eggs 4 'oat milk' 1.5l", "counted 4 of Eggs, 12 before\ncounted 1.5 l of Oat milk"),
    (
      "buy milk eggs bread",
      "Milk is on the shopping list: 2 l\nEggs is on the shopping list: 12\nBread is on"
    ),
    ("buy 'milk 2l'", "Milk is on the shopping list: 2 l\n"),
    ("buy soap sponges", "soap is on the shopping list: 1\nsponges is on the shopping list: 1\n"),
    ("buy birthday candles 3", "birthday candles is on the shopping list: 3\n"),
    ("buy birthday candles, crisps", "birthday candles is on the shopping list: 1\ncrisps is on"),
    ("buy candles 2 boxes", "candles is on the shopping list: 2 boxes\n"),
    ("buy rolls 8", "rolls is on the shopping list: 8\n"),
    ("buy 8 rolls", "rolls is on the shopping list: 8\n"),
    ("buy '2 bottles', milk", "bottles is on the shopping list: 2\nMilk is on"),
    ("location edit fridge --cold", "Fridge: cold no → yes\n"),
    ("due 3", "no batches to show"), ("low", "nothing is low\n"),
    ("show eggs", "Eggs\n  total: 12\n"), ("stock list milk bread --plain", "Bread\t2\tpiece\t"),
    ("receipt save --shop rewe --line eggs@2.99", "saved rewe, 2026-11-21 13:00\n"),
    (
      "receipt save --shop rewe --line milk=2 --amount 42,17",
      "saved rewe, 2026-11-21 13:00, 42.17 EUR\n"
    ),
    (
      "receipt save --shop rewe --line 'oat milk=2@@3,58' --amount 42.17€",
      "saved rewe, 2026-11-21 13:00, 42.17 EUR\n"
    ),
  ]

  @Test("works")
  func works() throws {
    for (line, told) in Self.guesses {
      let nest = try kitchen()
      let outcome = try nest(line)
      #expect(outcome.code == 0, "larder \(line): \(outcome.errors)")
      #expect(
        !told.isEmpty && (outcome.output.hasPrefix(told) || outcome.errors.hasPrefix(told)),
        "larder \(line): \(outcome.output)")
    }
  }

  @Test("about a receipt is answered with what to type")
  func receipts() throws {
    let nest = try kitchen()
    let price = try nest("receipt save --shop Rewe --line milk=3.57")
    #expect(price.code == 2)
    #expect(price.errors.contains("write milk@3.57 for the price, or milk=3.57x for the quantity"))
    try nest.prepare("receipt save --shop Rewe --line milk=2@@3.57")
    let edited = try nest("receipt edit rewe")
    #expect(edited.code == 2)
    #expect(edited.errors.contains("hint: give --shop, --amount, --currency, --at, --line"))
    #expect(try nest.atTerminal("receipt edit rewe", editor: "true").code == 0)
  }
}
