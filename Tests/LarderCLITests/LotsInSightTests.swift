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

  @Test("two devices that use one litre apart have nine of eleven, and no line below zero")
  func apart() throws {
    let pair = try Pair(
      "stock new Milk --in-stock 10l", "put milk 1l --expiry 2026-11-24 --lot A")
    try pair.prepare("laptop", "use milk 1l")
    try pair.prepare("phone", "use milk 1l")
    try pair.settle()
    for device in ["laptop", "phone"] {
      let shown = try pair.output(device, "show milk")
      #expect(shown.contains("9 l"))
      #expect(!shown.contains("-1 l"))
    }
    try pair.prepare("laptop", "put milk 2l --expiry 2026-11-25")
    try pair.prepare("phone", "put milk 1l --lot Z", "use milk 2l")
    try pair.settle()
    #expect(try pair("phone", "stock list milk --plain").records.first?[1] == "10")
    try pair.prepare("phone", "use milk all")
    try pair.settle()
    #expect(try pair("laptop", "stock list milk --plain").records.first?[1] == "0")
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

  @Test("the history says which part changed, also an undated one and the loose stock")
  func parts() throws {
    let nest = try Nest()
    try nest.prepare(
      "location new Freezer", "stock new Tea 50g", "put tea 100g --location freezer",
      "put tea 10g --lot L7", "put tea 100g", "use tea 20g --batch freezer")
    let log = try nest("log").output
    #expect(log.contains("    Tea (undated batch, Freezer): 100 g → 80 g\n"))
    #expect(log.contains("    new batch Tea (batch of L7): 10 g\n"))
    #expect(log.contains("    Tea: loose 50 g → 150 g\n"))
    #expect(try nest("undo").output.contains("  Tea (undated batch, Freezer): 80 g → 100 g\n"))
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
    #expect(try pair("phone", "stock list tofu --plain").records.first?[1] == "-300")
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
