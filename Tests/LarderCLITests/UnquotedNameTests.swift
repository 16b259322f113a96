import TestSupport
import Testing

@testable import LarderCLI

@Suite("Names of several words without quotes")
struct UnquotedNameTests {
  private func nest() throws -> Nest {
    let nest = try Nest()
    try nest.prepare(
      "stock new 'Oat milk' 2l", "stock new Milk 1l", "stock new Oats 500g",
      "location new Fridge --cold", "location new 'Deep freezer' --cold")
    return nest
  }

  @Test("one name takes all the words behind it", arguments: ["show", "stock summary", "log"])
  func single(command: String) throws {
    let nest = try nest()
    let shown = try nest("\(command) oat milk")
    #expect(shown.code == 0, "\(shown.errors)")
    #expect(shown.output.contains("Oat milk"))
  }
}
