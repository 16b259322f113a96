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

  @Test("prints a sheet, and counts what is filled in on it, in one commit")
  func sheet() throws {
    let nest = try kitchen()
    let sheet = try nest("stocktake --print")
    #expect(sheet.code == 0)
    #expect(
      sheet.output.hasSuffix(
        """
        # Add a line for what is missing here, such as: 3 Eggs

        [ ] 6  Bread                  # 6, last counted 2026-11-21
        [ ] 3  Eggs                   # 3, last counted 2026-11-21
        [ ] 2.5 kg  Flour             # 2.5 kg, last counted 2026-11-21
        [ ] 4 tins  Tinned tomatoes   # 4 tins, last counted 2026-11-21

        """))
    let unchanged = try nest("stocktake", input: sheet.output)
    #expect(unchanged.code == 0)
    #expect(unchanged.errors.hasPrefix("nothing was counted"))
    let filled = sheet.output.replacing("[ ] 2.5 kg", with: "[ ] 2,2 kg")
      .replacing("[ ] 3  Eggs", with: "[x] 3  Eggs").replacing("[ ] 6", with: "[ ] 5")
    let counted = try nest("stocktake", input: filled)
    #expect(
      counted.output == """
        counted 5 of Bread, 6 before
        counted 3 of Eggs, as known
        counted 2.2 kg of Flour, 2.5 kg before

        """)
    #expect(try nest.subjects().first == "stocktake: 5 of Bread, 3 of Eggs, 2.2 kg of Flour")
    try nest.prepare("undo")
    #expect(try total("flour", in: nest) == "2.5")
    let json = try nest("stocktake --print --json").json()
    #expect((json["sheet"] as? String)?.contains("[ ] 3  Eggs") == true)
  }

  @Test("counts what was written, even if the stock changed since, and leaves the rest")
  func meanwhile() throws {
    let nest = try kitchen()
    let sheet = try nest("stocktake --print").output
    try nest.prepare("use flour 500g", "use eggs 1")
    try nest.prepare("stock edit tomatoes --name Tomatoes")
    let filled = sheet.replacing("[ ] 2.5 kg", with: "[ ] 2.2 kg")
    let counted = try nest("stocktake", input: filled)
    #expect(counted.output == "counted 2.2 kg of Flour, 2 kg before\n")
    #expect(try total("eggs", in: nest) == "2")
  }

  @Test("of a place with a name like a line of the sheet counts what lies there")
  func namedLikeLines() throws {
    let nest = try Nest()
    try nest.prepare(
      "location new '#1'", "location new '[x] 0 Flour'", "stock new 'Green tea' 10",
      "put 'green tea' 3 --location '#1'", "stock new Flour 2",
      "put flour 1 --location '[x] 0 Flour'")
    let sheet = try nest("stocktake '#1' '[x] 0 Flour' --print").output
    #expect(sheet.contains("\"#1\":\n"))
    #expect(try nest("stocktake", input: sheet).errors.hasPrefix("nothing was counted"))
    let counted = try nest("stocktake", input: sheet.replacing("[ ] 3 ", with: "[ ] 2 "))
    #expect(counted.output == "counted 2 of Green tea (undated batch, #1), 12 in all\n")
    #expect(try total("flour", in: nest) == "3")
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

  @Test("takes added lines as people write them")
  func added() throws {
    let nest = try kitchen()
    let counted = try nest("stocktake", input: "- 5 eggs\n400 g flour, tinned tomatoes 3\n")
    #expect(counted.code == 0, "\(counted.errors)")
    #expect(try total("eggs", in: nest) == "5")
    #expect(try total("flour", in: nest) == "0.4")
    #expect(try nest("stocktake 'category:baking' --print").output.contains("Eggs   #") == false)
  }

  @Test("of a place counts its lots, and touches nothing elsewhere")
  func place() throws {
    let nest = try kitchen()
    let sheet = try nest("stocktake freezer --print").output
    #expect(
      sheet.hasSuffix(
        """
        # Below the heading of a place is what lies there.

        Freezer:
        [ ] 2  Bread (2026-12-01)   # 2, never counted
        [ ] 1  Bread                # 1, never counted

        """))
    #expect(try nest("stocktake location:free --print").output == sheet)
    let filled = sheet.replacing("[ ] 2 ", with: "[ ] 1 ").replacing(
      "[ ] 1  Bread  ", with: "[ ] 0  Bread  ")
    let counted = try nest("stocktake", input: filled + "4 eggs\n")
    #expect(
      counted.output == """
        counted 1 of Bread (batch of 2026-12-01, Freezer), 5 in all
        counted 0 of Bread (undated batch, Freezer), 4 in all
        counted 4 of Eggs (undated batch, Freezer), 7 in all

        """)
    #expect(
      try nest("stocktake location:freezer location:cellar --print").output.hasSuffix(
        """
        Freezer:
        [ ] 1  Bread (2026-12-01)   # 1, last counted 2026-11-21
        [ ] 4  Eggs                 # 4, last counted 2026-11-21

        Cellar:
        [ ] 1  Bread   # 1, never counted

        """))
    // A lot that is used up by now is counted again where it was.
    let again = try nest("stocktake", input: "Freezer:\n[ ] 3  Bread   # 0, never counted\n")
    #expect(again.output == "counted 3 of Bread (undated batch, Freezer), 7 in all\n")
    try nest.prepare("put bread 1 --location freezer --lot L7")
    #expect(
      try nest("stocktake", input: "Freezer:\n2 bread slices\n").code == 5)
  }

  @Test("tells all mistakes with their lines, and counts nothing")
  func mistakes() throws {
    let nest = try kitchen()
    let before = try nest("log --json").output
    let sheet = """
      [?] 2  Eggs
      3 Egs
      [ ] lots  Flour   # 2.5 kg, never counted
      [x]  Flour   # 2.5 kg, never counted
      3 flour
      4 flour
      -2 eggs
      Attic:
      3 eggs
      Freezer:
      2 kg bread

      """
    let outcome = try nest("stocktake", input: sheet)
    #expect(outcome.code == 5)
    #expect(try Golden.kept("stocktake-mistakes", now: outcome.errors) == outcome.errors)
    #expect(try nest("log --json").output == before)
    #expect(try nest("stocktake --print nothing-like-it").code == 3)
    #expect(try nest("stocktake --print location:attic").code == 3)
    #expect(try nest("stocktake --print total:lots").code == 2)
    #expect(try nest("stocktake").code == 2)
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
