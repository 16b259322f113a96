import TestSupport
import Testing

@testable import LarderCLI

@Suite("Receipt lines that count for nothing until somebody says so")
struct ReceiptCountingTests {
  private static let text = """
    Corner
    EIER FREILAND 10ER      2,99
    TOILETTENPAPIER 8X200   3,99
    BANANE                  1,91
      0,956 kg x 2,00 EUR/kg
    HAFERMILCH 1L           2,00
      2 x 1,00
    VITTEL 1.50             0,90
    TOTAL                  11,79
    20.11.2026 10:00
    """

  private func read(_ lines: String...) throws -> Nest {
    let nest = try Nest()
    try nest.prepare("put Eggs 6 Bananas 2 --new", "stock edit Bananas --alias Banane")
    let told = try nest("receipt read -", input: Self.text)
    try #require(told.code == 0, "\(told.errors)")
    for line in lines { try nest.prepare(line) }
    return nest
  }

  private func total(_ item: String, in nest: Nest) throws -> String? {
    try nest("stock list --plain").records.first { $0[0] == item }?[1]
  }

  private static let alias = "stock edit eggs --alias 'EIER FREILAND 10ER' --keeps 28d"

  @Test(
    "a line whose name is known now counts once it is named, in the printed amount or the typed one",
    arguments: [("", "16"), ("=10", "16"), ("=10@2.99", "16"), ("=12 --new", "18")])
  func named(amount: String, total: String) throws {
    let nest = try read(Self.alias)
    let words = amount.split(separator: " ", maxSplits: 1)
    let line = "'EIER FREILAND 10ER\(words.first ?? "")' \(words.dropFirst().joined())"
    let edited = try nest("receipt edit corner --line \(line)")
    #expect(edited.code == 0, "\(edited.errors)")
    #expect(try self.total("Eggs", in: nest) == total)
    #expect(try nest("stock list --batches --plain").output.contains("2026-12-18"))
    try nest.prepare("receipt edit corner --line \(line)")
    #expect(try self.total("Eggs", in: nest) == total)
    #expect(try nest("check").code == 0)
  }

  @Test("the hint that makes items of many lines does so on a terminal, too")
  func hintAtTerminal() throws {
    let nest = try Nest()
    let read = try nest(
      "receipt save --shop Corner --line Fig=1 --line Plum=1 --line Kale=1 --line Leek=1")
    try #require(read.code == 0, "\(read.errors)")
    let command = try #require(read.errors.firstMatch(of: /'larder (receipt edit .* --new)'/)?.1)
    let made = try nest.atTerminal("--no-color \(command)", editor: "false")
    #expect(made.code == 0, "\(made.screen)")
    for thing in ["Fig", "Plum", "Kale", "Leek"] { #expect(try total(thing, in: nest) == "1") }
  }

  @Test("in the form, another name says what a line is, is learnt, and counts what is printed")
  func renamed() throws {
    let nest = try read("stock edit eggs --keeps 28d")
    let edited = try nest.atTerminal(
      "--no-color receipt edit corner",
      editor: "sed -i.bak -e 's/^1 \"*EIER FREILAND 10ER\"*/1 Eggs/'")
    #expect(edited.code == 0, "\(edited.screen)")
    #expect(try total("Eggs", in: nest) == "16")
    let item = try nest("stock list eggs --json").array("items")[0]
    #expect(item["aliases"] as? [String] == ["EIER FREILAND 10ER"])
    #expect(try nest("stock list eggs --plain").output.contains("2026-12-18"))
    let next = try nest(
      "receipt read -", input: "Corner\nEIER FREILAND 10ER 2,99\nTOTAL 2,99\n21.11.2026 9:00\n")
    #expect(next.code == 0, "\(next.errors)")
    #expect(try total("Eggs", in: nest) == "26")
  }

  @Test("a form that is saved as it was counts nothing, and a changed line counts in any case")
  func form() throws {
    let nest = try read(Self.alias)
    let commits = try nest.subjects().count
    let left = try nest.atTerminal("--no-color receipt edit corner --new", editor: "true")
    #expect(left.screen.contains("is as it was"), "\(left.screen)")
    #expect(try nest.subjects().count == commits)
    try #require(
      try nest.atTerminal(
        "--no-color receipt edit corner --new",
        editor: "sed -i.bak -e 's/^1 \\(.*EIER\\)/10 \\1/' -e 's/^1 \\(.*TOIL\\)/8 \\1/'"
      ).code == 0)
    #expect(try total("Eggs", in: nest) == "16")
    #expect(try total("TOILETTENPAPIER 8X200", in: nest) == "8")
    #expect(try total("VITTEL", in: nest) == nil)
  }

  @Test("a table in which somebody changed a line counts it by the same rule")
  func imported() throws {
    let nest = try read(Self.alias)
    let table = try nest("export csv receipts").output
    try nest.prepare("export csv receipts")
    try nest.write(table, to: "../table.csv")
    try nest.prepare("import csv ../table.csv --kind receipts")
    #expect(try total("Eggs", in: nest) == "6")
    let rows = table.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let changed = rows.map { row in
      row.contains("EIER FREILAND 10ER")
        ? row.replacing("EIER FREILAND 10ER,1,", with: "EIER FREILAND 10ER,10,") : row
    }
    try #require(changed != rows, "\(table)")
    try nest.write(changed.joined(separator: "\n"), to: "../table.csv")
    try nest.prepare("import csv ../table.csv --kind receipts")
    #expect(try total("Eggs", in: nest) == "16")
    #expect(try nest("stock list eggs --plain").output.contains("2026-12-18"))
  }
}
