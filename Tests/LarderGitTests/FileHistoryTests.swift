import LarderGit
import LarderText
import Testing

@Suite struct FileHistoryTests {
  let sandbox: Sandbox
  let repository: Repository
  private let long = (1...30).map { "line \($0)\n" }.joined()

  init() throws {
    sandbox = try Sandbox()
    repository = try sandbox.create()
  }

  /// Takes files with the same first line for the same thing.
  private func firstLine(_ entry: TreeEntry) throws(GitError) -> String? {
    let text = String(decoding: try repository.readBlob(entry.id), as: UTF8.self)
    return text.firstIndex(of: "\n").map { String(text[..<$0]) }
  }

  private func versions(_ path: FilePath) throws -> [String] {
    var lines: [String] = []
    try repository.history(ofFile: path, from: sandbox.id("HEAD"), by: firstLine) { version in
      let subject = version.commit.message.prefix { $0 != "\n" }
      lines.append("\(subject) \(version.path)" + (version.blob == nil ? " removed" : ""))
      return true
    }
    return lines
  }

  @Test("only commits that change the file are visited, newest first, as git log has them")
  func changes() throws {
    try sandbox.commit(["a": "1", "b": "1"], "one")
    try sandbox.commit(["b": "2"], "two")
    try sandbox.commit(["a": "2"], "three")
    #expect(try versions("a") == ["three a", "one a"])
    #expect(try sandbox.git("log", "--format=%s a", "--", "a") == "three a\none a")
    #expect(try versions("never") == [])
  }

  @Test("a file is followed across renames, exact or of the same thing, as git log --follow does")
  func renames() throws {
    try sandbox.commit(["items/milk.json": long, "other": "x"], "add")
    try sandbox.commit(["items/milk.json": nil, "fridge/milk.json": long], "move")
    try sandbox.commit(["fridge/milk.json": long + "more\n"], "edit")
    try sandbox.commit(["fridge/milk.json": nil, "oat.json": long + "most\n"], "rename and edit")
    #expect(
      try versions("oat.json") == [
        "rename and edit oat.json", "edit fridge/milk.json", "move fridge/milk.json",
        "add items/milk.json",
      ])
    #expect(
      try sandbox.git("log", "--follow", "--format=%s", "--", "oat.json")
        == "rename and edit\nedit\nmove\nadd")
  }

  @Test("a new file beside a removed one that is different has no earlier history")
  func unrelated() throws {
    try sandbox.commit(["a": long], "add")
    let other = (1...30).map { "other \($0)\n" }.joined()
    try sandbox.commit(["a": nil, "b": other], "swap")
    #expect(try versions("b") == ["swap b"])
    #expect(try versions("a") == ["swap a removed", "add a"])
  }

  @Test("of several removed files, the one with the same name wins among the same contents")
  func sameName() throws {
    try sandbox.commit(["a/x.json": long, "b/milk.json": long], "add")
    try sandbox.commit(["a/x.json": nil, "b/milk.json": nil, "c/milk.json": long], "move")
    #expect(try versions("c/milk.json") == ["move c/milk.json", "add b/milk.json"])
  }

  @Test("a file that was removed and came back is followed to its first life")
  func cameBack() throws {
    try sandbox.commit(["a": "1"], "one")
    try sandbox.commit(["a": nil], "gone")
    try sandbox.commit(["b": "1"], "elsewhere")
    try sandbox.commit(["a": "2"], "back")
    #expect(try versions("a") == ["back a", "gone a removed", "one a"])
  }

  @Test("both sides of a merge are followed, and the merge is visited only when it decided anew")
  func merges() throws {
    try sandbox.commit(["a": long], "base")
    try sandbox.git("checkout", "--quiet", "-b", "side")
    try sandbox.commit(["a": nil, "b": long], "side moves")
    try sandbox.commit(["b": long + "side\n"], "side edits")
    try sandbox.git("checkout", "--quiet", "main")
    try sandbox.commit(["c": "1"], "main elsewhere")
    try sandbox.git("merge", "--quiet", "-m", "clean merge", "side")
    #expect(try versions("b") == ["side edits b", "side moves b", "base a"])
    try sandbox.git("checkout", "--quiet", "-b", "third")
    try sandbox.commit(["b": "start\n" + long + "side\n"], "third edits")
    try sandbox.git("checkout", "--quiet", "main")
    try sandbox.commit(["b": long + "side\nend\n"], "main edits")
    try sandbox.git("merge", "--quiet", "-m", "real merge", "third")
    let found = try versions("b")
    #expect(found.first == "real merge b")
    #expect(Set(found[1...2]) == ["third edits b", "main edits b"])
    #expect(found[3...] == ["side edits b", "side moves b", "base a"])
  }

  @Test("the visit ends when it returns false")
  func stops() throws {
    for number in 1...5 { try sandbox.commit(["a": "\(number)"]) }
    var count = 0
    try repository.history(ofFile: "a", from: sandbox.id("HEAD"), by: firstLine) { _ in
      count += 1
      return count < 3
    }
    #expect(count == 3)
  }

  @Test("many files are followed at once as each by itself, across renames and merges")
  func many() throws {
    try sandbox.commit(["a/1": long, "a/2": "two\n" + long, "b": "x"], "add")
    try sandbox.commit(["a/1": nil, "c/1": long, "a/2": "2"], "move")
    try sandbox.git("checkout", "-q", "-b", "side", "HEAD~1")
    try sandbox.commit(["b": "y", "a/2": "side"], "side")
    try sandbox.git("checkout", "-q", "main")
    try sandbox.git("merge", "-q", "-s", "ours", "--no-edit", "side")
    try sandbox.commit(["b": "z", "c/1": long + "more\n"], "edit")
    let paths: [FilePath] = ["c/1", "a/2", "b", "never"]
    var together: [FilePath: [String]] = [:]
    try repository.history(ofFiles: paths, from: sandbox.id("HEAD"), by: firstLine) {
      path, version in
      let subject = version.commit.message.prefix { $0 != "\n" }
      together[path, default: []].append(
        "\(subject) \(version.path)" + (version.blob == nil ? " removed" : ""))
      return true
    }
    for path in paths { #expect(try together[path] ?? [] == versions(path)) }
    #expect(together["c/1"] == ["edit c/1", "move c/1", "add a/1"])
  }

  @Test("thousands of files that came and went in one commit are followed in seconds")
  func crowd() throws {
    let crowd = 3_000
    var first: [String: String?] = [:]
    var second: [String: String?] = [:]
    for number in 0..<crowd {
      first["old/\(number)"] = "\(number)\n" + long
      second["old/\(number)"] = .some(nil)
      second["new/\(number)"] = "\(number)\n" + long
      second["other/\(number)"] = "{ \(number) }"
    }
    try sandbox.commit(first, "come")
    try sandbox.commit(second, "go")
    let paths = (0..<crowd).flatMap { [FilePath("new/\($0)"), FilePath("other/\($0)")] }
    var visits = 0
    try repository.history(ofFiles: paths, from: sandbox.id("HEAD"), by: firstLine) { _, _ in
      visits += 1
      return true
    }
    // The renamed ones are seen where they came from, too.
    #expect(visits == 3 * crowd)
  }
}
