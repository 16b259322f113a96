import LarderModel
import LarderText
import Testing
import TestSupport

@Suite("Ledger entries and instants are read by a short way and a long one")
struct EntryReadingTests {
  @Test("an entry that takes the long way comes to the same")
  func longWay() throws {
    for (path, bytes) in try Checkout.jsonFiles(in: Checkout.sample) {
      let kind = try #require(Kind(path: path))
      let text = String(decoding: bytes, as: UTF8.self)
      let unusual = text.replacing("    { \"id\"", with: "    { \"nothing\": null, \"id\"")
      let file = try EntityFile(kind, parsing: Array(unusual.utf8))
      let entity = try #require(Entity(file))
      #expect(String(decoding: entity.fileBytes, as: UTF8.self) == text, "\(path)")
    }
  }

  @Test(
    "an instant that is not canonical comes to the same as the canonical one",
    arguments: [
      ("2026-11-03T19:12:44.120Z", "2026-11-03t19:12:44.12z"),
      ("2026-02-28T23:59:59.000Z", "2026-02-28 23:59:60Z"),
      ("1969-12-31T23:59:59.999Z", "1970-01-01T01:59:59.9999+02:00"),
      ("0000-01-01T00:00:00.000Z", "0000-01-01T00:00:00Z"),
      ("9998-12-31T23:59:59.999Z", "9998-12-31T12:29:59.999-11:30"),
    ])
  func instants(canonical: String, other: String) throws {
    let instant = try #require(Instant(canonical))
    #expect(Instant(other) == instant)
    #expect(instant.description == canonical)
  }

  @Test(
    "what is no instant is refused",
    arguments: [
      "2026-02-29T00:00:00.000Z", "2026-13-01T00:00:00.000Z", "2026-11-03T24:00:00.000Z",
      "2026-11-03T19:60:44.120Z", "2026-11-03T19:12:61.120Z", "2026-11-03T19:12:44.120",
      "2026-11-03", "", "9998-12-31T23:59:59.999-00:01",
    ])
  func noInstants(text: String) {
    #expect(Instant(text) == nil)
  }

  @Test(
    "numbers are written plainly",
    arguments: [
      ("0", "0"), ("-0", "0"), ("1e3", "1000"), ("0.10", "0.1"), ("-12.000001", "-12.000001"),
      ("123456789012345", "123456789012345"), ("-1.5", "-1.5"), ("10", "10"), ("0.05", "0.05"),
    ])
  func numbers(text: String, plain: String) {
    #expect(Number(text)?.description == plain)
  }

  @Test(
    "what is no number of the format is refused", arguments: ["007", "+1", "1.", "", "0.1234567"])
  func noNumbers(text: String) {
    #expect(Number(text) == nil)
  }
}
