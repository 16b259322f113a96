import Foundation
import LarderGit
import LarderText
import Testing

@Suite struct IndexTests {
  let sandbox: Sandbox
  let repository: Repository

  init() throws {
    sandbox = try Sandbox()
    repository = try sandbox.create()
  }

  private func status() throws -> String { try sandbox.git("status", "--porcelain") }

  /// Whether the git program writes the index, or libgit2, which has to where there is none.
  static let writers = [true, false]

  private func use(_ hasGit: Bool) { if !hasGit { repository.gitProgram = nil } }

  /// Makes a commit beside git, moves the branch and writes the file, and leaves the index stale.
  private func change(_ files: [String: String?]) throws -> [FilePath: (ObjectID, FileMode)?] {
    let head = try sandbox.id("HEAD")
    let commit = try repository.record(files, on: [head])
    try repository.updateReference(
      "refs/heads/main", to: commit, expecting: head, reason: "test", by: Sandbox.ada)
    var paths: [FilePath: (ObjectID, FileMode)?] = [:]
    for (path, text) in files {
      if let text {
        try sandbox.write(path, text)
        paths[FilePath(path)] = .some((Repository.blobID(of: [UInt8](text.utf8)), .file))
      } else {
        try sandbox.remove(path)
        paths[FilePath(path)] = .some(nil)
      }
    }
    return paths
  }

  @Test("the index is read as git lists it")
  func entries() throws {
    try sandbox.commit(["a": "1", "b/c": "2"])
    try sandbox.git("update-index", "--skip-worktree", "b/c")
    let entries = try repository.indexEntries()
    #expect(entries.map(\.path) == ["a", "b/c"])
    #expect(entries.map(\.isSkipWorktree) == [false, true])
    #expect(entries.map(\.stage) == [0, 0])
    #expect(entries.map(\.mode) == [.file, .file])
    #expect(entries.map(\.id) == [try sandbox.id("HEAD:a"), try sandbox.id("HEAD:b/c")])
  }

  @Test(
    "after refreshing, git status is clean, and nothing is left beside the index",
    arguments: writers)
  func clean(hasGit: Bool) throws {
    try sandbox.commit(["a": "1", "b/c": "2", "d": "3"])
    use(hasGit)
    let paths = try change(["a": "new\n", "b/c": nil, "e/f": "added"])
    #expect(try status() != "")
    try repository.refreshIndex(paths)
    #expect(try status() == "")
    #expect(try sandbox.git("ls-files") == "a\nd\ne/f")
    #expect(!repository.isIndexLocked)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: sandbox.path("household/.git"))
        .filter { $0.hasPrefix("index") } == ["index"])
    try sandbox.git("fsck")
  }

  @Test(
    "what the user staged in other files stays staged, and unstaged edits stay unstaged",
    arguments: writers)
  func stagedStays(hasGit: Bool) throws {
    try sandbox.commit(["a": "1", "b": "1", "c": "1", "gone": "1"])
    use(hasGit)
    try sandbox.write("b", "staged")
    try sandbox.write("n", "staged too")
    try sandbox.git("add", "b", "n")
    try sandbox.git("rm", "--quiet", "--cached", "gone")
    try sandbox.write("c", "edited")
    let before = try status()
    try repository.refreshIndex(try change(["a": "2"]))
    #expect(try status() == before)
    #expect(before == "M  b\n M c\nD  gone\nA  n\n?? gone")
    #expect(try sandbox.git("show", ":b") == "staged")
  }

  /// Sets the time of the last change of content, to parts of a second after a whole one.
  private func date(_ file: String, after part: Double = 0) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000 + part)],
      ofItemAtPath: sandbox.path("household/" + file))
  }

  @Test(
    "an edit made in between is never taken for clean, even of the same length and an old time",
    arguments: writers)
  func editInBetween(hasGit: Bool) throws {
    try sandbox.commit(["a": "1"])
    use(hasGit)
    let paths = try change(["a": "22"])
    try sandbox.write("a", "33")
    try date("a")
    try repository.refreshIndex(paths)
    #expect(try status() == " M a")
  }

  @Test(
    "another file, changed in the tick in which git wrote the index, is still seen as changed",
    arguments: writers)
  func racyNeighbour(hasGit: Bool) throws {
    try sandbox.git("config", "core.trustCTime", "false")
    try sandbox.commit(["a": "1"])
    use(hasGit)
    try sandbox.write("b", "1")
    try date("b")
    try sandbox.git("add", "b")
    // The index is as old as the file, which then changes without its size or time showing it.
    try date(".git/index")
    try sandbox.write("b", "2")
    try date("b")
    try repository.refreshIndex(try change(["a": "2"]))
    #expect(try status() == "AM b")
  }

  @Test(
    "of files that changed in the second in which git wrote the index, no edit is missed",
    arguments: writers)
  func racySecond(hasGit: Bool) throws {
    try sandbox.git("config", "core.trustCTime", "false")
    try sandbox.commit(["a": "1"])
    use(hasGit)
    for name in ["b", "c"] {
      try sandbox.write(name, "1")
      try date(name, after: 0.125)
    }
    try sandbox.git("add", "b", "c")
    try date(".git/index", after: 0.25)
    try sandbox.write("b", "2")
    try date("b", after: 0.375)
    try repository.refreshIndex(try change(["a": "2"]))
    #expect(try status() == "AM b\nA  c")
  }

  @Test("what git stages after the index was read for writing stays staged", arguments: writers)
  func stagedInBetween(hasGit: Bool) throws {
    try sandbox.commit(["a": "1", "b": "1", "c": "1"])
    use(hasGit)
    #expect(repository.indexDamage() == nil)
    try sandbox.write("b", "staged")
    try sandbox.git("add", "b")
    try repository.refreshIndex(try change(["a": "2"]))
    #expect(try status() == "M  b")
    #expect(repository.indexDamage() == nil)
    try sandbox.git("rm", "--quiet", "c")
    try repository.refreshIndex(try change(["a": "3"]))
    #expect(try status() == "M  b\nD  c")
    let left = try FileManager.default.contentsOfDirectory(
      atPath: sandbox.path("household/.git"))
    #expect(!left.contains { $0.hasPrefix("index.") })
    try sandbox.git("fsck")
  }

  @Test("lines of a conflict are replaced by the decided file", arguments: writers)
  func conflict(hasGit: Bool) throws {
    try sandbox.commit(["a": "1\n", "b": "1\n"])
    use(hasGit)
    try sandbox.git("checkout", "--quiet", "-b", "side")
    try sandbox.commit(["a": "2\n", "b": "2\n"])
    try sandbox.git("checkout", "--quiet", "main")
    try sandbox.commit(["a": "3\n", "b": "3\n"])
    #expect(try sandbox.run("git", ["merge", "side"]).status == 1)
    try sandbox.write("a", "4\n")
    let id = try repository.writeBlob([UInt8]("4\n".utf8))
    try repository.refreshIndex(["a": .some((id, .file))])
    let lines = try repository.indexEntries().map { "\($0.path) \($0.stage)" }
    #expect(lines == ["a 0", "b 1", "b 2", "b 3"])
    try repository.refreshIndex(["b": nil])
    #expect(try repository.indexEntries().map(\.path) == ["a"])
  }

  @Test("a stale lock is reported with its path, and nothing is changed or removed")
  func staleLock() throws {
    try sandbox.commit(["a": "1"])
    let paths = try change(["a": "2"])
    let lock = sandbox.path("household/.git/index.lock")
    try Data("held".utf8).write(to: URL(fileURLWithPath: lock))
    #expect(repository.isIndexLocked)
    #expect(repository.indexLockPath == lock)
    let error = #expect(throws: GitError.self) { try repository.refreshIndex(paths) }
    #expect(error?.code == .locked)
    #expect(error?.path == lock)
    #expect(try String(contentsOfFile: lock, encoding: .utf8) == "held")
    try FileManager.default.removeItem(atPath: lock)
    try repository.refreshIndex(paths)
    #expect(try status() == "")
  }

  @Test("modes, links and names with letters beyond ASCII are noted too", arguments: writers)
  func modes(hasGit: Bool) throws {
    try sandbox.commit(["a": "1"])
    use(hasGit)
    try sandbox.write("run", "#!/bin/sh\n")
    chmod(sandbox.path("household/run"), 0o755)
    symlink("run", sandbox.path("household/link"))
    try sandbox.write("Küche/Öl", "x")
    let run = try repository.writeBlob([UInt8]("#!/bin/sh\n".utf8))
    let link = try repository.writeBlob([UInt8]("run".utf8))
    let oil = try repository.writeBlob([UInt8]("x".utf8))
    try repository.refreshIndex([
      "run": .some((run, .executable)), "link": .some((link, .symlink)),
      "Küche/Öl": .some((oil, .file)),
    ])
    #expect(try sandbox.git("ls-files", "--others") == "")
    #expect(
      try sandbox.git("-c", "core.quotePath=false", "status", "--porcelain")
        == "A  Küche/Öl\nA  link\nA  run")
  }

  @Test("another index file can be used, as a hook has to")
  func otherIndex() throws {
    try sandbox.commit(["a": "1"])
    let path = sandbox.path("household/.git/next-index")
    try FileManager.default.copyItem(atPath: repository.indexPath, toPath: path)
    repository.indexPath = path
    let id = try repository.writeBlob([UInt8]("new".utf8))
    try repository.refreshIndex(["new": .some((id, .file))])
    #expect(try repository.indexEntries().map(\.path) == ["a", "new"])
    #expect(try sandbox.git("ls-files") == "a")
  }

  @Test("in a repository without any index, one is made")
  func firstIndex() throws {
    try sandbox.write("a", "1")
    let id = try repository.writeBlob([UInt8]("1".utf8))
    try repository.refreshIndex(["a": .some((id, .file))])
    #expect(try status() == "A  a")
  }

  @Test("of git add and refreshing at once, neither loses the other's lines")
  func concurrentAdd() async throws {
    try sandbox.commit(["start": "1"])
    for number in 0..<40 { try sandbox.write("git-\(number)", "x") }
    let id = try repository.writeBlob([UInt8]("x".utf8))
    let path = sandbox.path("household")
    async let refreshed: Void = Task.detached {
      let own = try Repository.open(path)
      for number in 0..<40 {
        while true {
          do {
            try own.refreshIndex(["own-\(number)": .some((id, .file))])
            break
          } catch let error as GitError where error.code == .locked {
            try await Task.sleep(for: .milliseconds(1))
          }
        }
      }
    }.value
    for number in 0..<40 {
      while try sandbox.run("git", ["add", "git-\(number)"]).status != 0 {}
    }
    try await refreshed
    #expect(try repository.indexEntries().count == 81)
  }

  @Test("what a sparse checkout leaves out stays left out", arguments: writers)
  func leftOut(hasGit: Bool) throws {
    try sandbox.commit(["a": "1", "b/c": "1"])
    use(hasGit)
    try sandbox.git("sparse-checkout", "set", "--no-cone", "/a")
    let next = try change(["b/c": "2"])
    try sandbox.remove("b/c")
    try repository.refreshIndex(next)
    #expect(try status() == "")
    #expect(try repository.indexEntries().map(\.isSkipWorktree) == [false, true])
  }

  @Test("thousands of entries are set at once", arguments: writers)
  func many(hasGit: Bool) throws {
    try sandbox.commit(["a": "1"])
    use(hasGit)
    let id = try repository.writeBlob([UInt8]("x".utf8))
    var paths: [FilePath: (ObjectID, FileMode)?] = ["a": nil]
    for number in 0..<6_000 {
      let name = "stock/thing-with-a-rather-long-name-\(number).json"
      paths[FilePath(name)] = .some((id, .file))
    }
    try repository.refreshIndex(paths)
    #expect(try repository.indexEntries().count == 6_000)
  }

  @Test("an index that libgit2 can't read is left to git", arguments: ["split", "sparse"])
  func foreignIndex(kind: String) throws {
    try sandbox.commit(["a": "1", "b": "1", "c/d": "1", "z/y/x": "1"])
    if kind == "sparse" {
      try sandbox.git("sparse-checkout", "set", "--cone", "--sparse-index", "c")
    } else {
      try sandbox.git("config", "core.splitIndex", "true")
      try sandbox.git("update-index", "--split-index")
    }
    try sandbox.write("b", "staged")
    try sandbox.git("add", "b")
    let paths = try change(["a": "2", "c/d": nil, "e": "3"])
    try repository.refreshIndex(paths)
    #expect(try status() == "M  b")
    let entries = try repository.indexEntries()
    #expect(entries.map(\.path) == ["a", "b", "e", "z/y/x"])
    #expect(entries.map(\.isSkipWorktree) == [false, false, false, kind == "sparse"])
    #expect(entries.first?.id == Repository.blobID(of: [UInt8]("2".utf8)))
    let lock = sandbox.path("household/.git/index.lock")
    try Data().write(to: URL(fileURLWithPath: lock))
    let error = #expect(throws: GitError.self) { try repository.refreshIndex(paths) }
    #expect(error?.code == .locked)
    #expect(error?.path == lock)
    try FileManager.default.removeItem(atPath: lock)
    repository.gitProgram = nil
    #expect(throws: GitError.self) { try repository.refreshIndex(paths) }
    #expect(!repository.isIndexLocked)
  }
}
