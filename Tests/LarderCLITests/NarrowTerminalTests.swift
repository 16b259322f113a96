import TestSupport
import Testing

@testable import LarderCLI

@Suite("Lists on narrow terminals")
struct NarrowTerminalTests {
  private static let lists = [
    "stock", "stock list --batches", "stock list --batches --all", "due 30", "stock expired",
    "shop",
    "receipt list", "location", "product", "show 'Semi-skimmed organic milk'", "low",
    "receipt show aldi",
  ]

  private func kitchen() throws -> Nest {
    let nest = try Nest()
    try nest.prepare(
      "location new 'Fridge in the cellar' 'Chest freezer'",
      "stock new 'Semi-skimmed organic milk' --unit liter --full 12.5 --category 'Dairy and eggs'",
      "stock new Eggs 6 --full 12 --minimum 8",
      "stock put 'Semi-skimmed organic milk' 1.25 --expiry 2026-12-01 --location fridge --lot LOT-2026-A7",
      "stock put 'Semi-skimmed organic milk' 0.75 --expiry 2026-11-20 --location chest",
      "stock open 'semi-skimmed 2026-12-01'",
      "product new 5032987400110 --title 'Whole organic milk' --item semi --pack-size 1l --brand Farmhouse",
      "receipt save --shop 'Aldi' --line 'Semi-skimmed organic milk=2@@3.58' --line eggs=12@@2.99 --amount 6.57",
      "receipt save --shop 'Greenway Market in the village' --line eggs=12@@2.99 --amount 2.99",
      "buy 'birthday candles' 3")
    return nest
  }

  @Test(
    "no line is wider than the terminal, and no date or amount is cut",
    arguments: [40, 60, 80, 120])
  func fits(_ width: Int) throws {
    let nest = try kitchen()
    for list in Self.lists {
      let screen = try nest.atTerminal(list, with: ["COLUMNS": "\(width)", "NO_COLOR": "1"]).screen
      // Below an item's batches is its history, in sentences.
      let table = screen.split(separator: "\n").prefix { !$0.contains("'larder") }
      let rows = table.filter { !$0.hasPrefix("  ") && !$0.contains(", laptop") }
      #expect(!rows.isEmpty, "\(list)\n\(screen)")
      for line in rows {
        #expect(displayWidth(String(line)) <= width, "\(list): \(line)")
        let cut = line.split(separator: " ").filter { $0.hasSuffix("…") }
        #expect(!cut.contains { $0.first?.isNumber ?? false }, "\(list)\n\(screen)")
      }
    }
  }

  @Test("sentences are broken between words, and never within a command that may be pasted")
  func sentences() throws {
    let nest = try kitchen()
    let variables = ["COLUMNS": "40", "NO_COLOR": "1"]
    let screen =
      try nest.atTerminal("use 'birthday candles' 2", with: variables).screen
      + nest.atTerminal("spending 'semi-skimmed organic milk'", with: variables).screen
    let lines = screen.split(whereSeparator: \.isNewline).map(String.init)
    for line in lines where !line.contains("'larder") {
      #expect(displayWidth(line) <= 40, "\(screen)")
    }
    #expect(screen.contains("'larder prices \"semi-skimmed organic milk\"'"), "\(screen)")
    #expect(
      folded("a b 'larder use \\'x\\ y 1' c d", width: 6) == "a b\n  'larder use \\'x\\ y 1'\n  c d"
    )
  }

  @Test("dates stay, and the files go first")
  func batches() throws {
    let nest = try kitchen()
    for width in [40, 60, 80, 160] {
      let screen = try nest.atTerminal(
        "stock list --batches", with: ["COLUMNS": "\(width)", "NO_COLOR": "1"]
      ).screen
      #expect(screen.contains("2026-12-01"))
      #expect(screen.contains("1.25 l"))
      #expect(screen.contains("batches/") == (width == 160))
    }
  }

  @Test("the remarks of the stocktake's sheet and of a receipt's form are at most 80 wide")
  func remarks() throws {
    let nest = try kitchen()
    let sheet = try nest("stocktake --print").output
    let form = try nest.atTerminal("receipt save", editor: "cat").screen
    for text in [sheet, form] {
      let remarks = text.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("#") }
      #expect(remarks.count > 3, "\(text)")
      #expect(remarks.allSatisfy { displayWidth(String($0)) <= 80 }, "\(text)")
    }
  }
}
