import Foundation
import TestSupport
import Testing

@testable import LarderCLI

@Suite("Batches add up in sight")
struct LotsInSightTests {
  /// Two devices that each use the last two of one lot, while something lies loose.
  private func overdrawn() throws -> Nest {
    let nest = try Nest()
    try nest.prepare(
      "stock new Milk --in-stock 3l", "put milk 2 --expiry 2026-12-01 --lot A",
      "stock use milk 2 --batch A")
    try nest.overdraw()
    return nest
  }

  @Test("what a lot lacks is read as taken from the others, by every list and command")
  func belowZero() throws {
    let nest = try overdrawn()
    #expect(try nest("stock list milk --plain").records[0][1] == "2")
    for list in ["stock list --batches", "show milk"] {
      #expect(!(try nest(list).output.contains("-1 l")))
    }
    #expect(try nest("stock list --batches --plain").records.isEmpty)
    #expect(try nest("show milk --json").output.contains(#""quantityLoose": 2"#))
    #expect(try nest("check").code == 0)
    let refused = try nest("use milk 3")
    #expect(refused.errors.contains("can't take 3 l of Milk: only 2 l left"))
    #expect(try nest("use milk 3 --partial").output.contains("used 2 l of Milk"))
    #expect(try nest("stock list milk --plain").records[0][1] == "0")
    #expect(try nest("use milk all").errors.contains("there is no Milk"))
  }

  @Test(
    "what changes one lot changes nothing of the others, though one of them lacks something",
    arguments: [
      ("count 'milk B' 3", "5.5"), ("count 'milk A' 0", "4"), ("count 'milk A' 1", "5"),
      ("stock archive milk --batch A", "4"), ("stock archive milk --batch B", "2.5"),
      ("stock edit milk --batch B --expiry 2027-12-01", "4"),
      ("put milk 2 --expiry 2026-11-25 --lot C", "6"), ("put milk 2", "6"), ("count milk 4", "4"),
      ("count milk 1", "1"), ("stock move 'milk B' cellar", "4"), ("use milk 3.5", "0.5"),
      ("stock discard 'milk B' all", "2.5"), ("stock open 'milk B'", "4"),
    ])
  func oneLot(command: String, total: String) throws {
    let nest = try Nest()
    // B has 2.5 l, of which A lacks one, and 2.5 l lie loose.
    try nest.prepare(
      "location new Cellar", "stock new Milk --in-stock 2.5l",
      "put milk 1 --expiry 2026-12-01 --lot A",
      "put milk 2.5 --expiry 2026-12-02 --lot B", "use milk 1 --batch A")
    try nest.overdraw()
    let before = try nest.lots()
    #expect(before == ["B": "1.5"])
    let done = try nest(command)
    #expect(done.code == 0, "\(done.errors)")
    #expect(try nest("stock list milk --plain").records[0][1] == total)
    let after = try nest.lots()
    if !command.contains("milk B"), !["count milk 1", "use milk 3.5"].contains(command),
      !command.contains("--batch B")
    {
      #expect(after["B"] == "1.5", "\(after)")
    }
    if command.hasPrefix("count 'milk B'") { #expect(after["B"] == "3") }
    #expect(try nest("check").code == 0)
  }
}

extension Nest {
  /// Writes one litre more as used into the file of the lot A, as two devices do that use it apart.
  fileprivate func overdraw() throws {
    let listed = try self("stock list --batches --all --json").array("items")
    let lot = try #require(listed.first { $0["lotOrBatchCode"] as? String == "A" })
    let path = try #require(lot["path"] as? String)
    let text = try read(path)
    let start = try #require(text.range(of: "\"changes\": [\n"))
    try write(
      text.replacingCharacters(
        in: start,
        with: "\"changes\": [\n    { \"delta\": -1, \"unit\": \"liter\", \"why\": \"consume\" },\n"),
      to: path)
  }

  /// What is there of each lot, by its code.
  fileprivate func lots() throws -> [String: String] {
    let rows = try self("stock list --batches --plain").records.map { ($0[5], $0[1]) }
    return Dictionary(rows) { one, other in "\(one) and \(other)" }
  }
}
