import Foundation
import HomeSupport
import LarderJSON
import LarderModel
import LarderStore
import LarderText
import Testing
import TestSupport

@Suite("The vectors of adoption")
struct AdoptionVectorTests {
  @Test("there are vectors of every part of adoption")
  func parts() throws {
    let names = try Vector.all(in: "adoption").map(\.name)
    for part in ["consumed", "copy", "later-stamp", "line", "merge", "new", "number", "receipt"] {
      #expect(names.count { $0.hasPrefix(part) } >= 2, "\(part)")
    }
  }

  @Test(
    "what plain git committed becomes the files that the vector shows",
    arguments: try Vector.all(in: "adoption"))
  func adoption(_ vector: Vector) throws {
    let (adopted, gone) = try adopt(vector)
    guard !Vector.updates else {
      return try vector.update(
        [JSONMember("adopted", adopted)] + (gone.isEmpty ? [] : [JSONMember("gone", .array(gone))]))
    }
    #expect(
      String(decoding: adopted.writeFile(), as: UTF8.self)
        == vector.file("adopted").map { String(decoding: $0, as: UTF8.self) })
    #expect(vector["gone"]?.array ?? [] == gone)
    #expect(try vector.isCanonical())
  }

  /// The files that plain commits wrote or that adopting them changed, as they are then, and the paths
  /// of the files that adopting them removed.
  private func adopt(_ vector: Vector) throws -> (adopted: JSON, gone: [JSON]) {
    let history = try RecordedHistory(vector["commits"]?.members ?? [])
    let store = try Store.join(
      history.folder("home"), into: history.folder("adopted"), program: "larder",
      context: StoreContext(now: { Instant(milliseconds: 1_800_000_000_000) }, device: "phone"))
    _ = try store.adopt()
    #expect(try store.adopt().commit == nil, "adopting again finds nothing")
    let all = try store.files()
    let files = all.filter { path, text in
      path.hasSuffix(".json") && (history.files[path] != text || history.touched.contains(path))
    }
    let adopted = try files.sorted { $0.key < $1.key }.map { path, text in
      JSONMember(path.text, try shown(text))
    }
    let gone = history.files.keys.filter { all[$0] == nil }.sorted()
    return (.object(adopted), gone.map { .string($0.text) })
  }

  /// A file as vectors show it: its value where its text is laid out as Larder does.
  private func shown(_ text: String) throws -> JSON {
    guard let value = try? JSON(parsing: Array(text.utf8)),
      value.writeFile().elementsEqual(text.utf8)
    else { return .string(text) }
    return value
  }
}
