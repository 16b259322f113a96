import TestSupport
import Testing

@testable import LarderCLI

@Suite("Amounts that nobody says, or that could mean two things")
struct MeantAmountTests {
  private func total(_ item: String, in nest: Nest) throws -> String? {
    try nest("stock list \(item) --plain").records.first?[1]
  }

  @Test(
    "one gram is never meant: without an amount it is asked for",
    arguments: [
      "use cheese", "put cheese", "stock discard cheese", "use cheese half", "put cheese 1/2",
      "receipt save --shop Rewe --line cheese@2.99",
    ])
  func grams(command: String) throws {
    let nest = try Nest()
    try nest.prepare("stock new Cheese 300g")
    let refused = try nest(command)
    #expect(refused.code == 2)
    #expect(refused.errors.contains("how much of Cheese? It is counted in g"))
    #expect(try total("cheese", in: nest) == "300")
  }

  @Test(
    "no weight and no volume is meant without a number, and half of it not without a unit",
    arguments: [
      ("use milk", "l"), ("use flour", "kg"), ("put flour", "kg"), ("stock discard milk", "l"),
      ("use half milk", "l"), ("use milk 1/4", "l"), ("use milk ½", "l"), ("put flour half", "kg"),
      ("count flour half", "kg"), ("buy milk half", "l"), ("stock open milk half", "l"),
      ("receipt save --shop Rewe --line milk@2.99", "l"),
      ("receipt save --shop Rewe --line flour=1/2@2.99", "kg"),
    ])
  func measured(command: String, unit: String) throws {
    let nest = try Nest()
    try nest.prepare("stock new Milk 4.5l", "stock new Flour 2kg")
    let refused = try nest(command)
    #expect(refused.code == 2, "\(refused.output)")
    #expect(refused.errors.contains("It is counted in \(unit)"), "\(refused.errors)")
    #expect(try total("milk", in: nest) == "4.5")
    #expect(try total("flour", in: nest) == "2")
    try nest.prepare("use milk 0.5", "use milk half a litre", "use flour 1/2kg", "stock open milk")
    #expect(try total("milk", in: nest) == "3.5")
  }

  @Test("what would be all is said where the amount is asked for")
  func all() throws {
    let nest = try Nest()
    try nest.prepare("stock new Cheese 0g", "put cheese 300g --expiry 2026-12-01")
    let refused = try nest("stock discard cheese")
    #expect(refused.errors.contains("'all' instead of an amount is all there is: 300 g"))
    try nest.prepare("stock discard cheese all")
    #expect(try total("cheese", in: nest) == "0")
  }

  @Test("what ran out is wanted as it was bought last, by itself and by 'buy' alike")
  func wish() throws {
    let nest = try Nest()
    try nest.prepare(
      "stock new Cream 200ml", "stock new Tomatoes 12", "stock new Coffee 0g", "put coffee 500g",
      "put coffee 250g", "use cream all", "use tomatoes all", "use coffee all")
    let wanted = [["Coffee", "250"], ["Cream", "200"], ["Tomatoes", "12"]]
    #expect(try nest("shop --plain").records.map { [$0[1], $0[2]] } == wanted)
    try nest.prepare("shop remove cream", "shop remove tomatoes", "shop remove coffee")
    try nest.prepare("buy cream tomatoes coffee")
    #expect(try nest("shop --plain").records.map { [$0[1], $0[2]] } == wanted)
    #expect(try nest("check").code == 0)
  }

  @Test("a pack is meant where its size is known, and a piece where they are counted")
  func packs() throws {
    let nest = try Nest()
    try nest.prepare(
      "stock new Cheese 300g", "product new 96385074 --title Gouda --item cheese --pack-size 200g",
      "put cheese", "stock new Eggs 2", "use eggs")
    #expect(try total("cheese", in: nest) == "500")
    #expect(try total("eggs", in: nest) == "1")
  }

  @Test("the list gets what came the last time, and keeps what is on it")
  func list() throws {
    let nest = try Nest()
    try nest.prepare("stock new Cheese 300g", "stock new Butter 500g", "put butter 250g")
    #expect(
      try nest("buy cheese butter").output
        == "Cheese is on the shopping list: 300 g\nButter is on the shopping list: 250 g\n")
    try nest.prepare("stock new Eggs 6", "buy eggs 10", "buy eggs")
    #expect(try nest("shop list eggs").output.contains("10"))
  }

  @Test("what rounding a fraction leaves is taken with it")
  func thirds() throws {
    let nest = try Nest()
    try nest.prepare("stock new Flour 1kg", "use flour 1/3kg", "use flour 1/3kg", "use flour 1/3kg")
    #expect(try total("flour", in: nest) == "0")
    try nest.prepare("put flour 1kg")
    for _ in 1...6 { try nest.prepare("use flour 1/6kg") }
    #expect(try total("flour", in: nest) == "0")
    try nest.prepare("put flour 0.333334kg", "put flour 0.333333kg")
    #expect(try total("flour", in: nest) == "0.666667")
  }

  @Test("a word behind a number is a unit or a thing, and nobody guesses which")
  func units() throws {
    let nest = try Nest()
    let refused = try nest("put Chickpeas 6 Schalen --new")
    #expect(refused.code == 2)
    #expect(refused.errors.contains("'Schalen' may be the unit of '6', or another thing"))
    try nest.prepare("put Chickpeas 6, Schalen --new")
    #expect(try total("schalen", in: nest) == "1")
    try nest.prepare("put Beans 6 tins --new", "location new Cellar")
    #expect(try nest("put Cellar 2 --new").errors.contains("--location Cellar"))
  }

  @Test(
    "a second amount is nobody's, whatever batches there are",
    arguments: ["put milk 1l 2", "put milk 1l 2 --new", "use milk 1l 3", "stock discard milk 1l 7"])
  func stray(command: String) throws {
    let nest = try Nest()
    try nest.prepare(
      "stock new Milk 3l", "location new Freezer --cold", "stock new Bread",
      "put bread 3 --expiry 2026-12-23 --location freezer --lot L7")
    let refused = try nest(command)
    #expect(refused.code == 2)
    #expect(refused.errors.contains("the name of a thing is needed beside an amount"))
    #expect(try total("bread", in: nest) == "3")
    #expect(try total("milk", in: nest) == "3")
  }

  @Test("a quoted amount in a unit that nobody knows yet is no thing")
  func quoted() throws {
    let nest = try Nest()
    #expect(
      try nest("put Tomatoes '4 Schalen' --new").errors.contains(
        "beside an amount, found '4 Schalen'"))
    try nest.prepare("stock new Tomatoes 4 Schalen", "put tomatoes '2 Schalen'", "buy milk '7 Up'")
    #expect(try total("tomatoes", in: nest) == "6")
    #expect(try nest("shop --plain").records.map { $0[1] } == ["7 Up", "milk"])
  }

  @Test("a barcode without a pack's size is no gram")
  func unsizedBarcode() throws {
    let nest = try Nest()
    try nest.prepare(
      "stock new Bears 300g", "product new 96385074 --title Bears --item bears")
    for command in ["put 96385074 2", "receipt save --shop Rewe --line 96385074=2@@1.99"] {
      #expect(
        try nest(command).errors.contains("larder product edit ean_96385074 --pack-size 500g"))
    }
    #expect(try total("bears", in: nest) == "300")
  }

  @Test("a thousand with a point is asked about, as one with a comma", arguments: ["put", "count"])
  func thousands(verb: String) throws {
    let nest = try Nest()
    try nest.prepare("stock new Juice 500ml")
    #expect(try nest("\(verb) juice 1.000 ml").errors.contains("this may be 1 or 1000"))
    #expect(try nest("\(verb) juice 0.250").errors.contains("how much of Juice?"))
    try nest.prepare("\(verb) juice 1.250l")
  }

  @Test("a price without its sign is no amount, and no part of a name")
  func prices() throws {
    let nest = try Nest()
    try nest.prepare("stock new Butter 250g", "stock new 'Cola 1,25' 1")
    let refused = try nest("receipt save --shop Rewe --line 'Butter 1,99'")
    #expect(refused.code == 2)
    #expect(refused.errors.contains("write Butter@1,99 for the price"))
    #expect(try total("butter", in: nest) == "250")
    try nest.prepare("receipt save --shop Rewe --line 'Cola 1,25@1,49'")
    #expect(try total("cola", in: nest) == "2")
  }

  @Test("a unit that does not convert is no way to go on, and the way that is one is told")
  func otherUnit() throws {
    let nest = try Nest()
    try nest.prepare("put Milk 2 --new")
    let refused = try nest("stock edit milk --unit l")
    #expect(refused.errors.contains("can't become liter: some of it is counted in piece"))
    try nest.prepare("stock archive Milk", "stock new Milk 2 l")
  }
}
