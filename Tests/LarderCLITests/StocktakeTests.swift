import Foundation
import TestSupport
import Testing

@Suite("The stocktake")
struct StocktakeTests {
  private func kitchen() throws -> Nest {
    let nest = try Nest()
    try nest.prepare(
      "location new Fridge Freezer Cellar", "stock new Flour 2.5kg --category Baking",
      "stock new Eggs 3", "stock new Bread 2", "stock new 'Tinned tomatoes' 4 tins",
      "put bread 2 --expiry 2026-12-01 --location freezer",
      "put bread 1 --location freezer", "put bread 1 --location cellar")
    return nest
  }

  private func total(_ item: String, in nest: Nest) throws -> String? {
    try nest("stock list '\(item)' --plain").records.first?[1]
  }

  @Test("makes an item of an added thing that nobody knows, if that is said or agreed to")
  func newItems() throws {
    let nest = try kitchen()
    let sheet = "3 Pears\n500 g quark\nFreezer:\n2 pears\n"
    let refused = try nest("stocktake", input: sheet)
    #expect(refused.code == 5)
    #expect(refused.errors.contains("hint: --new makes them items of the stock"), "\(refused)")
    #expect(try nest("stock list pears --plain").output.isEmpty)
    let made = try nest("stocktake --new", input: "500 g quark\nFreezer:\n2 Pears\n")
    #expect(
      made.output == """
        counted 500 g of quark
        counted 2 of Pears (undated batch, Freezer), 2 in all

        """, "\(made)")
    #expect(try nest.subjects().first == "stocktake: 500 g of quark, 2 of Pears")
    let asked = try nest.atTerminal(
      "stocktake", typing: "y\n", editor: "echo 4 Plums >>\"$1\"; true")
    #expect(asked.screen.contains("no item is called 'Plums'; make it?"), "\(asked.screen)")
    #expect(try total("plums", in: nest) == "4")
    // One mistake more, and nothing is made.
    #expect(try nest("stocktake --new", input: "2 Kiwis\nlots eggs\n").code == 5)
    #expect(try nest("stock list kiwis --plain").output.isEmpty)
  }

  @Test("opens the editor on a terminal, again after a mistake, and keeps what was written")
  func editor() throws {
    let nest = try kitchen()
    let counted = try nest.atTerminal(
      "stocktake", editor: "sed -i.bak 's/] 3  Eggs/x] 4  Eggs/; s/\\[ x/[x/'")
    #expect(counted.code == 0)
    #expect(counted.screen == "counted 4 of Eggs, 3 before\n")
    let unchanged = try nest.atTerminal("stocktake", editor: "true")
    #expect(unchanged.screen.hasPrefix("nothing was counted"))
    let kept = try nest.atTerminal(
      "stocktake", typing: "y\nn\n", editor: "sed -i.bak 's/] [a-z0-9]*  Eggs/] lots  Eggs/'")
    #expect(kept.code == 5)
    #expect(kept.screen.contains("/.git/larder/edit/stocktake.txt:9:5:"))
    #expect(kept.screen.components(separatedBy: "Edit again?").count == 3)
    let path = nest.larder.folder("nest/.git/larder/edit/stocktake.txt")
    #expect(kept.screen.contains("'larder stocktake < \(path)' counts it"))
    let mended = try nest.read(".git/larder/edit/stocktake.txt").replacing("lots", with: "9")
    #expect(
      try nest("stocktake --dry-run", input: mended).output == "counted 9 of Eggs, 4 before\n")
    #expect(try total("eggs", in: nest) == "4")
  }
}
