import Foundation
import TestSupport
import Testing

/// A plain clone, without larder's driver, whose git stopped a merge.
private struct Stopped {
  let nest: HouseholdFixture
  let larder: CommandRunner

  init() throws {
    nest = try HouseholdFixture([
      "stock/milk.json": Written.item(1, "Milk", "\"quantityInStock\": 4"),
      "stock/tea.json": Written.item(2, "Tea"), "README.md": "notes\n",
    ])
    larder = nest.larder
    _ = try nest("adopt")
    try nest.git("add", ".")
    try nest.git("commit", "-qm", "notes")
    try Git.run("clone", "-q", "nest", "clone", in: larder.folder("home"))
    try edit("clone", "stock/milk.json", "\"name\": \"Milk\"", "\"name\": \"Oat milk\"")
    try edit("clone", "README.md", "notes", "their notes")
    try Git.run("rm", "-q", "stock/tea.json", in: root)
    try Git.run("commit", "-qam", "there", in: root, at: "2026-11-21T12:10:00Z")
    try edit("nest", "stock/milk.json", "\"name\": \"Milk\"", "\"name\": \"Soy milk\"")
    try edit("nest", "stock/milk.json", "InStock\": 4", "InStock\": 7")
    try edit("nest", "stock/tea.json", "\"Tea\"", "\"Green tea\"")
    try edit("nest", "README.md", "notes", "our notes")
    try Git.run("commit", "-qam", "here", in: nest.root, at: "2026-11-21T12:20:00Z")
    #expect(throws: Git.Failure.self) {
      try Git.run("pull", "-q", "--no-rebase", "--no-edit", in: root)
    }
  }

  var root: String { larder.folder("home/clone") }

  func callAsFunction(_ words: String...) throws -> CommandRunner.Outcome {
    try larder.run(words, in: "home/clone")
  }

  func read(_ path: String) throws -> String { try larder.folder.read("home/clone/\(path)") }

  private func edit(_ copy: String, _ path: String, _ old: String, _ new: String) throws {
    let text = try larder.folder.read("home/\(copy)/\(path)")
    try #require(text.contains(old))
    try larder.folder.write(text.replacing(old, with: new), to: "home/\(copy)/\(path)")
  }
}

@Suite("A merge that git left to people")
struct UnresolvedMergeTests {
  @Test("is found, our files in it are joined, others are named, and people end it")
  func resolve() throws {
    let clone = try Stopped()
    let found = try clone("check")
    #expect(found.code == 1)
    #expect(found.errors.contains("'larder doctor --fix'"))
    let marks = try clone.read("stock/milk.json")
    #expect(marks.contains("<<<<<<<"))
    #expect(try clone("doctor").output.contains("git left README.md in conflict, for you"))
    let fixed = try clone("doctor", "--fix")
    #expect(fixed.code == 1)
    #expect(fixed.output.contains("both sides of stock/milk.json are joined"))
    #expect(fixed.output.contains("git merges the household's files with larder now"))
    #expect(try Git.run("diff", "--name-only", "--diff-filter=U", in: clone.root) == "README.md\n")
    let milk = try clone.read("stock/milk.json")
    #expect(milk.contains("\"quantityInStock\": 7"))
    #expect(try clone.read("stock/tea.json").contains("\"isArchived\": true"))
    #expect(try clone.read("stock/tea.json").contains("Green tea"))
    // The marks are kept, should somebody have written between them.
    let kept = clone.root + "/.git/larder/kept"
    let texts = try FileManager.default.contentsOfDirectory(atPath: kept).map {
      try String(contentsOfFile: "\(kept)/\($0)", encoding: .utf8)
    }
    #expect(texts.contains(marks))
    try clone.larder.folder.write("all notes\n", to: "home/clone/README.md")
    try Git.run("add", "README.md", in: clone.root)
    try Git.run("commit", "-qm", "both", in: clone.root)
    #expect(try clone("doctor").output == "all is well\n")
    #expect(try clone("adopt").code == 0)
    #expect(try clone("sync").code == 0 || clone("status").code == 0)
    #expect(try clone("check").code == 0)
  }

  @Test("comes to what a sync would have made of it")
  func sameAsSync() throws {
    let byDoctor = try Stopped()
    _ = try byDoctor("doctor", "--fix")
    try Git.run("checkout", "-q", "--theirs", "README.md", in: byDoctor.root)
    try Git.run("add", ".", in: byDoctor.root)
    try Git.run("commit", "-qm", "both", in: byDoctor.root, at: "2026-11-21T12:30:00Z")
    #expect(try byDoctor("adopt").code == 0)
    let bySync = try Stopped()
    try Git.run("merge", "--abort", in: bySync.root)
    _ = try bySync("doctor", "--fix")
    _ = try bySync("sync")
    for path in ["stock/milk.json", "stock/tea.json"] {
      let (one, other) = (try byDoctor.read(path), try bySync.read(path))
      for field in ["name", "quantityInStock", "isArchived"] {
        let lines = [one, other].map { text in
          text.split(separator: "\n").first { $0.contains("\"\(field)\":") }
        }
        #expect(lines[0] == lines[1], "\(path)")
      }
    }
  }

  @Test("what people have resolved already stays as they did")
  func byHand() throws {
    let clone = try Stopped()
    let mine = try Git.run("show", ":2:stock/milk.json", in: clone.root)
      .replacing("Oat milk", with: "Hazelnut milk")
    try clone.larder.folder.write(mine, to: "home/clone/stock/milk.json")
    #expect(
      try clone("doctor", "--fix").output.contains("git left stock/milk.json in conflict, for"))
    #expect(try clone.read("stock/milk.json") == mine)
  }

  @Test("a merge that was committed with its marks is undone file by file")
  func committedMarks() throws {
    let clone = try Stopped()
    try Git.run("add", ".", in: clone.root)
    try Git.run("commit", "-qm", "oops", in: clone.root, at: "2026-11-21T12:30:00Z")
    #expect(try clone("check").code == 1)
    #expect(try clone("doctor", "--fix").code == 0)
    #expect(try clone.read("stock/milk.json").contains("\"quantityInStock\": 7"))
    #expect(try clone("adopt").code == 0)
    #expect(try clone("check").code == 0)
  }
}
