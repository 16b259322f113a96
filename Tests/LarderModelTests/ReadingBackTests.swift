import LarderModel
import Testing

@Suite("What was written is read back the same")
struct ReadingBackTests {
  @Test(
    "whatever a batch's file lacks",
    arguments: [
      #""quantity": null"#, #""status": null"#, #""quantity": null, "status": null"#,
      #""quantity": {"value": 2}"#,
    ], [0, 2])
  func incompleteBatch(_ members: String, _ left: Int) throws {
    let changes = #"[{"id": #9, "at": @1, "set": \#(left), "why": "count", "by": "phone"}]"#
    let batch = try entity(.inventoryItem, #"\#(members), "changes": \#(changes)"#)
    #expect(try batch.reread() == batch)
    #expect(batch.isConsumed == (left == 0))
    #expect(batch.joined(with: batch) == batch)
    #expect(try batch.joined(with: batch.reread()).text == batch.text)
  }

  private static let end = "9998-12-31T23:59:59.999Z"

  @Test("at the end of time too, where a later stamp could not be written")
  func endOfTime() throws {
    let times = #""createdAt": "\#(Self.end)", "updatedAt": "\#(Self.end)""#
    let outcome = try adoptEdit(.stockItem, from: times, to: #""name": "Milk", \#(times)"#)
    #expect(outcome.entity.title == "Milk")
    #expect(outcome.entity.updatedAt.description == Self.end)
  }

  @Test("at the end of time lines that people wrote alike are as many")
  func linesAtTheEndOfTime() throws {
    let times = #""createdAt": "\#(Self.end)", "updatedAt": "\#(Self.end)""#
    let lines = Array(repeating: #"{"delta": 2}"#, count: 5).joined(separator: ", ")
    let outcome = try adoptEdit(
      .stockItem, from: times, to: #"\#(times), "changes": [\#(lines)]"#)
    #expect(outcome.entity.quantity == Quantity(Number(10), .piece))
  }
}
