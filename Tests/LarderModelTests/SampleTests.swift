import LarderModel
import LarderText
import Testing
import TestSupport

@Suite("The sample household")
struct SampleTests {
  @Test("every file is read and written again byte for byte")
  func roundTrip() throws {
    for (path, bytes) in try Checkout.jsonFiles(in: Checkout.sample) {
      let kind = try #require(Kind(path: path))
      let file = try EntityFile(kind, parsing: bytes)
      #expect(file.isComplete)
      let entity = try #require(Entity(file))
      #expect(
        String(decoding: entity.fileBytes, as: UTF8.self) == String(decoding: bytes, as: UTF8.self),
        "\(path)")
    }
  }
}
