import Foundation
import LarderGit
import LarderText
import Testing

@Suite struct TreeTests {
  let sandbox: Sandbox
  let repository: Repository

  init() throws {
    sandbox = try Sandbox()
    repository = try sandbox.create()
  }

  @Test("the files of a tree are those that git lists, with their modes, in its order")
  func entries() throws {
    try sandbox.write("run.sh", "#!/bin/sh\n")
    chmod(sandbox.path("household/run.sh"), 0o755)
    symlink("run.sh", sandbox.path("household/link"))
    let commit = try sandbox.commit([
      "a": "1", "a.b": "2", "a-b/c": "3", "ab/d/e": "4", "ü/ö.json": "5", "Z": "6",
    ])
    let tree = try repository.commit(commit).tree
    let listed = try sandbox.git("-c", "core.quotePath=false", "ls-tree", "-r", tree.hex)
    let expected = listed.split(separator: "\n").map { String($0) }
    let modes: [FileMode: String] = [.file: "100644", .executable: "100755", .symlink: "120000"]
    let entries = try repository.entries(of: tree)
    #expect(
      entries.map { "\(modes[$0.mode] ?? "?") blob \($0.id)\t\($0.path)" } == expected)
    for entry in entries { #expect(try repository.entry(at: entry.path, in: tree) == entry) }
    #expect(try repository.entry(at: "ab/d", in: tree) == nil)
    #expect(try repository.entry(at: "ab/x", in: tree) == nil)
    #expect(try repository.entry(at: "a/x", in: tree) == nil)
    #expect(try repository.folder(at: "ab/d", in: tree) == sandbox.id("\(tree.hex):ab/d"))
    #expect(try repository.folder(at: "a", in: tree) == nil)
  }

  @Test("a submodule is listed as one, and kept when another path changes")
  func submodule() throws {
    let first = try sandbox.commit(["a": "1"])
    try sandbox.git("update-index", "--add", "--cacheinfo", "160000,\(first.hex),sub/module")
    let tree = try sandbox.git("write-tree")
    let id = try #require(ObjectID(hex: tree))
    let entry = try repository.entry(at: "sub/module", in: id)
    #expect(entry == TreeEntry(path: "sub/module", id: first, mode: .submodule))
    let blob = try repository.writeBlob([1])
    let changed = try repository.writeTree(from: id, changing: ["sub/x": .some((blob, .file))])
    #expect(try repository.entry(at: "sub/module", in: changed) == entry)
  }

  struct Replacement: CustomTestStringConvertible, Sendable {
    var base: [FilePath]
    var set: [FilePath] = []
    var removed: [FilePath] = []
    var result: [FilePath]
    var testDescription: String { "\(base) +\(set) -\(removed)" }
  }

  @Test(
    "files and folders take each other's place, and emptied folders vanish",
    arguments: [
      Replacement(base: ["a"], set: ["b/c/d"], result: ["a", "b/c/d"]),
      Replacement(base: ["a"], removed: ["a"], result: []),
      Replacement(base: ["a/b/c", "x"], removed: ["a/b/c"], result: ["x"]),
      Replacement(base: ["a/b", "a/c"], removed: ["a/b"], result: ["a/c"]),
      Replacement(base: ["a"], set: ["a/b"], result: ["a/b"]),
      Replacement(base: ["a"], set: ["a/b"], removed: ["a"], result: ["a/b"]),
      Replacement(base: ["a/b", "a/c/d"], set: ["a"], result: ["a"]),
      Replacement(base: ["a/b"], set: ["a"], removed: ["a/b"], result: ["a"]),
      Replacement(
        base: ["a", "a-b", "a.c"], set: ["a/b"], removed: ["a-b"], result: ["a.c", "a/b"]),
      Replacement(base: ["a"], removed: ["a/b", "c", "d/e"], result: ["a"]),
      Replacement(base: ["a/b"], removed: ["a"], result: ["a/b"]),
      Replacement(base: ["a/b/c"], set: ["a/b"], result: ["a/b"]),
      Replacement(base: [], result: []),
    ])
  func replacement(case: Replacement) throws {
    let old = try repository.writeBlob([UInt8]("old".utf8))
    let new = try repository.writeBlob([UInt8]("new".utf8))
    func some(_ paths: [FilePath], _ id: ObjectID?) -> [FilePath: (ObjectID, FileMode)?] {
      var changes: [FilePath: (ObjectID, FileMode)?] = [:]
      for path in paths { changes[path] = .some(id.map { ($0, .file) }) }
      return changes
    }
    let base = try repository.writeTree(from: nil, changing: some(`case`.base, old))
    #expect(try repository.entries(of: base).map(\.path) == `case`.base.sorted())
    let changes = some(`case`.set, new).merging(some(`case`.removed, nil)) { one, _ in one }
    let tree = try repository.writeTree(from: base, changing: changes)
    #expect(try repository.entries(of: tree).map(\.path) == `case`.result)
    for path in `case`.set { #expect(try repository.entry(at: path, in: tree)?.id == new) }
    try sandbox.git("fsck", "--strict")
  }

  @Test(
    "paths that git forbids are invalid",
    arguments: ["..", ".git/x", "a//b", "/a", "a/", "", "a/../b", ".GIT/hooks"])
  func badPaths(path: FilePath) throws {
    let blob = try repository.writeBlob([1])
    let error = #expect(throws: GitError.self) {
      try repository.writeTree(from: nil, changing: [path: .some((blob, .file))])
    }
    #expect(error?.code == .invalid)
  }

  @Test("a path can't be a file and a folder at once")
  func fileAndFolder() throws {
    let blob = try repository.writeBlob([1])
    let error = #expect(throws: GitError.self) {
      try repository.writeTree(
        from: nil, changing: ["a": .some((blob, .file)), "a/b": .some((blob, .file))])
    }
    #expect(error?.code == .invalid)
  }

  @Test(
    "the differences of two trees are git's, for random trees",
    arguments: [1, 2, 3, 4, 5] as [UInt64])
  func randomChanges(seed: UInt64) throws {
    print("seed \(seed)")
    var random = SplitMix(seed: seed)
    let names = ["a", "a.b", "a-c", "ab", "B", "é"]
    func path() -> FilePath {
      (0...Int.random(in: 0...2, using: &random)).reduce("") { path, _ in
        path.appending(names.randomElement(using: &random) ?? "a")
      }
    }
    var tree = try repository.writeTree(from: nil, changing: [:])
    for _ in 0..<25 {
      var changes: [FilePath: (ObjectID, FileMode)?] = [:]
      for _ in 0..<4 {
        let blob = try repository.writeBlob([UInt8.random(in: 0...3, using: &random)])
        let path = path()
        guard
          !changes.keys.contains(where: {
            "\($0)/".hasPrefix("\(path)/") || "\(path)/".hasPrefix("\($0)/")
          })
        else { continue }
        let mode: FileMode = Bool.random(using: &random) ? .file : .executable
        changes[path] = .some(Bool.random(using: &random) ? (blob, mode) : nil)
      }
      let next = try repository.writeTree(from: tree, changing: changes)
      let expected = try sandbox.git(
        "-c", "core.quotePath=false", "diff-tree", "-r", "--no-renames", "--name-status", tree.hex,
        next.hex
      ).split(separator: "\n").map { String($0) }
      let found = try repository.changes(from: tree, to: next)
      #expect(
        found.map { "\($0.old == nil ? "A" : $0.new == nil ? "D" : "M")\t\($0.path)" } == expected)
      #expect(try repository.changes(from: next, to: tree).map(\.path) == found.map(\.path))
      for change in found {
        #expect(try repository.entry(at: change.path, in: tree) == change.old)
        #expect(try repository.entry(at: change.path, in: next) == change.new)
      }
      tree = next
    }
    #expect(
      try repository.changes(from: nil, to: tree).compactMap(\.new) == repository.entries(of: tree))
    #expect(
      try repository.changes(from: tree, to: nil).compactMap(\.old) == repository.entries(of: tree))
    #expect(try repository.changes(from: tree, to: tree).isEmpty)
    try sandbox.git("fsck", "--strict")
  }

  @Test(
    "files that only get other content give the tree that all files give", arguments: [1, 2, 3])
  func otherContent(seed: UInt64) throws {
    print("seed \(seed)")
    var random = SplitMix(seed: seed)
    func blob() throws -> ObjectID {
      try repository.writeBlob([UInt8.random(in: 0...255, using: &random)])
    }
    let names = ["a", "a.b", "a-b", "a b", "ab", "B", "é", "z/a", "z/b", "z.json", "y/x/w"]
    var files: [FilePath: (ObjectID, FileMode)?] = [:]
    for name in names {
      files["folder/\(name)"] = (try blob(), Bool.random(using: &random) ? .file : .executable)
    }
    var tree = try repository.writeTree(from: nil, changing: files)
    for _ in 0..<20 {
      var changes: [FilePath: (ObjectID, FileMode)?] = [:]
      for path in files.keys.shuffled(using: &random).prefix(3) {
        let mode = files[path]?.map(\.1) ?? .file
        changes[path] = (try blob(), Int.random(in: 0..<8, using: &random) == 0 ? .file : mode)
      }
      files.merge(changes) { $1 }
      tree = try repository.writeTree(from: tree, changing: changes)
      #expect(try tree == repository.writeTree(from: nil, changing: files))
    }
    try sandbox.git("fsck", "--strict")
  }

  @Test("a tree that was cut short is refused, not read past its end", arguments: [0, 1, 19])
  func cutTree(rest: Int) throws {
    let blob = try repository.writeBlob([1])
    var bytes = Array("100644 a\0".utf8) + blob.bytes + Array("100644 b\0".utf8)
    bytes += blob.bytes.prefix(rest)
    try Data(bytes).write(to: URL(filePath: sandbox.path("household") + "/cut"))
    let hex = try sandbox.git("hash-object", "-t", "tree", "--literally", "-w", "cut")
    let tree = try #require(
      ObjectID(hex: hex.trimmingCharacters(in: .whitespacesAndNewlines)))
    #expect(throws: GitError.self) {
      try repository.writeTree(from: tree, changing: ["b": (blob, .file)])
    }
  }

  @Test("a folder deep below others that becomes empty takes them along, and no time")
  func emptiedDeep() throws {
    let blob = try repository.writeBlob([1])
    let deep = FilePath(String(repeating: "d/", count: 60) + "x")
    let tree = try repository.writeTree(
      from: nil, changing: [deep: (blob, .file), "a": (blob, .file)])
    let without = try repository.writeTree(from: tree, changing: [deep: nil])
    #expect(try repository.entries(of: without).map(\.path) == ["a"])
  }

  @Test("ten thousand files are listed quickly")
  func speed() throws {
    let blob = try repository.writeBlob([1])
    var files: [FilePath: (ObjectID, FileMode)?] = [:]
    for number in 0..<10_000 { files["items/2026/item-\(number).json"] = .some((blob, .file)) }
    let tree = try repository.writeTree(from: nil, changing: files)
    let clock = ContinuousClock()
    var count = 0
    _ = try repository.entries(of: tree)
    let time = try clock.measure { count = try repository.entries(of: tree).count }
    print("10,000 entries in \(time)")
    #expect(count == 10_000)
    #expect(time < .milliseconds(500), "ten times what an unoptimised build needs")
  }
}

/// A small generator whose sequence depends on the seed alone.
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var word = state
    word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
    return word ^ (word >> 31)
  }
}
