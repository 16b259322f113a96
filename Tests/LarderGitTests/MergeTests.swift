import Foundation
import LarderGit
import LarderText
import Testing

@Suite struct MergeTests {
  let sandbox: Sandbox
  let repository: Repository
  private let lines = (1...20).map { "line \($0)\n" }.joined()

  init() throws {
    sandbox = try Sandbox()
    repository = try sandbox.create()
    try sandbox.write(".gitattributes", "*.json merge=larder\n*.odd merge=unheard-of\n")
  }

  private func tree(_ files: [String: String?], on base: ObjectID? = nil) throws -> ObjectID {
    var changes: [FilePath: (ObjectID, FileMode)?] = [:]
    for (path, text) in files {
      changes[FilePath(path)] = .some(
        try text.map { (try repository.writeBlob([UInt8]($0.utf8)), .file) })
    }
    return try repository.writeTree(from: base, changing: changes)
  }

  private func text(_ bytes: [UInt8]?) -> String {
    bytes.map { String(decoding: $0, as: UTF8.self) } ?? "-"
  }

  @Test("changes of one side alone and on different lines come together without asking anybody")
  func clean() throws {
    let base = try tree(["a": lines, "b/c": "1", "gone": "1", "same.json": "1"])
    let ours = try tree(["a": "start\n" + lines, "b/c": "2", "same.json": "2"], on: base)
    let theirs = try tree(
      ["a": lines + "end\n", "gone": nil, "new/d": "1", "same.json": "2"], on: base)
    let merged = try repository.mergeTrees(base: base, ours: ours, theirs: theirs) { _, _, _, _ in
      Issue.record("nothing to ask")
      return nil
    }
    #expect(merged.conflicts == [])
    #expect(try repository.text("a", in: merged.tree) == "start\n" + lines + "end\n")
    #expect(
      try repository.entries(of: merged.tree).map(\.path) == ["a", "b/c", "new/d", "same.json"])
    #expect(try repository.text("b/c", in: merged.tree) == "2")
    let root = try commit(base, on: [])
    let expected = try sandbox.git(
      "merge-tree", "--write-tree", commit(ours, on: [root]).hex, commit(theirs, on: [root]).hex)
    #expect(merged.tree.hex == expected)
  }

  private func commit(_ tree: ObjectID, on parents: [ObjectID]) throws -> ObjectID {
    try repository.writeCommit(
      tree: tree, parents: parents, author: Sandbox.ada, committer: Sandbox.ada, message: "x")
  }

  @Test("the driver is asked for files that both changed or both added, and for no others")
  func driver() throws {
    let base = try tree(["both.json": "0", "ours.json": "0", "left.json": "0", "x.txt": "0\n"])
    let ours = try tree(
      ["both.json": "1", "ours.json": "1", "left.json": nil, "new.json": "1", "x.txt": "1\n"],
      on: base)
    let theirs = try tree(
      ["both.json": "2", "left.json": "2", "new.json": "2", "x.txt": "0\n"], on: base)
    var asked: [String] = []
    let merged = try repository.mergeTrees(base: base, ours: ours, theirs: theirs) {
      asked.append("\($3): \(text($0)) \(text($1)) \(text($2))")
      return [UInt8]("decided \($3)".utf8)
    }
    #expect(asked.sorted() == ["both.json: 0 1 2", "new.json: - 1 2"])
    #expect(try repository.text("both.json", in: merged.tree) == "decided both.json")
    #expect(try repository.text("new.json", in: merged.tree) == "decided new.json")
    #expect(try repository.text("ours.json", in: merged.tree) == "1")
    #expect(try repository.text("x.txt", in: merged.tree) == "1\n")
    let conflict = try #require(merged.conflicts.first)
    #expect(merged.conflicts.count == 1)
    #expect(conflict.path == "left.json")
    #expect(conflict.base != nil && conflict.ours == nil)
    #expect(try repository.text("left.json", in: merged.tree) == "2", "theirs, as we have none")
  }

  @Test("a driver that can't decide leaves a conflict, with our file in the tree")
  func undecided() throws {
    let base = try tree(["a.json": "0"])
    let ours = try tree(["a.json": "1"])
    let theirs = try tree(["a.json": "2"])
    let merged = try repository.mergeTrees(base: base, ours: ours, theirs: theirs) { _, _, _, _ in
      nil
    }
    #expect(merged.conflicts.map(\.path) == ["a.json"])
    #expect(merged.conflicts.first?.base == (try repository.entry(at: "a.json", in: base)))
    #expect(merged.conflicts.first?.theirs == (try repository.entry(at: "a.json", in: theirs)))
    #expect(merged.tree == ours)
  }

  @Test("an empty result of the driver is a result")
  func emptyResult() throws {
    let base = try tree(["a.json": "0"])
    let merged = try repository.mergeTrees(
      base: base, ours: tree(["a.json": "1"]), theirs: tree(["a.json": "2"])
    ) { _, _, _, _ in [] }
    #expect(merged.conflicts == [])
    #expect(try repository.text("a.json", in: merged.tree) == "")
  }

  @Test("without a driver, and for a driver's name that nobody knows, text is merged as text")
  func textMerge() throws {
    for file in ["a.json", "a.odd"] {
      let base = try tree([file: lines])
      let merged = try repository.mergeTrees(
        base: base, ours: tree([file: "start\n" + lines]), theirs: tree([file: lines + "end\n"]),
        driver: nil)
      #expect(merged.conflicts == [])
      #expect(try repository.text(FilePath(file), in: merged.tree) == "start\n" + lines + "end\n")
    }
  }

  @Test("text that can't be merged is a conflict, without markers in the tree")
  func textConflict() throws {
    let base = try tree(["a.txt": "0\n"])
    let ours = try tree(["a.txt": "1\n"])
    let merged = try repository.mergeTrees(
      base: base, ours: ours, theirs: tree(["a.txt": "2\n"]), driver: nil)
    #expect(merged.conflicts.map(\.path) == ["a.txt"])
    #expect(merged.tree == ours)
  }

  @Test("a removed file and a similar new one are never taken for one")
  func noRenames() throws {
    let base = try tree(["old.json": lines])
    let ours = try tree(["new.json": lines + "ours\n"])
    let theirs = try tree(["old.json": "theirs\n" + lines])
    let merged = try repository.mergeTrees(base: base, ours: ours, theirs: theirs) { _, _, _, _ in
      Issue.record("nothing to ask")
      return nil
    }
    #expect(merged.conflicts.map(\.path) == ["old.json"])
    #expect(try repository.text("new.json", in: merged.tree) == lines + "ours\n")
    #expect(try repository.text("old.json", in: merged.tree) == "theirs\n" + lines)
  }

  @Test(
    "a file against a folder of the same name leaves a tree that git accepts",
    arguments: [true, false])
  func fileAgainstFolder(oursIsFile: Bool) throws {
    let base = try tree(["x": "0"])
    let file = try tree(["a": "file"], on: base)
    let folder = try tree(["a/b": "inside", "a/c": "inside"], on: base)
    let ours = oursIsFile ? file : folder
    let merged = try repository.mergeTrees(
      base: base, ours: ours, theirs: oursIsFile ? folder : file, driver: nil)
    #expect(!merged.conflicts.isEmpty)
    #expect(try repository.entries(of: merged.tree) == repository.entries(of: ours))
    try sandbox.git("fsck", "--strict")
  }

  @Test("names that differ only in how a letter is composed are different files")
  func composedNames() throws {
    func tree(_ texts: [String]) throws -> ObjectID {
      var files: [FilePath: (ObjectID, FileMode)?] = [:]
      for (name, text) in zip(["e\u{301}", "\u{e9}"] as [FilePath], texts) {
        files[name] = (try repository.writeBlob([UInt8](text.utf8)), .file)
      }
      return try repository.writeTree(from: nil, changing: files)
    }
    let base = try tree(["0\n", "0\n"])
    let merged = try repository.mergeTrees(
      base: base, ours: tree(["1\n", "0\n"]), theirs: tree(["0\n", "2\n"]), driver: nil)
    #expect(merged.conflicts == [])
    #expect(merged.tree == (try tree(["1\n", "2\n"])))
    let both = try repository.mergeTrees(
      base: base, ours: base, theirs: tree(["3\n", "4\n"]), driver: nil)
    #expect(both.tree == (try tree(["3\n", "4\n"])))
  }

  @Test("without any base, equal files are taken and different ones given to the driver")
  func noBase() throws {
    let ours = try tree(["same": "1", "a.json": "1", "ours": "1"])
    let theirs = try tree(["same": "1", "a.json": "2", "theirs": "2"])
    let merged = try repository.mergeTrees(base: nil, ours: ours, theirs: theirs) {
      _, ours, theirs, _ in (ours ?? []) + (theirs ?? [])
    }
    #expect(merged.conflicts == [])
    #expect(try repository.text("a.json", in: merged.tree) == "12")
    #expect(try repository.entries(of: merged.tree).count == 4)
  }

  @Test("a mode changed on one side survives the other's content")
  func modes() throws {
    let base = try tree(["run.json": "0"])
    let blob = try repository.writeBlob([UInt8]("1".utf8))
    let ours = try repository.writeTree(
      from: base, changing: ["run.json": .some((blob, .executable))])
    let theirs = try tree(["run.json": "2"])
    for (one, two) in [(ours, theirs), (theirs, ours)] {
      let merged = try repository.mergeTrees(base: base, ours: one, theirs: two) { _, _, _, _ in
        [UInt8]("3".utf8)
      }
      #expect(try repository.entry(at: "run.json", in: merged.tree)?.mode == .executable)
    }
  }

  @Test("merges on several threads, each with its own driver, don't get in each other's way")
  func threads() async throws {
    let base = try tree(["a.json": "0"])
    let ours = try tree(["a.json": "1"])
    let theirs = try tree(["a.json": "2"])
    let path = sandbox.path("household")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        group.addTask {
          let own = try Repository.open(path)
          for _ in 0..<20 {
            let merged = try own.mergeTrees(base: base, ours: ours, theirs: theirs) { _, _, _, _ in
              [UInt8]("\(number)".utf8)
            }
            #expect(try own.text("a.json", in: merged.tree) == "\(number)")
          }
        }
      }
      try await group.waitForAll()
    }
  }
}
