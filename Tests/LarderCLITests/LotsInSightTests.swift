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
      "stock consume milk 2 --batch A")
    let path = try nest.path("batches", "milk")
    let text = try nest.read(path)
    let start = try #require(text.range(of: "\"changes\": [\n"))
    try nest.write(
      text.replacingCharacters(
        in: start,
        with: "\"changes\": [\n    { \"delta\": -1, \"unit\": \"liter\", \"why\": \"consume\" },\n"),
      to: path)
    return nest
  }

  @Test("a lot below zero is listed, checked, and taken into account by what is used")
  func belowZero() throws {
    let nest = try overdrawn()
    #expect(try nest("stock list milk --plain").records[0][1] == "2")
    #expect(try nest("stock list --batches").output.contains("-1 l"))
    #expect(try nest("show milk").output.contains("-1 l"))
    #expect(try nest("check").output.contains("-1 l is less than nothing"))
    let refused = try nest("use milk 3")
    #expect(refused.errors.contains("can't take 3 l of Milk: only 2 l left"))
    #expect(try nest("use milk 3 --partial").output.contains("used 2 l of Milk"))
    #expect(try nest("stock list milk --plain").records[0][1] == "0")
    #expect(try nest("use milk all").errors.contains("there is no Milk"))
  }

  @Test("the history says which part changed, also an undated one and the loose stock")
  func parts() throws {
    let nest = try Nest()
    try nest.prepare(
      "location new Freezer", "stock new Tea 50g", "put tea 100g --location freezer",
      "put tea 10g --lot L7", "put tea 100g", "use tea 20g --batch freezer")
    let log = try nest("log").output
    #expect(log.contains("    Tea (undated lot, Freezer): 100 g → 80 g\n"))
    #expect(log.contains("    new batch Tea (lot of L7): 10 g\n"))
    #expect(log.contains("    Tea: loose 50 g → 150 g\n"))
    #expect(try nest("undo").output.contains("  Tea (undated lot, Freezer): 80 g → 100 g\n"))
    try nest.prepare("stock new Salt 1kg", "use salt 100g")
    #expect(try nest("log -n 1").output.contains("    Salt: 1 kg → 0.9 kg\n"))
  }

  @Test("with --all the list of batches has what is gone")
  func gone() throws {
    let nest = try Nest()
    try nest.prepare(
      "stock new Milk", "put milk 1 --expiry 2026-12-01", "put milk 1 --expiry 2026-12-02",
      "use milk")
    #expect(try nest("stock list --batches").output.contains("2026-12-01") == false)
    let all = try nest("stock list --batches --all").output
    #expect(all.contains("2026-12-01"))
    #expect(all.contains("used up"))
  }

  @Test("of one day, what is open is used first")
  func openFirst() throws {
    let nest = try Nest()
    try nest.prepare(
      "stock new Milk --unit l", "put milk 1 --expiry 2026-12-01 --lot A",
      "put milk 1 --expiry 2026-12-01 --lot B", "stock open 'milk B'")
    #expect(try nest("use milk 0.5").output.contains("B"))
  }

  @Test("a second part moves too, and what is there already goes last")
  func again() throws {
    let nest = try Nest()
    try nest.prepare("stock new Bread 2", "location new Freezer --cold")
    for _ in 1...2 {
      #expect(
        try nest("stock move bread freezer 0.5").output == "moved 0.5 of Bread to Freezer\n")
    }
    #expect(try nest("stock move bread freezer").output == "moved 1 of Bread to Freezer\n")
    #expect(try nest("stock move bread freezer").errors.contains("it is there already"))
  }

  @Test("a count empties batches below zero, so that nothing is hidden in them")
  func hidden() throws {
    let pair = try Pair("stock new Tofu", "put tofu 400 --expiry 2026-11-24")
    try pair.prepare("laptop", "use tofu 300")
    try pair.prepare("phone", "use tofu 400")
    try pair.settle(finding: 1)
    try pair.prepare("laptop", "count tofu 100")
    try pair.settle()
    #expect(try pair("phone", "stock list tofu --plain").records.first?[1] == "100")
    try pair.prepare("phone", "count tofu 0 --batch 2026-11-24")
    #expect(try pair("phone", "stock list tofu --plain").records.first?[1] == "100")
  }

  @Test("between warm and cold a move may say another day, or says that the old one stands")
  func cold() throws {
    let nest = try Nest()
    try nest.prepare(
      "stock new Bread", "location new Box", "location new Freezer --cold",
      "put bread 3 --expiry 2026-11-25 --location box")
    let kept = try nest("stock move bread freezer 1")
    #expect(
      kept.errors.contains(
        "its day is still 2026-11-25; --expiry DAY gives it another one for Freezer"))
    let dated = try nest("stock move 'bread box' freezer 1 --expiry 2027-02-01")
    #expect(dated.errors.isEmpty)
    #expect(dated.output.contains("2027-02-01"))
    let days = try nest("stock list --batches --plain").records.map { [$0[1], $0[3], $0[4]] }
    #expect(
      days.sorted { $0[1] < $1[1] || $0[1] == $1[1] && $0[2] < $1[2] }
        == [
          ["1", "2026-11-25", "Box"], ["1", "2026-11-25", "Freezer"],
          ["1", "2027-02-01", "Freezer"],
        ])
  }
}
