import Foundation
import TestSupport
import Testing

@Suite("Which commands are this copy's own")
struct OwnCommandTests {
  /// Both devices have one name, as two machines that are called `debian`.
  private func namesakes() throws -> Pair {
    let pair = try Pair("stock new Milk 5", "stock new Tea 5")
    try pair.prepare("phone", "sync")
    return pair
  }

  /// Runs a line in the phone's folder under the laptop's name.
  private func onPhone(_ pair: Pair, _ line: String) throws -> CommandRunner.Outcome {
    try pair.larder.run(shellWords(line), in: "phone")
  }

  @Test("a partner's command stays, though both devices have one name")
  func names() throws {
    let pair = try namesakes()
    try pair.prepare("laptop", "use milk 1")
    #expect(try onPhone(pair, "use tea 2").code == 0)
    #expect(try onPhone(pair, "sync").code == 0)
    try pair.prepare("laptop", "sync")
    #expect(try pair.output("laptop", "undo").hasPrefix("took back: use 1 of Milk"))
    try pair.prepare("laptop", "sync")
    #expect(try onPhone(pair, "sync").code == 0)
    #expect(try onPhone(pair, "undo").output.hasPrefix("took back: use 2 of Tea"))
    #expect(try onPhone(pair, "undo").errors.contains("no command that was run here is left"))
  }

  @Test("trailers in a partner's commit don't redirect an undo")
  func forged() throws {
    let pair = try namesakes()
    try pair.prepare("laptop", "use milk 1", "sync")
    let mine = try pair.git("laptop", "rev-parse", "HEAD").trimmingCharacters(in: .newlines)
    try pair.prepare("phone", "sync", "use tea 2")
    let message = "use tea\n\nLarder-Command: undo\nLarder-Device: laptop\nLarder-Undoes: \(mine)\n"
    try pair.git("phone", "commit", "--quiet", "--amend", "-m", message)
    try pair.prepare("phone", "sync")
    try pair.prepare("laptop", "sync")
    #expect(try pair("laptop", "redo").code == 1)
    #expect(try pair.output("laptop", "undo").hasPrefix("took back: use 1 of Milk"))
    #expect(try pair.total("Milk") == 5)
    #expect(try pair.total("Tea") == 3)
  }

  @Test("what was done here stays own after gc, in a copy of the folder, and without git's reflogs")
  func kept() throws {
    let pair = try namesakes()
    try pair.prepare("laptop", "use milk 1", "use milk 2")
    try pair.git("laptop", "reflog", "expire", "--expire=now", "--all")
    try pair.git("laptop", "gc", "--quiet", "--prune=now")
    try FileManager.default.copyItem(atPath: pair.root("laptop"), toPath: pair.root("copy"))
    for device in ["laptop", "copy"] {
      #expect(try pair.output(device, "undo").hasPrefix("took back: use 2 of Milk"))
    }
    // A household of an earlier version has only the reflogs.
    try FileManager.default.removeItem(atPath: pair.root("laptop") + "/.git/larder/commits")
    try pair.prepare("laptop", "use tea 1")
    try FileManager.default.removeItem(atPath: pair.root("laptop") + "/.git/larder/commits")
    #expect(try pair.output("laptop", "undo").hasPrefix("took back: use 1 of Tea"))
  }

  @Test("a new clone has no command of its own, and says that its name is taken")
  func anew() throws {
    let pair = try namesakes()
    try pair.prepare("laptop", "use milk 1", "sync")
    let joined = try pair.larder("join", "hub.git", "anew")
    #expect(joined.code == 0)
    let name = pair.larder.device
    #expect(joined.errors.contains("called \(name), and so is another one"), "\(joined.errors)")
    let undone = try pair.larder.run(["undo"], in: "anew")
    #expect(undone.code == 1)
    let rev = try pair.git("laptop", "rev-parse", "HEAD").trimmingCharacters(in: .newlines)
    #expect(try pair.larder.run(["undo", rev], in: "anew").code == 0)
    #expect(!(try pair.larder("join", "hub.git", "fourth").errors.isEmpty))
  }
}
