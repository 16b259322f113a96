import Foundation
import TestSupport
import Testing

@Suite("undo and redo")
struct UndoCommandTests {
  @Test("a newer commit of plain git stays, and is named with the command that takes it back")
  func plainCommits() throws {
    let nest = try Nest()
    try nest.prepare("stock new Eggs 10", "stock new Milk 1l", "use eggs 1")
    let path = try nest.path("stock", "milk")
    try nest.write(nest.read(path).replacing("Milk", with: "Oat milk"), to: path)
    let folder = nest.larder.folder("nest")
    let author = try Git.run("log", "-1", "--format=%an <%ae>", in: folder)
    try Git.run(
      "commit", "-qam", "rename the milk", "--author",
      author.trimmingCharacters(in: .newlines), in: folder)
    let undone = try nest("undo")
    #expect(undone.output.contains("took back: use 1 of Eggs"))
    #expect(undone.errors.contains("'rename the milk', which you committed with git later, stays"))
    let id = try #require(undone.errors.split(separator: "larder undo ").last?.prefix(7))
    #expect(try nest("undo \(id)").output.contains("Milk"))
    #expect(try !nest("undo").errors.contains("later, stays"))
  }

  @Test("where there are fewer commands than asked for, all are taken back, and it says so")
  func fewer() throws {
    let nest = try Nest()
    try nest.prepare("stock new Eggs 10", "use eggs 1")
    let undone = try nest("undo -n 3")
    #expect(undone.code == 0)
    #expect(undone.output.split(separator: "\n").count { $0.hasPrefix("took back: ") } == 2)
    #expect(undone.errors.contains("only 2 commands could be taken back"))
    #expect(try nest("undo -n 2").code == 1)
    #expect(try nest("undo 2").errors.contains("'larder undo -n 2' is about the last 2"))
  }

  @Test("of a lot that is still there, an undo says how much of it is")
  func restOfLot() throws {
    let nest = try Nest()
    try nest.prepare(
      "stock new Milk", "put milk 2 --expiry 2026-12-01",
      "receipt save --shop Rewe --line milk=3 --expiry milk=2026-12-01")
    let undone = try nest("undo").output
    #expect(undone.contains("Milk (batch of 2026-12-01): 5 → 2"), "\(undone)")
    #expect(!undone.contains("no longer there"))
  }

  @Test("the entry of an item that was low when it was made goes and comes with the item")
  func lowWhenMade() throws {
    let nest = try Nest()
    try nest.prepare("stock new Milk 1l --full 6l --minimum 2l")
    #expect(try nest("shop list --plain").records.count == 1)
    try nest.prepare("undo")
    #expect(try nest("shop list --plain").records.isEmpty)
    try nest.prepare("redo")
    #expect(try nest("shop list --plain").records.map { $0[1] } == ["Milk"])
    #expect(try nest("stock list --plain").records.first?[1] == "1")
    try nest.prepare("undo", "stock new Tea 0 --full 3", "shop edit tea 9", "undo -n 2")
    #expect(try nest("shop list --plain").records.isEmpty)
  }

  @Test("undo takes back the last command, the next one the one before, and redo brings them back")
  func editor() throws {
    let nest = try Nest()
    try nest.prepare(
      "stock new Milk --in-stock 2 --full 6 --unit liter", "stock edit Milk --name 'Oat milk'",
      "stock edit 'Oat milk' --category Dairy", "stock use 'oat milk' 1l")
    let text = try nest.session([
      "undo", "undo", "undo", "undo", "undo", "redo", "redo", "redo", "redo", "redo", "undo",
      "redo",
    ])
    #expect(
      text.replacing(#/ \(Sat [^)]*, laptop\)/#, with: "") == """
        $ larder undo
        took back: use 1 l of Oat milk
          Oat milk: 1 l → 2 l

        $ larder undo
        took back: edit Oat milk
          Oat milk: category: Dairy → none

        $ larder undo
        took back: edit Oat milk
          Milk: name: Oat milk → Milk

        $ larder undo
        took back: new item Milk
          Milk is archived

        $ larder undo
        error: there is nothing to take back: no command that was run here is left
        hint: 'larder log' shows what others did; 'larder undo REV' takes one of them back
        [exit 1]

        $ larder redo
        brought back: new item Milk
          Milk is back

        $ larder redo
        brought back: edit Oat milk
          Oat milk: name: Milk → Oat milk

        $ larder redo
        brought back: edit Oat milk
          Oat milk: category: none → Dairy

        $ larder redo
        brought back: use 1 l of Oat milk
          Oat milk: 2 l → 1 l

        $ larder redo
        error: there is nothing to bring back: no undo that was run here is left
        hint: 'larder undo' takes back the last command; 'larder log' shows what was brought back
        [exit 1]

        $ larder undo
        took back: use 1 l of Oat milk
          Oat milk: 1 l → 2 l

        $ larder redo
        brought back: use 1 l of Oat milk
          Oat milk: 2 l → 1 l


        """)
    #expect(try nest("stock --json").array("items").first?["total"] as? Int == 1)
    #expect(try nest("check").code == 0)
    #expect(try nest("fmt --check").code == 0)
    #expect(try nest.isClean())
  }

  @Test("an undo is one commit that names the command it took back")
  func trailers() throws {
    let nest = try Nest()
    try nest.prepare("stock new Eggs", "undo")
    let root = nest.larder.folder("nest")
    let command = try Git.run("rev-parse", "HEAD~1", in: root)
    let tree = try Git.run("rev-parse", "HEAD^{tree}", in: root)
    let body = try Git.run("log", "-1", "--format=%B", in: root)
    #expect(
      body.trimmingCharacters(in: .newlines) == """
        undo: new item Eggs

        Larder-Command: undo
        Larder-Device: laptop
        Larder-Undoes: \(command.dropLast())
        Larder-Tree: \(tree.dropLast()) \(command.dropLast())
        """)
    try nest.prepare("redo")
    #expect(
      try Git.run("log", "-1", "--format=%B", in: root).contains("Larder-Redoes: \(command)"))
  }

  @Test("an undo of a use takes the item off the list that the use put on it, unless it is in use")
  func lastOne() throws {
    let pair = try Pair("stock new Milk --in-stock 1 --full 6", "stock new Tea --in-stock 1")
    try pair.prepare("laptop", "stock use milk", "undo")
    #expect(try pair.list() == [])
    #expect(try pair.total("Milk") == 1)
    try pair.prepare("laptop", "redo")
    #expect(try pair.list() == ["Milk"])
    #expect(try pair.total("Milk") == 0)
    // Somebody has it in the basket by now, and keeps it.
    try pair.prepare("laptop", "shop got milk", "stock use tea", "undo HEAD~2")
    #expect(try pair.total("Milk") == 1)
    #expect(try pair.list() == ["+Milk", "Tea"])
    try pair.settle()
  }

  @Test("two who used the last one apart: who undoes leaves the item on the list, as it is used up")
  func lastOneApart() throws {
    let pair = try Pair("stock new Milk --in-stock 1 --full 6")
    try pair.prepare("laptop", "stock use milk")
    try pair.prepare("phone", "stock use milk")
    try pair.settle()
    #expect(try pair.total("Milk") == -1)
    try pair.prepare("phone", "undo")
    #expect(try pair.total("Milk", on: "phone") == 0)
    #expect(try pair.list(on: "phone") == ["Milk"])
    try pair.settle()
    try pair.prepare("laptop", "undo")
    #expect(try pair.total("Milk") == 1)
    #expect(try pair.list() == [])
  }

  @Test("after another command, an undo is brought back only by its name")
  func doneSince() throws {
    let nest = try Nest()
    try nest.prepare("stock new Eggs 10", "use eggs 3", "undo", "stock new Tea 1")
    let refused = try nest("redo")
    #expect(refused.code == 1)
    #expect(refused.errors.contains("'new item Tea' was done since"))
    let named = try #require(refused.errors.firstMatch(of: /larder redo ([0-9a-f]{7})/)?.1)
    #expect(try nest("redo HEAD").errors.contains("it is no undo"))
    #expect(try nest("redo \(named)").output.contains("Eggs: 10 → 7"))
    #expect(try nest("redo").errors.contains("nothing to bring back"))
  }

  @Test("several commands are taken back one after the other")
  func several() throws {
    let nest = try Nest()
    try nest.prepare("stock new Eggs 10", "use eggs 3", "use eggs 2")
    let undone = try nest("undo -n 2").output
    #expect(undone.contains("Eggs: 5 → 7") && undone.contains("Eggs: 7 → 10"))
    #expect(try nest("redo").output.contains("Eggs: 10 → 7"))
    #expect(try nest("redo").output.contains("Eggs: 7 → 5"))
    #expect(try nest("undo -n 2 HEAD").code == 2)
  }

  @Test("undoing a count brings back what was there, with what others used since")
  func count() throws {
    let pair = try Pair("stock new Eggs --in-stock 10")
    try pair.prepare("laptop", "stock count eggs 4", "sync")
    try pair.prepare("phone", "sync", "stock use eggs 3", "sync")
    try pair.prepare("laptop", "sync", "undo")
    #expect(try pair.total("Eggs") == 7)
    try pair.prepare("laptop", "redo")
    #expect(try pair.total("Eggs") == 1)
    try pair.settle()
  }

  @Test(
    "undoing a receipt's save is whole: the receipt is void, the entries are back, the stock too")
  func receipt() throws {
    let nest = try Nest()
    try nest.prepare(
      "stock new Milk --in-stock 1 --full 6 --unit liter", "stock new Rice --unit gram",
      "shop buy milk 2l", "shop buy 'birthday candles'", "shop got milk candles",
      "receipt save --shop Corner --amount 12 --line 'Rice=500g@@2.10'")
    let saved = try nest("stock --json").array("items").map { $0["total"] as? Int }
    #expect(saved == [3, 500])
    let undone = try nest("undo")
    #expect(undone.output.contains("took back: save a receipt of Corner"))
    #expect(undone.output.contains("  Corner is void\n"))
    #expect(undone.output.contains("  birthday candles is back on the list\n"))
    #expect(undone.output.contains("  Milk is back on the list\n"))
    #expect(undone.output.contains("  Milk: 3 l → 1 l\n"))
    #expect(undone.output.contains("  Rice: 500 g → 0 g\n"))
    // The same basket can be saved anew.
    try nest.prepare("redo")
    #expect(try nest("stock --json").array("items").map { $0["total"] as? Int } == [3, 500])
    #expect(try nest("shop --json").array("items").isEmpty)
    try nest.prepare("undo", "receipt save --shop Market")
    #expect(try nest("stock --json").array("items").map { $0["total"] as? Int } == [3, 0])
    #expect(
      try nest("receipt --json").array("items").map { $0["shopName"] as? String } == ["Market"])
    #expect(try nest("check").code == 0)
  }

  @Test("undoing a void brings the receipt back, and voiding it after that counts once")
  func voided() throws {
    let nest = try Nest()
    try nest.prepare(
      "stock new Milk", "receipt save --shop Corner --line Milk=3", "receipt void corner", "undo")
    #expect(try nest("stock --json").array("items").map { $0["total"] as? Int } == [3])
    try nest.prepare(
      "receipt void corner", "receipt restore corner", "undo", "undo", "redo", "redo")
    #expect(try nest("stock --json").array("items").map { $0["total"] as? Int } == [3])
    #expect(try nest("check").code == 0)
  }

  @Test("undo of shop got, remove and edit puts entries where they were")
  func shopping() throws {
    let nest = try Nest()
    try nest.prepare("shop buy bread 2", "shop got bread")
    try nest.prepare("undo")
    #expect(try nest("shop --json").array("items").first?["isCompleted"] as? Bool == false)
    try nest.prepare("shop edit bread 5", "undo", "shop remove bread")
    #expect(try nest("shop --json").array("items").isEmpty)
    try nest.prepare("undo")
    #expect(try nest("shop --json").array("items").first?["desiredQuantity"] as? Int == 2)
  }

  @Test("hand edits are a command of their own, and a file that was moved goes back")
  func handEdits() throws {
    let pair = try Pair("stock new Milk --in-stock 2")
    try pair.edit("laptop", "stock", "milk", "\"quantityInStock\": 2", "\"quantityInStock\": 5")
    try pair.prepare("laptop", "stock edit milk --category Dairy", "undo")
    #expect(try pair.total("Milk") == 5)
    #expect(try pair.output("laptop", "undo").contains("took back: adopt the edit of stock/milk"))
    #expect(try pair.total("Milk") == 2)
    // What is edited but not adopted yet is the last thing that was done.
    try pair.edit("laptop", "stock", "milk", "\"name\": \"Milk\"", "\"name\": \"Oat milk\"")
    try pair.prepare("laptop", "undo")
    #expect(try pair.total("Milk") == 2)
    let path = try #require(try pair.item("Milk")["path"] as? String)
    try FileManager.default.moveItem(
      atPath: "\(pair.root("laptop"))/\(path)", toPath: "\(pair.root("laptop"))/stock/m.json")
    try pair.prepare("laptop", "undo")
    #expect(try pair.item("Milk")["path"] as? String == path)
    try pair.settle()
  }

  @Test("a file that was moved and then broken stays where it is until it is mended")
  func movedAndBroken() throws {
    let pair = try Pair("stock new Milk --in-stock 2")
    let path = try #require(try pair.item("Milk")["path"] as? String)
    let root = pair.root("laptop")
    let (old, new) = ("\(root)/\(path)", "\(root)/stock/m.json")
    try FileManager.default.moveItem(atPath: old, toPath: new)
    try pair.prepare("laptop", "adopt")
    let head = try pair.git("laptop", "rev-parse", "HEAD")
    let text = try String(contentsOfFile: new, encoding: .utf8)
    try "{".write(toFile: new, atomically: true, encoding: .utf8)
    let refused = try pair("laptop", "undo")
    #expect(refused.code != 0)
    #expect(refused.errors.contains("stock/m.json:"), "\(refused.errors)")
    #expect(try pair.git("laptop", "rev-parse", "HEAD") == head)
    #expect(!FileManager.default.fileExists(atPath: old))
    try text.write(toFile: new, atomically: true, encoding: .utf8)
    try pair.prepare("laptop", "undo")
    #expect(try pair.item("Milk")["path"] as? String == path)
    try pair.settle()
  }

  @Test("a file that somebody removed comes back by an undo, with git or without")
  func removed() throws {
    let pair = try Pair("stock new Milk --in-stock 2")
    let path = try #require(try pair.item("Milk")["path"] as? String)
    try FileManager.default.removeItem(atPath: "\(pair.root("laptop"))/\(path)")
    try pair.prepare("laptop", "adopt", "undo")
    #expect(try pair.item("Milk")["isArchived"] as? Bool == false)
    try pair.git("laptop", "rm", "-q", path)
    try pair.git("laptop", "commit", "-q", "-m", "away with it")
    let plain = try pair.git("laptop", "rev-parse", "HEAD")
    // A plain commit is nobody's last command, and can be named.
    #expect(try pair("laptop", "undo").errors.contains("there is nothing to take back"))
    #expect(
      try pair.output("laptop", "undo \(plain.prefix(7))").hasPrefix("took back: away with it"))
    #expect(try pair.total("Milk") == 2)
    try pair.settle()
  }

  @Test("commands that changed nothing of the household are passed over")
  func formatting() throws {
    let nest = try Nest()
    try nest.prepare("stock new Milk --in-stock 2", "stock use milk")
    try nest.write(
      try nest.read(try nest.path("stock", "milk")).replacing("  ", with: " "),
      to: try nest.path("stock", "milk"))
    try nest.prepare("fmt")
    #expect(try nest("undo").output.hasPrefix("took back: use 1 of Milk"))
  }

  @Test("a command whose commit git rewrote is still this device's, and so is its undo")
  func rewritten() throws {
    let pair = try Pair("stock new Eggs --in-stock 10")
    try pair.prepare("laptop", "stock use eggs 3", "stock edit eggs --category Cold")
    try pair.git("laptop", "rebase", "-q", "--force-rebase", "HEAD~2")
    #expect(try pair.output("laptop", "undo").contains("category: Cold → none"))
    #expect(try pair.output("laptop", "undo").hasPrefix("took back: use 3 of Eggs"))
    #expect(try pair.total("Eggs") == 10)
    try pair.git("laptop", "rebase", "-q", "--force-rebase", "HEAD~3")
    #expect(try pair.output("laptop", "redo").contains("Eggs: 10 → 7"))
    #expect(try pair.item("Eggs")["category"] == nil)
    try pair.settle()
  }

  @Test("in JSON an undo says what it took back and what changed")
  func json() throws {
    let nest = try Nest()
    try nest.prepare("stock new Milk --in-stock 2", "stock use milk")
    let json = try nest("undo --json").json()
    #expect((json["changed"] as? [[String: String]])?.map { $0["name"] } == ["Milk"])
    #expect(json["isRedo"] as? Bool == false)
    #expect((json["command"] as? [String: String])?["subject"] == "use 1 of Milk")
    let commits = try nest("log --json -n 1").array("commits")
    #expect(
      commits.first?["undoes"] as? String == (json["command"] as? [String: String])?["commit"])
  }
}
