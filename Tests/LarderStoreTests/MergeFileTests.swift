import HomeSupport
import LarderStore
import LarderText
import Testing

@Suite("The file-level merge driver")
struct MergeFileTests {
  private let start = """
    { "id": "0193a4b2-0000-7000-8000-0000000000f1", "name": "x", "createdAt": "2026-11-01T08:00:00.000Z"
    """

  private func merge(_ base: String, _ ours: String, _ theirs: String) -> String? {
    MergeFile.merge(
      base: Array(base.utf8), ours: Array(ours.utf8), theirs: Array(theirs.utf8),
      path: "stock/x.json"
    ).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("a line that undoes the same entry twice, or again, comes once", .timeLimit(.minutes(10)))
  func undoesTwice() throws {
    let line = #"{ "undoes": "0193a4b2-0000-7000-8000-000000000005" }"#
    let twice = try #require(
      merge(start + "}", start + ", \"changes\": [\(line), \(line)] }", start + "}"))
    #expect(twice.components("undoes") == 1)
    let again = try #require(merge(twice, start + ", \"changes\": [\(line)] }", twice))
    #expect(again == twice)
  }

  @Test("what a side wrote with a later stamp wins over an edit without one only if it is later")
  func latestTime() throws {
    let edited = start.replacing("\"x\"", with: "\"by hand\"") + "}"
    let other = start + #", "edited": { "name": "2026-11-02T08:00:00.000Z" } }"#
    let merged = try #require(merge(start + "}", edited, other))
    #expect(merged.contains("by hand"))
  }
}

extension String {
  fileprivate func components(_ word: String) -> Int { ranges(of: word).count }
}
