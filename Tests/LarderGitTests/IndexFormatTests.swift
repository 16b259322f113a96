import Foundation
import LarderGit
import LarderText
import Seeded
import Testing

/// The git program writes the index, and libgit2 where there is none.
///
/// Both have to give the same entries, in an index that git trusts.
@Suite struct IndexFormatTests {
  let sandbox: Sandbox
  let repository: Repository

  init() throws {
    sandbox = try Sandbox()
    repository = try sandbox.create()
  }

  private func git(_ arguments: String..., index: String) throws -> String {
    let path = sandbox.path("household/.git/" + index)
    let outcome = try sandbox.run("GIT_INDEX_FILE=" + path, ["git"] + arguments)
    guard outcome.status == 0 else {
      throw Sandbox.Failure(arguments: arguments, output: outcome.output)
    }
    return outcome.output
  }

  private func refresh(_ index: String, _ paths: [FilePath: (ObjectID, FileMode)?]) throws {
    repository.indexPath = sandbox.path("household/.git/" + index)
    try repository.refreshIndex(paths)
  }

  /// Names that take each other's place as file and folder, and that git orders in different ways.
  private static let names: [FilePath] = [
    "a", "a/b", "a/b/c", "a-b", "a.b", "a0", "b", "b/ä", "b/z/1", "b/z/2", "b/z0", "c/1", "c/2",
    "Küche/Öl", "z",
  ]

  @Test("changed by git and by libgit2, an index gets the same entries and the same trees")
  func sameEntries() throws {
    let seed = UInt64.random(in: 0...UInt64(UInt32.max))
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    try sandbox.commit(["a": "1", "b/ä": "2", "b/z/1": "3", "c/1": "4"])
    let indexes = ["git", "library"]
    let git = repository.gitProgram
    for index in indexes {
      try FileManager.default.copyItem(
        atPath: sandbox.path("household/.git/index"),
        toPath: sandbox.path("household/.git/" + index))
    }
    let contents = try ["1", "2", "3"].map { try repository.writeBlob([UInt8]($0.utf8)) }
    for round in 0..<40 {
      var paths: [FilePath: (ObjectID, FileMode)?] = [:]
      for _ in 0...Int.random(in: 0...2, using: &random) {
        let path = Self.names.randomElement(using: &random) ?? "a"
        let isOver = paths.keys.contains { other in
          path.text.hasPrefix(other.text + "/") || other.text.hasPrefix(path.text + "/")
        }
        guard !isOver else { continue }
        let id = contents.randomElement(using: &random) ?? contents[0]
        paths[path] = .some(Bool.random(using: &random) ? (id, .file) : nil)
      }
      let lists = try indexes.map { index in
        repository.gitProgram = index == "git" ? git : nil
        try refresh(index, paths)
        return try self.git("ls-files", "--stage", index: index)
      }
      #expect(lists[0] == lists[1], "seed \(seed), round \(round): \(paths)")
      // Git notes the ids of all folders in the index, and takes them from there the next time.
      let trees = try indexes.map { try self.git("write-tree", index: $0) }
      #expect(trees[0] == trees[1], "seed \(seed), round \(round): \(paths)")
    }
  }

  @Test("a path of more than 4,095 bytes has its place")
  func longPath() throws {
    try sandbox.commit(["a": "1", "z": "1"])
    let id = try repository.writeBlob([UInt8]("1".utf8))
    let long = String(repeating: "long/", count: 900)
    for name in [long + "1", long + "2", "m"] {
      try refresh("index", [FilePath(name): .some((id, .file))])
    }
    #expect(try sandbox.git("ls-files") == "a\n\(long)1\n\(long)2\nm\nz")
    try refresh("index", [FilePath(long + "1"): nil])
    #expect(try sandbox.git("ls-files") == "a\n\(long)2\nm\nz")
  }

  @Test(
    "an index without a checksum is as good as another one if newer versions of git are to leave it out",
    arguments: [("index.skipHash", 2), ("feature.manyFiles", 4)])
  func noChecksum(setting: String, version: Int) throws {
    try sandbox.commit(["a": "1", "b/c": "2"])
    try sandbox.git("config", setting, "true")
    try sandbox.git("update-index", "--index-version", "\(version)")
    let index = URL(fileURLWithPath: repository.indexPath)
    for text in ["3", "4"] {
      let bytes = try Data(contentsOf: index)
      try (bytes.dropLast(20) + Data(count: 20)).write(to: index)
      #expect(repository.indexDamage() == nil)
      let id = try repository.writeBlob([UInt8](text.utf8))
      try repository.refreshIndex(["b/c": .some((id, .file))])
      #expect(
        try sandbox.git("rev-parse", ":a", ":b/c") == "\(try sandbox.id("HEAD:a").hex)\n\(id.hex)")
    }
    let bytes = try Data(contentsOf: index)
    try (bytes.dropLast(20) + Data(count: 20)).write(to: index)
    try sandbox.git("config", setting, "false")
    #expect(repository.indexDamage() != nil)
    // It is known as what it is, and whole again with a checksum, whatever is staged.
    let staged = try sandbox.git("ls-files", "--stage")
    #expect(repository.isIndexUnchecked)
    try repository.writeChecksum()
    #expect(repository.indexDamage() == nil && !repository.isIndexUnchecked)
    #expect(try sandbox.git("ls-files", "--stage") == staged)
  }

  @Test("a damaged index is told of, wherever its bytes are wrong or missing")
  func damage() throws {
    try sandbox.commit(["a": "1", "b/c": "2"])
    let path = repository.indexPath
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    let id = try repository.writeBlob([UInt8]("3".utf8))
    let git = repository.gitProgram
    for place in stride(from: 4, to: whole.count, by: 5) {
      var wrong = whole
      wrong[place] ^= 0x55
      for bytes in [wrong, whole.prefix(place)] {
        try bytes.write(to: URL(fileURLWithPath: path))
        #expect(repository.indexDamage() != nil, "\(bytes.count) bytes, place \(place)")
        repository.gitProgram = nil
        #expect(throws: GitError.self) { try repository.refreshIndex(["a": .some((id, .file))]) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
        repository.gitProgram = git
      }
    }
    // A file that was cut short may end with the zeros of an entry, as if it had no checksum.
    let entries = try #require(whole.range(of: Data("TREE".utf8))).lowerBound
    for length in 0..<entries {
      try (whole.prefix(length) + Data(count: 24)).write(to: URL(fileURLWithPath: path))
      #expect(repository.indexDamage() != nil, "\(length) bytes and zeros")
      // The last entry ends with zeros of its own.
      #expect(!repository.isIndexUnchecked || length + 4 >= entries, "\(length) bytes and zeros")
      #expect(throws: GitError.self) { try repository.indexEntries() }
      #expect(throws: GitError.self) { try repository.refreshIndex(["a": .some((id, .file))]) }
    }
    try whole.write(to: URL(fileURLWithPath: path))
    #expect(repository.indexDamage() == nil)
  }
}
