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

  @Test("it shows what there is: nothing that is closed, thrown away, or says nothing")
  func present() throws {
    for (path, bytes) in try Checkout.jsonFiles(in: Checkout.sample) {
      let kind = try #require(Kind(path: path))
      let entity = try #require(Entity(try EntityFile(kind, parsing: bytes)))
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(kind != .shoppingListEntry || !entity.isTombstone, "\(path) is closed")
      #expect(
        !text.contains(#""status": "discarded""#) || entity.quantity.value == .zero, "\(path)")
      #expect(
        !text.contains(#""quantityLoose": 0,"#) || !entity.ledger.entries.isEmpty, "\(path)")
    }
  }
}
