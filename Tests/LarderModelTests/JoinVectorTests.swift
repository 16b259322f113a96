import LarderJSON
import LarderModel
import TestSupport
import Testing

@Suite("The vectors of the join")
struct JoinVectorTests {
  @Test("two or three versions become the one that the vector shows, in any order")
  func joins() throws {
    let vectors = try Vector.all(in: "join")
    #expect(vectors.count >= 12)
    for vector in vectors {
      let kind = try #require(
        vector["kind"]?.string.flatMap(Kind.init(rawValue:)), "\(vector.name)")
      let versions = try ["ours", "theirs", "third"].compactMap { key in
        try vector.file(key).map { try entity(kind, $0, "\(vector.name), \(key)") }
      }
      try #require(versions.count >= 2, "\(vector.name)")
      let joined = versions.dropFirst().reduce(versions[0]) { $0.joined(with: $1) }
      if Vector.updates {
        try vector.update([JSONMember("joined", try JSON(parsing: joined.fileBytes))])
        continue
      }
      #expect(
        joined.text == vector.file("joined").map { String(decoding: $0, as: UTF8.self) },
        "\(vector.name)")
      let backwards = versions.reversed().dropFirst()
        .reduce(versions[versions.count - 1]) { $0.joined(with: $1) }
      #expect(backwards.fileBytes == joined.fileBytes, "\(vector.name)")
      for version in versions {
        #expect(joined.joined(with: version).fileBytes == joined.fileBytes, "\(vector.name)")
      }
      #expect(try vector.isCanonical(), "\(vector.name)")
    }
  }

  private func entity(_ kind: Kind, _ bytes: [UInt8], _ place: String) throws -> Entity {
    let entity = try #require(Entity(try EntityFile(kind, parsing: bytes)), "\(place)")
    #expect(entity.fileBytes == bytes, "\(place)")
    return entity
  }
}
