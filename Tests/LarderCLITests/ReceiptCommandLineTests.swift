import TestSupport
import Testing

@testable import LarderCLI

@Suite("The lines of receipts as they are typed")
struct ReceiptCommandLineTests {
  private func shop() throws -> Nest {
    let nest = try Nest()
    try nest.prepare(
      "stock new Eggs 6 --full 12", "stock new Milk 2l --full 6l", "stock new Rice 500g",
      "shop buy milk eggs", "buy 'Birthday candles' 3")
    return nest
  }

  private func list(_ nest: Nest) throws -> [String] {
    try nest("shop --plain").records.map { $0[1] }
  }

  @Test("receipts are listed from a day on, and what nobody said was paid is the sum of the lines")
  func since() throws {
    let nest = try shop()
    try nest.prepare(
      "receipt save --shop Old --line tofu@3 --at 2026-10-31",
      "receipt save --shop Spar --line milk=1@@2 --at 2026-11-01",
      "receipt save --shop Rewe --line milk=1@@2.50 --amount 2.50 --at 2026-11-18")
    func shops(_ since: String) throws -> [String] {
      try nest("receipt list --since \(since) --plain").records.map { $0[1] }
    }
    #expect(try shops("2026-11") == ["Rewe", "Spar"])
    #expect(try shops("'nov 2026'") == ["Rewe", "Spar"])
    #expect(try shops("7d") == ["Rewe"])
    #expect(try shops("'3 weeks ago'") == ["Rewe", "Spar", "Old"])
    #expect(
      try nest.atTerminal("--no-color receipt list --since 2026-11").screen
        .contains("Together: 4.50"))
    #expect(try nest("log --oneline --since 1w").output.contains("Rewe"))
  }
}
