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

  @Test("a merged item keeps it, a table has it")
  func elsewhere() throws {
    let nest = try nest()
    try nest.prepare("stock new 'Whole milk' 1l", "stock merge 'whole milk' milk")
    #expect(try nest("stock show 'whole milk'").output.contains("usual location: Fridge"))
    #expect(try nest("export csv").output.contains(",Fridge,"))
  }
}
