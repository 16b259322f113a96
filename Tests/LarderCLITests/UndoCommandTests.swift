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
}
