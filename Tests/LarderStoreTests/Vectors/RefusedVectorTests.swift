import HomeSupport
import LarderGit
import LarderJSON
import LarderModel
import LarderStore
import LarderText
import Testing
import TestSupport

@Suite("The vectors of refused files")
struct RefusedVectorTests {
  @Test(
    "what was refused means what the vector shows, in the next commit and in a new clone",
    arguments: try Vector.all(in: "refused"))
  func refused(_ vector: Vector) throws {
    let history = try RecordedHistory(vector["commits"]?.members ?? [])
    let store = try clone(of: history.folder("home"), "adopted", history)
    _ = try store.adopt()
    if let name = vector["join"]?.string, let other = history.commits[name] {
      try Git.run("fetch", "-q", history.folder("home"), other, in: store.root)
      let id = try #require(ObjectID(hex: other))
      _ = try store.join(id, from: "home", joiningHistories: false)
    }
    _ = try store.mendAttributes()
    let results = try results(of: store)
    let new = try clone(of: store.root, "new", history)
    #expect(try self.results(of: new) == results)
    let mistakes = try store.read().household.untaken
    #expect(try new.read().household.untaken == mistakes)
    #expect(!mistakes.values.contains(FileMistakes([.incomplete])), "the first reason is told")
    guard !Vector.updates else { return try vector.update(results) }
    for result in results where result.key != "trailer" {
      #expect(vector.file(result.key).map(text) == text(result.value.writeFile()), "\(result.key)")
    }
    #expect(vector["trailer"] == results.first { $0.key == "trailer" }?.value)
    #expect(try vector.isCanonical())
  }

  private func clone(of path: String, _ name: String, _ history: RecordedHistory) throws -> Store {
    try Store.join(
      path, into: history.folder(name), program: "larder",
      context: StoreContext(now: { Instant(milliseconds: 1_800_000_000_000) }, device: "phone"))
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  private func results(of store: Store) throws -> [JSONMember] {
    let household = try store.read().household
    let means = try household.untaken.keys.sorted().compactMap { path in
      try household.key(at: path).flatMap { household[$0] }.map {
        JSONMember(path.text, try JSON(parsing: $0.fileBytes))
      }
    }
    let files = try store.files().sorted { $0.key < $1.key }.filter { $0.key != ".gitattributes" }
      .map { path, text in
        let value = try? JSON(parsing: Array(text.utf8))
        let isPlain = value.map { $0.writeFile().elementsEqual(text.utf8) } ?? false
        return JSONMember(path.text, isPlain ? value ?? .null : .string(text))
      }
    let message = try Git.run("log", "-1", "--format=%B", in: store.root)
    let line = message.split(separator: "\n").first { $0.hasPrefix("Larder-Refused: ") }
    let trailer = line.map { [JSONMember("trailer", .string(String($0.dropFirst(16))))] } ?? []
    return [JSONMember("files", .object(files))] + trailer + [JSONMember("means", .object(means))]
  }
}
