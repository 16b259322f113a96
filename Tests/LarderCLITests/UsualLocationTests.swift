import TestSupport
import Testing

@testable import LarderCLI

@Suite("The location where an item is put")
struct UsualLocationTests {
  private func nest() throws -> Nest {
    let nest = try Nest()
    try nest.prepare(
      "location new Fridge --cold", "location new Cellar",
      "stock new Milk --unit liter --place fridge",
      "stock new Bread")
    return nest
  }

  private func lots(_ nest: Nest) throws -> [String] {
    try nest("stock list --batches --plain").records.map { "\($0[0]) \($0[1]) \($0[4])" }
  }

  @Test("what comes without a location goes there, with or without a date")
  func comes() throws {
    let nest = try nest()
    try nest.prepare(
      "put milk 2l bread 1", "put milk 1l --expiry +5d", "put milk 3l --location cellar")
    #expect(
      try lots(nest).sorted() == ["Milk 1 Fridge", "Milk 2 Fridge", "Milk 3 Cellar"])
    #expect(try nest("stock show milk").output.contains("usual location: Fridge"))
    #expect(try nest("stock list --plain").records.map { $0[1] } == ["1", "6"])
  }

  @Test("a receipt's line goes there, unless it says another location")
  func receipts() throws {
    let nest = try nest()
    try nest.prepare(
      "receipt save --shop Hof --line milk=2l@3 --line bread=1@2",
      "receipt save --shop Tor --line milk=1l@2 --location milk=cellar")
    #expect(try lots(nest).sorted() == ["Milk 1 Cellar", "Milk 2 Fridge"])
  }

  @Test("a new item with an amount lies there; without one, nothing does")
  func new() throws {
    let nest = try nest()
    #expect(try lots(nest).isEmpty)
    try nest.prepare("stock new Tea 2 --place cellar")
    #expect(try lots(nest) == ["Tea 2 Cellar"])
  }

  @Test("it can be changed and taken off; an archived location is none; an unknown one is refused")
  func changes() throws {
    let nest = try nest()
    #expect(
      try nest("stock edit milk --place attic").errors.contains("no location is called 'attic'"))
    try nest.prepare(
      "stock edit milk --place cellar", "put milk 1l", "stock edit milk --place ''", "put milk 2l")
    #expect(try lots(nest) == ["Milk 1 Cellar"])
    try nest.prepare("stock edit bread --place fridge", "location archive fridge", "put bread 1")
    #expect(try lots(nest) == ["Milk 1 Cellar"])
    #expect(try nest("stock list bread --plain").records.map { $0[1] } == ["1"])
  }

  @Test("a merged item keeps it, a table has it")
  func elsewhere() throws {
    let nest = try nest()
    try nest.prepare("stock new 'Whole milk' 1l", "stock merge 'whole milk' milk")
    #expect(try nest("stock show 'whole milk'").output.contains("usual location: Fridge"))
    #expect(try nest("export csv").output.contains(",Fridge,"))
  }
}
