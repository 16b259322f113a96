import Foundation
import TestSupport
import Testing

/// A household whose git calls larder before each commit.
private struct Hooked {
  let nest: HouseholdFixture

  init(_ files: [String: String] = [:], wanted: Bool = true) throws {
    nest = try HouseholdFixture(files)
    if !files.isEmpty { try #require(try nest("adopt").code == 0) }
    if wanted { try #require(try nest("config", "hook", "yes").code == 0) }
  }

  /// Runs git as people do, with the clock and the name of this test's device.
  @discardableResult
  func git(_ words: String..., code: Int32 = 0) throws -> CommandRunner.Outcome {
    var larder = nest.larder
    larder.variables = [
      "GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.org",
      "GIT_COMMITTER_NAME": "Ada", "GIT_COMMITTER_EMAIL": "ada@example.org",
      "GIT_AUTHOR_DATE": larder.now, "GIT_COMMITTER_DATE": larder.now,
    ]
    let outcome = try larder.run(["git", "--"] + words, in: "home/nest")
    #expect(outcome.code == code, "git \(words.joined(separator: " ")): \(outcome.errors)")
    return outcome
  }

  /// What a committed file holds.
  func committed(_ path: String) throws -> String { try nest.git("show", "HEAD:\(path)") }

  func commits() throws -> Int { Int(try nest.git("rev-list", "--count", "HEAD").dropLast()) ?? 0 }

  /// That adopting afterwards has nothing to do, and leaves nothing to do for git.
  func expectSettled() throws {
    let before = try nest.git("rev-parse", "HEAD")
    #expect(try nest("check").code == 0)
    #expect(try nest("adopt").code == 0)
    #expect(try nest.git("rev-parse", "HEAD") == before)
    #expect(try nest.git("status", "--porcelain") == "")
  }
}

private let milk = ["stock/milk.json": Written.item(1, "Milk", "\"quantityInStock\": 4")]

@Suite("The pre-commit hook")
struct CommitHookTests {
  @Test("a plain commit has its edits' ids, stamps and counts, and nothing is left to adopt")
  func stamps() throws {
    let hooked = try Hooked(milk)
    let nest = hooked.nest
    try nest.write("{ \"name\": \"Soy milk\", \"quantityInStock\": 2 }", to: "stock/soy.json")
    try nest.write(
      try nest.read("stock/milk.json").replacing(
        "\"quantityInStock\": 4", with: "\"quantityInStock\": 7"), to: "stock/milk.json")
    try hooked.git("add", ".")
    let commits = try hooked.commits()
    let outcome = try hooked.git("commit", "-m", "by hand")
    #expect(outcome.errors.contains("larder: adopted 2 files into this commit"))
    #expect(try hooked.commits() == commits + 1)
    #expect(try hooked.committed("stock/soy.json").contains("\"createdAt\""))
    #expect(try hooked.committed("stock/milk.json").contains("\"set\": 7"))
    #expect(try hooked.committed("stock/soy.json") == nest.read("stock/soy.json"))
    try hooked.expectSettled()
  }

  @Test("'git commit -a' takes what larder adds along")
  func commitAll() throws {
    let hooked = try Hooked(milk)
    let text = try hooked.nest.read("stock/milk.json")
    try hooked.nest.write(
      text.replacing("\"Milk\"", with: "\"Oat milk\""), to: "stock/milk.json")
    try hooked.git("commit", "-qam", "rename")
    #expect(try hooked.committed("stock/milk.json").contains("\"edited\""))
    try hooked.expectSettled()
  }

  @Test("a receipt written by hand fills the stock in its own commit, once")
  func receipt() throws {
    let hooked = try Hooked(milk)
    let nest = hooked.nest
    try nest.write(
      """
      { "shopName": "Corner", "items": [
        { "itemName": "Milk", "quantity": 3, "itemId": "\(Written.id(1))" } ] }
      """, to: "receipts/a.json")
    try hooked.git("add", "receipts")
    try hooked.git("commit", "-qm", "shopping")
    #expect(try hooked.committed("stock/milk.json").contains("\"quantityInStock\": 7"))
    try hooked.expectSettled()
    #expect(try nest("stock", "show", "milk", "--plain").output.contains("7"))
  }

  @Test(
    "what else is staged or not stays so, and a file edited further is committed as it was staged")
  func otherStaging() throws {
    let hooked = try Hooked(milk)
    let nest = hooked.nest
    let start = try nest.read("stock/milk.json")
    try nest.write("one\n", to: "README.md")
    try nest.write("{\"name\": \"Tea\"}", to: "stock/tea.json")
    try nest.write(start.replacing("\"Milk\"", with: "\"Oat milk\""), to: "stock/milk.json")
    try hooked.git("add", "README.md", "stock/milk.json")
    try nest.write("two\n", to: "README.md")
    let further = start.replacing("\"Milk\"", with: "\"Oat drink\"")
    try nest.write(further, to: "stock/milk.json")
    try hooked.git("commit", "-qm", "some of it")
    #expect(try hooked.committed("README.md") == "one\n")
    #expect(try nest.read("README.md") == "two\n")
    #expect(try hooked.committed("stock/milk.json").contains("\"name\": \"Oat milk\""))
    #expect(try nest.read("stock/milk.json") == further)
    #expect(
      try nest.git("status", "--porcelain")
        == " M README.md\n M stock/milk.json\n?? stock/tea.json\n")
    #expect(try nest("stock", "show", "oat drink").code == 0)
    #expect(try nest("adopt").code == 0)
    #expect(try nest.read("stock/milk.json").contains("\"name\": \"Oat drink\""))
  }

  @Test("naming files behind 'git commit' is refused where larder has to add something, else not")
  func partial() throws {
    let hooked = try Hooked(milk)
    let nest = hooked.nest
    let start = try nest.read("stock/milk.json")
    try nest.write(start.replacing("\"Milk\"", with: "\"Oat milk\""), to: "stock/milk.json")
    let commits = try hooked.commits()
    let refused = try hooked.git("commit", "-m", "one", "stock/milk.json", code: 1)
    #expect(refused.errors.contains("hint: 'git add' what is to be committed"))
    #expect(try hooked.commits() == commits)
    #expect(try nest.git("status", "--porcelain") == " M stock/milk.json\n")
    try hooked.git("commit", "--no-verify", "-qm", "one", "stock/milk.json")
    #expect(try nest("adopt").code == 0)
    try nest.write("notes\n", to: "README.md")
    try hooked.git("add", "README.md")
    try hooked.git("commit", "-qm", "notes", "README.md")
    try hooked.expectSettled()
  }

  @Test("a file taken out comes back marked as deleted, in the very commit")
  func removal() throws {
    let hooked = try Hooked(milk)
    try hooked.git("rm", "-q", "stock/milk.json")
    let outcome = try hooked.git("commit", "-m", "no milk")
    #expect(outcome.errors.contains("marked as deleted"))
    #expect(try hooked.committed("stock/milk.json").contains("\"isArchived\": true"))
    try hooked.expectSettled()
  }

  @Test("a file that can't be read is told of and committed as it is")
  func untaken() throws {
    let hooked = try Hooked(milk)
    try hooked.nest.write("{ \"name\": \"Tea\", }\n", to: "stock/tea.json")
    try hooked.git("add", ".")
    let outcome = try hooked.git("commit", "-m", "tea")
    #expect(outcome.errors.contains("warning: stock/tea.json:1:18"))
    #expect(try hooked.committed("stock/tea.json") == "{ \"name\": \"Tea\", }\n")
  }

  @Test("an edit with a mistake stays as it was typed, in the work tree and in the commit")
  func mistake() throws {
    let hooked = try Hooked(milk)
    let nest = hooked.nest
    let start = try nest.read("stock/milk.json")
    let typed = start.replacing("\"name\": \"Milk\",", with: "\"name\": \"Oat milk, new\"")
    try #require(typed != start)
    try nest.write(typed, to: "stock/milk.json")
    try nest.write("{\"name\": \"Tea\"}", to: "stock/tea.json")
    try hooked.git("add", ".")
    let outcome = try hooked.git("commit", "-m", "by hand")
    #expect(outcome.errors.contains("warning: stock/milk.json:4:3"), "\(outcome.errors)")
    #expect(try hooked.committed("stock/milk.json") == typed)
    #expect(try nest.read("stock/milk.json") == typed)
    #expect(try hooked.committed("stock/tea.json").contains("\"createdAt\""))
    #expect(try nest("stock", "list").errors.contains("stock/milk.json is broken"))
    let mended = typed.replacing("milk, new\"", with: "milk, new\",")
    try nest.write(mended, to: "stock/milk.json")
    try hooked.git("commit", "-qam", "mended")
    #expect(try hooked.committed("stock/milk.json").contains("\"Oat milk, new\""))
    try hooked.expectSettled()
  }

  @Test("a mistake that is staged is told by the line that is staged, whatever was typed since")
  func stagedMistake() throws {
    let hooked = try Hooked(milk)
    let nest = hooked.nest
    let start = try nest.read("stock/milk.json")
    let staged = start.replacing("\"name\": \"Milk\"", with: "\"name\": Milch")
    try nest.write(staged, to: "stock/milk.json")
    try hooked.git("add", ".")
    try nest.write(start, to: "stock/milk.json")
    let outcome = try hooked.git("commit", "-m", "by hand")
    #expect(outcome.errors.contains("\"name\": Milch"), "\(outcome.errors)")
    #expect(try hooked.committed("stock/milk.json") == staged)
    #expect(try nest.read("stock/milk.json") == start)
  }

  @Test("an amended commit is adopted like any other")
  func amend() throws {
    let hooked = try Hooked(milk)
    let nest = hooked.nest
    try nest.write("{\"name\": \"Tea\", \"quantityInStock\": 1}", to: "stock/tea.json")
    try hooked.git("add", ".")
    try hooked.git("commit", "-qm", "tea")
    let tea = try nest.read("stock/tea.json")
    try nest.write(
      tea.replacing("\"quantityInStock\": 1", with: "\"quantityInStock\": 5"), to: "stock/tea.json")
    try hooked.git("commit", "-qa", "--amend", "-m", "more tea")
    #expect(try hooked.committed("stock/tea.json").contains("\"quantityInStock\": 5"))
    try hooked.expectSettled()
  }

  @Test("a merge that is being concluded is left to be understood as a whole")
  func merge() throws {
    let hooked = try Hooked(milk)
    let nest = hooked.nest
    try nest.git("checkout", "-q", "-b", "side")
    try nest.write("a\n", to: "README.md")
    try nest.write("{\"name\": \"Tea\"}", to: "stock/tea.json")
    try nest.git("add", ".")
    try nest.git("commit", "-q", "--no-verify", "-m", "side")
    try nest.git("checkout", "-q", "main")
    try nest.write("b\n", to: "README.md")
    try nest.git("add", ".")
    try nest.git("commit", "-qm", "main", "--no-verify")
    try hooked.git("merge", "-q", "side", code: 1)
    try nest.write("ab\n", to: "README.md")
    try hooked.git("add", ".")
    try hooked.git("commit", "-qm", "both")
    #expect(try hooked.committed("stock/tea.json") == "{\"name\": \"Tea\"}")
    #expect(try nest("adopt").code == 0)
    #expect(try nest.git("status", "--porcelain") == "")
  }

  @Test("a hook on one device and none on the other: both come to the same, each use counts once")
  func twoDevices() throws {
    let hooked = try Hooked(milk)
    let nest = hooked.nest
    try nest.addOrigin()
    #expect(try nest("sync").code == 0)
    try nest.join("phone")
    var phone = nest.larder
    phone.device = "phone"
    let folder = nest.larder.folder("home/phone")
    // The phone, without a hook, counts by hand and buys; the laptop, with one, does so too.
    for (place, number, line) in [(folder, 9, 5), (nest.root, 6, 6)] {
      let path = place + "/stock/milk.json"
      let text = try String(contentsOfFile: path, encoding: .utf8)
      try text.replacing("\"quantityInStock\": 4", with: "\"quantityInStock\": \(number)")
        .write(toFile: path, atomically: true, encoding: .utf8)
      try FileManager.default.createDirectory(
        atPath: place + "/receipts", withIntermediateDirectories: true)
      try """
      { "id": "\(Written.id(line))", "shopName": "Corner", "items": [
        { "id": "\(Written.id(line + 10))", "itemName": "Milk", "quantity": 2, "itemId": "\(Written.id(1))" } ] }
      """.write(toFile: place + "/receipts/\(line).json", atomically: true, encoding: .utf8)
    }
    try Git.run("add", ".", in: folder)
    try Git.run("commit", "-qm", "by hand", in: folder, at: "2026-11-21T11:00:00Z")
    try hooked.git("add", ".")
    try hooked.git("commit", "-qm", "by hand")
    for _ in 1...2 {
      #expect(try phone("sync", in: "home/phone").code == 0)
      #expect(try nest("sync").code == 0)
    }
    let trees = try [folder, nest.root].map { try Git.run("rev-parse", "HEAD^{tree}", in: $0) }
    #expect(trees[0] == trees[1])
    let text = try nest.read("stock/milk.json")
    #expect(text.ranges(of: "\"receipt\": ").count == 2)
    #expect(text.ranges(of: "\"set\": 6").count == 1)
    #expect(text.ranges(of: "\"set\": 9").count == 1)
    #expect(try nest("check").code == 0)
  }

  @Test("without a program, or with one that fails, a commit is made and says what happened")
  func absentProgram() throws {
    let hooked = try Hooked(milk)
    let hook = hooked.nest.root + "/.git/hooks/pre-commit"
    let text = try String(contentsOfFile: hook, encoding: .utf8)
    for (program, word) in [
      ("/nowhere/larder", "there is no program"), ("/bin/false", "adopts it"),
    ] {
      let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("larder=") })
      var other = text.replacing(line, with: "larder=\(program)")
      if program == "/bin/false" {
        other = other.replacing("\"$larder\" pre-commit", with: "(exit 70)")
      }
      try other.write(toFile: hook, atomically: false, encoding: .utf8)
      try hooked.nest.write("{\"name\": \"Tea\"}", to: "stock/\(word.count).json")
      try hooked.git("add", ".")
      #expect(try hooked.git("commit", "-m", "tea").errors.contains(word))
    }
    #expect(try hooked.nest("adopt").code == 0)
  }

  @Test("a household that is not set up is committed as it is, with a hint")
  func notSetUp() throws {
    let hooked = try Hooked(milk)
    try hooked.nest.git("config", "--unset", "larder.userId")
    try hooked.nest.write("{\"name\": \"Tea\"}", to: "stock/tea.json")
    try hooked.git("add", ".")
    #expect(try hooked.git("commit", "-m", "tea").errors.contains("larder doctor --fix"))
  }

  @Test("somebody else's hook is left alone, and doctor says what to add to it")
  func foreignHook() throws {
    let hooked = try Hooked(wanted: false)
    let nest = hooked.nest
    let theirs = "#!/bin/sh\nexit 0\n"
    try nest.write(theirs, to: ".git/hooks/pre-commit")
    let outcome = try nest("config", "hook", "yes")
    #expect(outcome.errors.contains("add to it: if command -v larder"))
    #expect(try nest.read(".git/hooks/pre-commit") == theirs)
    #expect(try nest("doctor", "--fix").code == 1)
    #expect(try nest.read(".git/hooks/pre-commit") == theirs)
    try nest.write(theirs + "larder pre-commit || exit 1\n", to: ".git/hooks/pre-commit")
    #expect(try nest("doctor").output == "all is well\n")
    #expect(try nest("config", "hook", "no").code == 0)
    #expect(try nest.read(".git/hooks/pre-commit").hasPrefix(theirs))
  }

  @Test("core.hooksPath is heeded: within the repository written to, outside of it only told")
  func hooksPath() throws {
    let inside = try Hooked(wanted: false).nest
    try inside.git("config", "core.hooksPath", ".githooks")
    #expect(try inside("config", "hook", "yes").code == 0)
    #expect(try inside.read(".githooks/pre-commit").contains("pre-commit"))
    let outside = try Hooked(wanted: false).nest
    let shared = outside.larder.folder("home/hooks")
    try FileManager.default.createDirectory(atPath: shared, withIntermediateDirectories: true)
    try outside.git("config", "core.hooksPath", "~/hooks")
    // Who lives where is a matter of the process.
    var larder = outside.larder
    larder.call = nil
    let told = try larder("config", "hook", "yes", in: "home/nest")
    #expect(told.errors.contains("core.hooksPath leads out"), "\(told)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: shared) == [])
  }

  @Test("init and join take --hook, doctor --fix mends it, config takes it away")
  func installing() throws {
    let larder = try CommandRunner()
    let made = try larder("init", "nest", "--name", "N", "--time-zone", "UTC", "--hook")
    #expect(made.code == 0)
    let joined = try larder("join", "nest", "copy", "--hook")
    #expect(joined.code == 0, "\(joined.errors)")
    let hook = "copy/.git/hooks/pre-commit"
    let text = try larder.folder.read(hook)
    try FileManager.default.removeItem(atPath: larder.folder(hook))
    #expect(try larder("doctor", in: "copy").output.contains("is missing"))
    #expect(try larder("doctor", "--fix", in: "copy").code == 0)
    #expect(try larder.folder.read(hook) == text)
    #expect(try larder("config", "hook", in: "copy").output == "yes\n")
    #expect(try larder("config", "hook", "no", in: "copy").code == 0)
    #expect(!FileManager.default.fileExists(atPath: larder.folder(hook)))
    #expect(try larder("doctor", in: "copy").output == "all is well\n")
    #expect(try larder("config", "hook", "perhaps", in: "copy").code == 2)
  }
}
