import Foundation
import TestSupport
import Testing

@testable import LarderCLI

@Suite("The batches' commands")
struct BatchCommandTests {
  /// A household with milk, loose jam, two places and a catalogue.
  static func shelf() throws -> Nest {
    let nest = try Nest()
    try nest.write(
      """
      {"id": "ean_5032987400110", "title": "Whole Milk", "unit": "liter", "packSize": 1,
       "barcodes": ["5032987400110"], "bestAfterOpeningDays": 3}
      """, to: "products/whole-milk.json")
    try nest.write(#"{"name": "Fridge", "isColdStorage": true}"#, to: "locations/fridge.json")
    try nest.write(#"{"name": "Cellar"}"#, to: "locations/cellar.json")
    try nest.prepare(
      "adopt", "stock new Milk --unit l --full 6 --product 5032987400110",
      "stock new Jam --in-stock 3")
    return nest
  }

  @Test("a change is refused where the batch is not as the caller saw it")
  func versions() throws {
    let nest = try Self.shelf()
    let added = try nest("stock put milk 2 --expiry 2026-12-01 --json").json()
    let changed = try #require(added["changed"] as? [[String: Any]])
    let path = try #require(changed.first?["path"] as? String)
    let version = try #require(
      try nest.read(path).firstMatch(of: /"updatedAt": "([^"]+)"/)?.1)
    try nest.prepare("stock use milk 1")
    let refused = try nest("stock move '\(path)' cellar --unchanged-since \(version)")
    #expect(refused.code == 1)
    #expect(refused.errors.contains("it changed at"))
    #expect(try nest("stock move '\(path)' cellar --unchanged-since never").code == 2)
    let newer = try #require(try nest.read(path).firstMatch(of: /"updatedAt": "([^"]+)"/)?.1)
    #expect(try nest("stock move '\(path)' cellar --unchanged-since \(newer)").code == 0)
  }

  @Test("on a terminal what is due is drawn along the days")
  func timeline() throws {
    let nest = try Self.shelf()
    try nest.prepare("stock put milk 2 --expiry 2026-11-24 --location fridge")
    let drawn = try nest.atTerminal("stock due --days 7 --no-color").screen
    #expect(drawn.contains("SSMTWTFS"))
    #expect(drawn.contains(" ───● "))
  }
}
