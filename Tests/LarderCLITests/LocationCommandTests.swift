import TestSupport
import Testing

@testable import LarderCLI

@Suite("The locations' commands")
struct LocationCommandTests {
  /// A household with oat milk in a fridge: a lot that has expired and one that keeps, a used-up lot
  /// and a discarded one.
  static func stocked() throws -> Nest {
    let nest = try Nest()
    try nest.prepare("stock new 'Oat milk' --unit l", "location new Fridge --cold")
    let item = try #require(try nest("stock --json").array("items").first?["id"] as? String)
    let place = try #require(try nest("location --json").array("items").first?["id"] as? String)
    for (name, day, amount, status) in [
      ("late", "2026-12-24", 2, "active"), ("early", "2026-11-20", 1, "active"),
      ("empty", "2026-10-01", 0, "active"), ("gone", "2026-09-01", 1, "discarded"),
    ] {
      try nest.write(
        """
        {"productRef": {"productId": "\(item)"}, "quantity": {"value": \(amount), "unit": "liter"},
         "storageLocationId": "\(place)", "status": "\(status)",
         "expiryInfo": {"kind": "expiry", "isoDate": "\(day)"}}
        """, to: "batches/\(name).json")
    }
    try nest.prepare("adopt")
    return nest
  }

  @Test("lists count what there is something of, in JSON and plain output too")
  func lists() throws {
    let nest = try Self.stocked()
    try nest.prepare("location new Cellar")
    let items = try nest("location --json").array("items")
    #expect(items.map { $0["name"] as? String } == ["Cellar", "Fridge"])
    #expect(items.map { $0["batchCount"] as? Int } == [0, 2])
    #expect(items.map { $0["expiry"] as? String } == [nil, "2026-11-20"])
    #expect(items.map { $0["isColdStorage"] as? Bool } == [false, true])
    #expect(
      try nest("location --plain").records.map { Array($0.prefix(4)) }
        == [["Cellar", "no", "0", ""], ["Fridge", "yes", "2", "2026-11-20"]])
    #expect(try nest("location list is:expired --plain").records.map { $0[0] } == ["Fridge"])
    #expect(try nest("location list --sort batches- --limit 1 --plain").records.count == 1)
    #expect(try nest.atTerminal("location").screen.contains("\u{1B}[31m2026-11-20\u{1B}[0m"))
  }

  @Test("a new location has the household's id, and undo and redo archive it and bring it back")
  func undone() throws {
    let nest = try Nest()
    try nest.prepare("location new Fridge --cold")
    let own = try nest.read("household.json").firstMatch(of: /"id": "([^"]+)"/)?.1
    let file = try nest.read(try nest.path("locations", "fridge"))
    #expect(file.contains("\"householdId\": \"\(own ?? "none")\""))
    #expect(file.contains("\"isColdStorage\": true"))
    try nest.prepare("undo")
    #expect(try nest("location --plain").records.isEmpty)
    try nest.prepare("redo")
    #expect(try nest("location --plain").records.first?.first == "Fridge")
    #expect(try nest.subjects().count == 4)
  }
}
