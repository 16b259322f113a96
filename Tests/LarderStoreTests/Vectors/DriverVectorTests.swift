import LarderJSON
import LarderStore
import LarderText
import Testing
import TestSupport

@Suite("The vectors of git's merge driver")
struct DriverVectorTests {
  @Test("two sides and their ancestor become the file that the vector shows, whichever is ours")
  func merges() throws {
    let vectors = try Vector.all(in: "driver")
    #expect(vectors.count >= 4)
    for vector in vectors {
      let path = FilePath(try #require(vector["path"]?.string, "\(vector.name)"))
      let (ours, theirs) = (
        try #require(vector.file("ours"), "\(vector.name)"),
        try #require(vector.file("theirs"), "\(vector.name)")
      )
      let base = vector.file("ancestor")
      let merged = MergeFile.merge(base: base, ours: ours, theirs: theirs, path: path)
      if Vector.updates {
        var results = [JSONMember("exit", .number(merged == nil ? "1" : "0"))]
        if let merged { results.append(JSONMember("merged", try JSON(parsing: merged))) }
        try vector.update(results)
        continue
      }
      #expect(vector["exit"]?.number == (merged == nil ? "1" : "0"), "\(vector.name)")
      #expect(
        merged.map { String(decoding: $0, as: UTF8.self) }
          == vector.file("merged").map { String(decoding: $0, as: UTF8.self) }, "\(vector.name)")
      #expect(
        MergeFile.merge(base: base, ours: theirs, theirs: ours, path: path) == merged,
        "\(vector.name)")
      #expect(try vector.isCanonical(), "\(vector.name)")
    }
  }
}
