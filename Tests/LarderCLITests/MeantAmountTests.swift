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

  @Test(
    "a second amount is nobody's, whatever batches there are",
    arguments: [
      "put milk 1l 2", "put milk 1l 2 --new", "use milk 1l 3", "stock discard milk 1l 7", "buy 2 l",
      "buy '500 g'", "buy milk, 3 dl", "buy 2 liters",
    ])
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

  @Test(
    "what says no number is no amount, and no thing",
    arguments: [
      "buy a few eggs", "buy some milk", "buy ein paar Eier", "buy milk two eggs", "buy few",
    ])
  func vague(command: String) throws {
    let nest = try Nest()
    try nest.prepare("stock new Milk 3l", "stock new Eggs 3")
    #expect(try nest(command).code == 2)
    #expect(try nest("shop --plain").output.isEmpty)
  }

  @Test(
    "a price is no amount",
    arguments: [
      "got butter 2.29", "got butter 2,29", "got butter 2.29€", "buy butter 2.29 €",
      "put butter €3",
    ])
  func prices(command: String) throws {
    let nest = try Nest()
    try nest.prepare("stock new Butter 250g", "buy butter")
    let refused = try nest(command)
    #expect(refused.code == 2)
    #expect(refused.errors.contains("receipt save --shop SHOP --line"))
    #expect(try nest("shop --plain").records.map { [$0[0], $0[2]] } == [["open", "250"]])
  }

  @Test("a thousand with a point is asked about, as one with a comma", arguments: ["put", "count"])
  func thousands(verb: String) throws {
    let nest = try Nest()
    try nest.prepare("stock new Juice 500ml")
    #expect(try nest("\(verb) juice 1.000 ml").errors.contains("this may be 1 or 1000"))
    #expect(try nest("\(verb) juice 0.250").errors.contains("how much of Juice?"))
    #expect(try nest("\(verb) juice 2.29").errors.contains("how much of Juice?"))
    for amount in ["1.500 ml", "1.500", "'1.500' --unit ml"] {
      #expect(try nest("\(verb) juice \(amount)").errors.contains("this may be 1.5 or 1500"))
    }
    try nest.prepare("\(verb) juice 1.250l")
  }
}
