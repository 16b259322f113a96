import TestSupport
import Testing

@testable import LarderCLI

@Suite("The stock's commands")
struct StockCommandTests {
  @Test("an item is found by its name, a part of it, a barcode, its file, and either end of its id")
  func naming() throws {
    let nest = try Nest()
    try nest.prepare(
      "stock new 'Crème fraîche' --product 4006381333931", "stock new Milk", "stock new 'Oat milk'",
      "stock new 'Straße 7'")
    let creme = try #require(try nest("stock list creme --json").array("items").first)
    let id = try #require(creme["id"] as? String)
    let path = try #require(creme["path"] as? String)
    let file = path.split(separator: "/").last.map(String.init) ?? ""
    for words in [
      "'Crème fraîche'", "'CREME  FRAICHE'", "fraich", "4006381333931", "ean_4006381333931", path,
      file, "./\(path)", nest.larder.folder("nest/\(path)"), id, id.uppercased(),
      String(id.dropLast(3)), String(id.suffix(6)),
    ] {
      let found = try nest("stock show \(words) --plain").records.first
      #expect(found == ["name", "Crème fraîche"], "\(words)")
    }
    #expect(try nest("stock show strasse --plain").records.first?.last == "Straße 7")
    // An exact name beats a part of another.
    #expect(try nest("stock show milk --plain").records.first?.last == "Milk")
    #expect(try nest("stock show mil --json").errorKind() == "ambiguous")
    #expect(try nest("stock show ilk").code == 3)
    #expect(try nest("stock show stock/none.json").code == 3)
    #expect(try nest("stock show ''").code == 3)
    try nest.prepare("stock archive milk")
    // An archived one is found by those who look for it, and by its part only where nothing lives.
    #expect(try nest("stock show milk --plain").records.first?.last == "Milk")
    #expect(
      try nest("stock put milk 1").errors.contains(
        "did you mean 'larder stock put \"Oat milk\" 1'?"))
    try nest.prepare("stock new Milk")
    #expect(try nest("stock restore milk").code == 1)
    #expect(try nest("stock --plain").records.count == 4)
  }

  @Test("at a terminal the stock has colours and bars, and changing many items asks")
  func terminal() throws {
    let nest = try Nest()
    try nest.prepare(
      "stock new Eggs --full 12 --in-stock 3", "stock new Milk --unit l --full 6 --in-stock 6",
      "stock new Tea --full 2")
    let list = try nest.atTerminal("stock")
    #expect(list.screen.contains("\u{1B}[33m██░░░░░░\u{1B}[0m"))
    #expect(list.screen.contains("\u{1B}[32m████████\u{1B}[0m"))
    #expect(list.screen.contains("\u{1B}[31m0\u{1B}[0m"))
    let refused = try nest.atTerminal("stock edit is:low milk: --full 1", typing: "n\n")
    #expect(refused.code == 2)
    let no = try nest.atTerminal("stock edit eggs milk tea --full 1", typing: "n\n")
    #expect(no.code == 1)
    #expect(no.screen.contains("Milk: full stock 6 → 1"))
    #expect(no.screen.contains("Change 3 items? [y/N]"))
    #expect(try nest("stock list milk --plain").records.first?[3] == "6")
    #expect(try nest.atTerminal("stock edit eggs milk tea --full 1", typing: "y\n").code == 0)
    #expect(try nest("stock list milk --plain").records.first?[3] == "1")
  }

  @Test("an item alone opens in the editor, and what was written there is adopted")
  func editor() throws {
    let nest = try Nest()
    try nest.prepare("stock new Eggs --full 12 --in-stock 3")
    let changed = try nest.atTerminal(
      "stock edit eggs",
      editor: "sed -i.bak 's/\"quantityFullStock\": 12/\"quantityFullStock\": 18/'")
    #expect(changed.code == 0)
    #expect(changed.screen == "Eggs: full stock 12 → 18\n")
    #expect(try nest.atTerminal("stock edit eggs", editor: "true").screen == "Eggs is as it was\n")
    #expect(try nest.atTerminal("stock edit eggs", editor: "false").code == 1)
    #expect(try nest.atTerminal("stock edit category:x", editor: "true").code == 2)
  }

  @Test("without a household every verb fails with a hint, before it asks for anything")
  func noHousehold() throws {
    let larder = try CommandRunner()
    for line in [
      "stock", "stock low", "stocktake --print", "stock new X", "stock show x",
      "stock edit x --full 1",
      "stock archive x",
      "stock restore x", "stock put x 1", "stock use x", "stock count x 1", "stock discard x",
      "shop", "shop buy x", "shop got x", "shop undone x", "shop edit x 1", "shop remove x",
      "shop restore x", "shop fill", "receipt", "receipt show x", "receipt save --shop x",
      "receipt edit x --amount 1", "receipt void x", "receipt restore x",
      "location", "location new x", "location edit x --name y", "location archive x",
      "location restore x", "product", "product show x", "product new x --title y",
      "product edit x --brand y", "product archive x", "product restore x", "spending", "prices",
      "prices x", "waste", "report", "serve", "serve --phones",
      "export csv",
      "export json", "export hledger", "export todo.txt", "export ics",
    ] {
      let outcome = try larder.run(shellWords(line))
      #expect(outcome.code == 3, "\(line): \(outcome.errors)")
      #expect(outcome.errors.contains("hint: "), "\(line)")
      #expect(outcome.output.isEmpty, "\(line)")
    }
  }
}
