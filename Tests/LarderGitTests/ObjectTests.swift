import Foundation
import LarderGit
import LarderText
import Testing

@Suite struct ObjectTests {
  let sandbox: Sandbox
  let repository: Repository

  init() throws {
    sandbox = try Sandbox()
    repository = try sandbox.create()
  }

  @Test(
    "a stored file has the name and content that git gives it",
    arguments: ["", "milk\n", "\u{0}\u{1}ü"])
  func blobs(text: String) throws {
    let bytes = [UInt8](text.utf8)
    let id = try repository.writeBlob(bytes)
    #expect(id == Repository.blobID(of: bytes))
    try sandbox.write("file", text)
    #expect(try sandbox.git("hash-object", "file") == id.hex)
    #expect(try sandbox.git("cat-file", "-t", id.hex) == "blob")
    #expect(try repository.readBlob(id) == bytes)
  }

  @Test("reading what isn't there is not found, and says what")
  func missingObjects() throws {
    let id = try #require(ObjectID(hex: String(repeating: "a", count: 40)))
    for read in [
      { _ = try repository.readBlob(id) }, { _ = try repository.commit(id) },
      { _ = try repository.entries(of: id) },
    ] {
      let error = #expect(throws: GitError.self) { try read() }
      #expect(error?.code == .notFound)
      #expect(error?.path == id.hex)
    }
  }

  @Test("an object's file that was cut short is an error, at every length, and never waited for")
  func cutObjects() throws {
    let text = (0..<400).map { "\($0 * 7919 % 10_007)" }.joined(separator: "\n")
    let id = try repository.writeBlob([UInt8](text.utf8))
    let file = sandbox.path("household/.git/objects/\(id.hex.prefix(2))/\(id.hex.dropFirst(2))")
    let whole = try Data(contentsOf: URL(fileURLWithPath: file))
    for length in stride(from: 0, to: whole.count, by: 37) {
      try FileManager.default.removeItem(atPath: file)
      try whole.prefix(length).write(to: URL(fileURLWithPath: file))
      let error = #expect(throws: GitError.self) { try repository.readBlob(id) }
      #expect(error?.path == id.hex)
    }
    try FileManager.default.removeItem(atPath: file)
    try whole.write(to: URL(fileURLWithPath: file))
    #expect(try repository.readBlob(id) == [UInt8](text.utf8))
  }

  @Test("a written commit reads back, in git's eyes too")
  func commits() throws {
    let first = try sandbox.commit(["a": "1"], "First\n\nWith a body.")
    let tree = try repository.commit(first).tree
    var grace = Sandbox.ada
    grace.name = "Grace Hopper"
    grace.offsetMinutes = -210
    let id = try repository.writeCommit(
      tree: tree, parents: [first], author: grace, committer: Sandbox.ada, message: "Küche\n")
    let commit = try repository.commit(id)
    #expect(commit.id == id)
    #expect(commit.tree == tree)
    #expect(commit.parents == [first])
    #expect(commit.author == grace)
    #expect(commit.committer == Sandbox.ada)
    #expect(commit.message == "Küche\n")
    #expect(try sandbox.id("main") == first, "no reference moves")
    #expect(
      try sandbox.git("log", "-1", "--format=%an|%ae|%at|%ai|%cn|%s", id.hex)
        == "Grace Hopper|ada@example.org|1700000000|2023-11-14 18:43:20 -0330|Ada|Küche")
    #expect(try repository.commit(first).message == "First\n\nWith a body.\n")
    try sandbox.git("fsck", "--strict")
  }

  @Test("of a name and an address only what git can keep is written")
  func names() throws {
    let tree = try repository.commit(try sandbox.commit(["a": "1"])).tree
    for (name, email, kept) in [
      ("", "", "unknown|unknown|"), ("<>\n", " <a@b.c>\n", "unknown|a@b.c|"),
      ("Ada\nLovelace.", "a\u{0}b", "Ada Lovelace|a b|"),
    ] {
      var author = Sandbox.ada
      (author.name, author.email) = (name, email)
      let id = try repository.writeCommit(
        tree: tree, parents: [], author: author, committer: author, message: "x")
      #expect(try sandbox.git("show", "-s", "--format=%an|%ae|", id.hex) == kept)
      try sandbox.git("fsck", "--strict", "--no-dangling")
    }
  }

  @Test("a commit without a tree or a parent is refused")
  func badCommits() throws {
    let first = try sandbox.commit(["a": "1"])
    let tree = try repository.commit(first).tree
    let nothing = try #require(ObjectID(hex: String(repeating: "b", count: 40)))
    for (tree, parents) in [(nothing, []), (tree, [nothing])] {
      #expect(throws: GitError.self) {
        try repository.writeCommit(
          tree: tree, parents: parents, author: Sandbox.ada, committer: Sandbox.ada, message: "x")
      }
    }
  }

  @Test("revisions mean what git says, and unknown ones nothing")
  func revisions() throws {
    let first = try sandbox.commit(["a": "1"])
    let second = try sandbox.commit(["a": "2"])
    try sandbox.git("tag", "-a", "-m", "tag", "opening", first.hex)
    for (revision, expected) in [
      ("HEAD", second), ("HEAD~1", first), ("main^", first), (first.short, first),
      (first.hex, first), ("opening", first), ("refs/heads/main", second),
    ] {
      #expect(try repository.resolve(revision) == expected)
    }
    for unknown in [
      "nobody", "HEAD~7", "", "HEAD:a", "main^{tree}", "@{", String(repeating: "c", count: 40),
    ] {
      #expect(try repository.resolve(unknown) == nil, "\(unknown)")
    }
  }

  @Test("an object that another process writes is seen by an open repository")
  func otherProcesses() throws {
    let first = try sandbox.commit(["a": "1"])
    #expect(try repository.resolve("HEAD") == first)
    let second = try sandbox.commit(["a": "2"])
    try sandbox.git("gc", "--quiet")
    #expect(try repository.resolve("HEAD") == second)
    #expect(try repository.text("a", in: repository.commit(second).tree) == "2")
  }

  @Test("many files are stored at once under the same names, twice without harm")
  func manyBlobs() throws {
    for count in [3, 500] {
      var contents = (0..<count).map { [UInt8]("item \($0) of \(count)\n".utf8) }
      contents += [[], contents[0]]
      for _ in 0..<2 {
        let ids = try repository.writeBlobs(contents)
        #expect(ids == contents.map { Repository.blobID(of: $0) })
        for (id, content) in zip(ids, contents) { #expect(try repository.readBlob(id) == content) }
      }
      #expect(
        try sandbox.git("cat-file", "-p", Repository.blobID(of: contents[1]).hex)
          == "item 1 of \(count)")
    }
    try sandbox.git("fsck", "--strict")
  }
}
