import Foundation
import TestSupport
import Testing

@Suite("The editor")
struct EditorTests {
  private func kitchen() throws -> Nest {
    let nest = try Nest()
    try nest.prepare("stock new Eggs 3 --full 12", "stock new Milk 2l")
    return nest
  }

  /// Writes an editor that does what a shell script says, and returns its command.
  ///
  /// `$1` is the file, and `$times` how often it was opened, from 1.
  private func editor(_ script: String, in nest: Nest) throws -> String {
    let path = nest.larder.folder("editor")
    try nest.larder.folder.write(
      """
      #!/bin/sh
      times=$(($(cat "$0.times" 2>/dev/null || echo 0) + 1))
      echo $times > "$0.times"
      \(script)
      """, to: "editor")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return path
  }

  private func drafts(of nest: Nest) -> [String] {
    let folder = nest.larder.folder("nest/.git/larder/edit")
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.sorted().filter { !$0.hasSuffix(".bak") }
  }

  @Test("is git's: GIT_EDITOR, core.editor, VISUAL, EDITOR, in this order")
  func chosen() throws {
    let nest = try kitchen()
    func opened(_ variables: [String: String]) throws -> String {
      let outcome = try nest.atTerminal("stock edit eggs", with: variables)
      #expect(outcome.code == 0, "\(outcome.screen)")
      return try nest.larder.folder.read("opened")
    }
    func telling(_ name: String) -> String {
      "echo \(name) > '\(nest.larder.folder("opened"))' #"
    }
    let visual = ["VISUAL": telling("visual"), "EDITOR": telling("editor")]
    #expect(try opened(["EDITOR": telling("editor")]) == "editor\n")
    #expect(try opened(visual) == "visual\n")
    #expect(try opened(visual.merging(["TERM": "dumb"]) { $1 }) == "editor\n")
    try Git.run(
      "config", "--file", nest.larder.folder("home/.gitconfig"), "core.editor", telling("user"),
      in: nest.larder.folder.path)
    #expect(try opened(visual) == "user\n")
    try Git.run("config", "core.editor", telling("clone"), in: nest.larder.folder("nest"))
    #expect(try opened(visual) == "clone\n")
    #expect(try opened(["GIT_EDITOR": telling("variable")]) == "variable\n")
  }

  @Test("needs no terminal if one is set, and is said to be missing otherwise")
  func noTerminal() throws {
    var nest = try kitchen()
    let none = try nest("stock edit eggs")
    #expect(none.code == 2)
    #expect(none.errors.contains("there is no terminal, and no editor is set"))
    #expect(none.errors.contains("git config --global core.editor nano"))
    #expect(try nest("stock edit eggs --no-input").code == 2)
    nest.larder.variables["EDITOR"] = "sed -i.bak 's/\"Eggs\"/\"Large eggs\"/'"
    #expect(try nest("stock edit eggs").output == "Eggs: name Eggs → Large eggs\n")
    nest.larder.variables["EDITOR"] = "no-such-editor"
    let missing = try nest("stock edit milk")
    #expect(missing.code == 1)
    #expect(missing.errors.contains("the editor did not end well: 'no-such-editor'"))
    #expect(drafts(of: nest).isEmpty)
  }

  @Test("opens again after a mistake, which is told with its line, until the text reads")
  func again() throws {
    let nest = try kitchen()
    let script = try editor(
      "[ $times = 1 ] && sed -i.bak 's/: 12/: lots/' \"$1\" || sed -i.bak 's/: lots/: 18/' \"$1\"",
      in: nest
    )
    let outcome = try nest.atTerminal("stock edit eggs", typing: "\n", editor: script)
    #expect(outcome.code == 0, "\(outcome.screen)")
    #expect(outcome.screen.contains("/.git/larder/edit/eggs-"))
    #expect(outcome.screen.contains("\"quantityFullStock\": lots"))
    #expect(outcome.screen.contains("Edit again? [Y/n] "))
    #expect(outcome.screen.hasSuffix("Eggs: full stock 12 → 18\n"))
    #expect(drafts(of: nest).isEmpty)
    #expect(try nest.isClean())
  }

  @Test(
    "loses nothing that was written: on no, the text stays in a file, and the household as it was")
  func kept() throws {
    let nest = try kitchen()
    let path = try nest.path("stock", "eggs")
    let before = try nest.read(path)
    for number in 1...2 {
      let outcome = try nest.atTerminal(
        "stock edit eggs", typing: "n\n", editor: "sed -i.bak 's/: 12/: lots/'")
      #expect(outcome.code == 5)
      #expect(outcome.screen.contains("what you wrote is kept in "))
      #expect(drafts(of: nest).count == number)
      for draft in drafts(of: nest) {
        #expect(outcome.screen.contains(draft) || number == 2)
        #expect(try nest.read(".git/larder/edit/\(draft)").contains("lots"))
      }
    }
    #expect(try nest.read(path) == before)
    #expect(try nest.isClean())
    let failed = try nest.atTerminal(
      "stock edit milk", editor: "sed -i.bak 's/Milk/Oats/' \"$1\"; rm \"$1.bak\"; false")
    #expect(failed.code == 1)
    #expect(try nest.read(nest.path(".git/larder/edit", "milk")).contains("Oats"))
    #expect(try nest("stock use eggs").code == 0)
  }

  @Test("a mistake that only the ledger shows is told too, and the file stays as it was")
  func ledger() throws {
    let nest = try kitchen()
    let path = try nest.path("stock", "milk")
    let before = try nest.read(path)
    let outcome = try nest.atTerminal(
      "stock edit milk", typing: "n\n",
      editor: "sed -i.bak 's/\"liter\"/\"gram\"/' \"$1\"; rm \"$1.bak\"; true")
    #expect(outcome.code == 5, "\(outcome.screen)")
    #expect(try nest.read(path) == before)
    #expect(try nest.read(nest.path(".git/larder/edit", "milk")).contains("gram"))
  }

  @Test("what others changed while it was open stays beside what was written")
  func meanwhile() throws {
    let nest = try kitchen()
    let larder = CommandRunner.program.path()
    let outcome = try nest.atTerminal(
      "stock edit eggs",
      editor: "sed -i.bak 's/: 12/: 18/' \"$1\"; '\(larder)' use eggs 1 >/dev/null; true")
    #expect(outcome.code == 0, "\(outcome.screen)")
    let record = try nest("stock list eggs --plain").records.first
    #expect(record?[1] == "2")
    #expect(record?[3] == "18")
    #expect(try nest.isClean())
  }
}
