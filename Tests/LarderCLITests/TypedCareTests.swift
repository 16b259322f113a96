import Foundation
import TestSupport
import Testing

@Suite("What is typed and what is shown")
struct TypedCareTests {
  @Test("blanks around a category are no part of it, and blanks alone are none")
  func category() throws {
    let nest = try Nest()
    try nest.prepare(
      "stock new Bread --category '  Bakery goods '", "stock new Milk --category ' '")
    let items = try nest("stock --json").array("items")
    #expect(items.map { $0["category"] as? String } == ["Bakery goods", nil])
    try nest.prepare("stock edit bread --category '  '", "shop buy bread --note ' '")
    #expect(try nest("stock --json").array("items")[0]["category"] == nil)
    #expect(try nest("shop --json").array("items")[0]["note"] == nil)
  }

  @Test("an argument that is no UTF-8 is refused, so that nobody keeps a damaged name")
  func latin1() throws {
    let nest = try Nest()
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = [
      "-c", "exec \"$0\" stock new \"$(printf 'Caf\\351')\" 2>err", CommandRunner.program.path(),
    ]
    process.environment = nest.larder.environment
    process.currentDirectoryURL = URL(filePath: nest.larder.folder("nest"))
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 2)
    #expect(try nest.read("err").contains("word 3 is no UTF-8: 'Caf�'"))
    #expect(try nest("stock --json").array("items").isEmpty)
  }

  @Test("of batches that share a name, one is named that nothing else has")
  func batches() throws {
    let nest = try Nest()
    try nest.prepare(
      "location new Fridge", "location new Cellar", "stock new Milk --unit liter",
      "stock put milk 1 --expiry 2026-12-01 --location fridge",
      "stock put milk 1 --expiry 2026-12-02 --location fridge")
    let refused = try nest("stock move 'milk fridge' cellar")
    #expect(refused.errors.contains("'milk fridge' could be 2 batches"))
    #expect(refused.errors.contains("as in 'milk fridge 2026-12-01', or name it by its file"))
    try nest.prepare("stock move 'milk fridge 2026-12-01' cellar", "stock use milk 2")
    try nest.prepare(
      "stock put milk 1 --expiry 2026-12-03 --location fridge", "stock use milk 1")
    let empty = try nest("stock move 'milk fridge' cellar")
    #expect(
      empty.errors.contains(
        "nothing is left of 'milk fridge': all 2 batches of that name are used up"))
    #expect(
      try nest("stock discard milk 1 --batch fridge").errors.contains("nothing is left of it"))
  }

  @Test("restore says what became of a batch that is in the stock")
  func restored() throws {
    let nest = try Nest()
    try nest.prepare(
      "stock new Milk --unit liter", "stock put milk 1 --expiry 2026-12-01",
      "stock put milk 1 --expiry 2026-12-02", "stock discard milk --batch 2026-12-01")
    try nest.prepare("stock restore milk --batch 2026-12-01", "use milk 1 --batch 2026-12-01")
    let used = try nest("stock restore milk --batch 2026-12-01")
    #expect(
      used.errors.hasPrefix(
        "nothing to restore: batch of 2026-12-01 is in the stock, but used up\n"))
    #expect(used.errors.contains("hint: 'larder undo' takes back what was done last"))
    let there = try nest("stock restore milk --batch 2026-12-02")
    #expect(there.errors == "nothing to restore: batch of 2026-12-02 is in the stock: 1 l\n")
    try nest.prepare("stock archive milk --batch 2026-12-02")
    let gone = try nest("stock archive milk --batch 2026-12-02")
    #expect(gone.errors.hasPrefix("nothing to archive: batch of 2026-12-02 is "))
    #expect(gone.errors.hasSuffix(" already\n"))
  }

  @Test("a place in a list of items shows what lies there, beside what there is in all")
  func place() throws {
    let nest = try Nest()
    try nest.prepare(
      "location new Fridge", "location new Freezer", "stock new Milk --unit liter --in-stock 3",
      "stock put milk 1 --expiry 2026-12-01 --location fridge",
      "stock put milk 500ml --expiry 2026-12-02 --location freezer",
      "stock put milk 2 --expiry 2026-12-09 --location freezer", "stock new Eggs --in-stock 6")
    #expect(
      try nest("stock list location:freezer").output == """
        Item  There  Stock  Place    Keeps until
        Milk  2.5 l  6.5 l  Freezer  2026-12-02

        """)
    let items = try nest("stock list location:freezer --json").array("items")
    #expect(items.map { $0["there"] as? Double } == [2.5])
    #expect(items.map { $0["total"] as? Double } == [6.5])
    // What is not there, or only asked for by something else, is told as ever.
    #expect(
      try nest("stock list -location:freezer milk").output.contains("nothing to show") == false)
    #expect(try nest("stock list milk").output.contains("Freezer, Fridge"))
  }

  @Test("no list is wider than the terminal while there is room for its columns")
  func width() throws {
    let nest = try Nest()
    try nest.prepare(
      "location new 'The fridge in the cellar behind the bicycles'",
      "stock new 'Milk of the farm behind the church' --unit liter",
      "stock put milk 1 --expiry 2026-12-01 --location fridge")
    for line in ["stock due --days 31", "stock due --days 14", "stock", "stock list --batches"] {
      let shown = try nest.atTerminal(line).screen.replacing(/\u{1b}\[[0-9;]*m/, with: "")
      for row in shown.split(separator: "\n") { #expect(row.count <= 80, "\(line): \(row)") }
    }
  }

  @Test("redo says that nothing is taken back any more")
  func redo() throws {
    let nest = try Nest()
    try nest.prepare("stock new Milk", "undo", "redo")
    #expect(
      try nest("redo").errors.hasPrefix(
        "error: there is nothing to bring back: no undo that was run here is left\n"))
  }
}
