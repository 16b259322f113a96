import LarderModel
import Testing

/// What took quadratic time or worse would not end.
@Suite("Ledgers of many years", .timeLimit(.minutes(2)))
struct LongLedgerTests {
  private static let size = 8_000

  private func lines(_ line: (Int) -> String) -> String {
    "[" + (0..<Self.size).map(line).joined(separator: ", ") + "]"
  }

  private func entry(_ number: Int, unit: String = "gram") -> String {
    #"{"id": #\#(number), "at": @2+\#(number), "delta": 1, "unit": "\#(unit)", "why": "add", "by": "a"}"#
  }

  @Test("thousands of lines alike, written by hand, are taken one by one")
  func looseLines() throws {
    let changes = lines { _ in #"{"delta": 1}"# }
    let file = try file(.stockItem, #""quantityInStock": null, "changes": \#(changes)"#)
    let outcome = try adopt(file)
    #expect(outcome.entity.quantity.value == Number(Self.size))
    let again = try adopt(file, over: [file], known: outcome.entity)
    #expect(again.entity == outcome.entity)
  }

  @Test("an edit of a file with thousands of entries")
  func edit() throws {
    let all = lines { entry($0) }
    let before = #""unit": "gram", "quantityInStock": \#(Self.size), "changes": \#(all)"#
    let half = "[" + (0..<Self.size / 2).map { entry($0) }.joined(separator: ", ") + "]"
    let outcome = try adopt(
      try file(
        .stockItem, before.replacing(#""unit": "gram", "q"#, with: #""unit": "kilogram", "q"#)),
      over: [try file(.stockItem, #""unit": "gram", "quantityInStock": 1, "changes": \#(half)"#)],
      known: try entity(.stockItem, #""unit": "gram", "changes": \#(half)"#))
    #expect(outcome.entity.ledger.entries.count == Self.size + 1)
  }

  @Test("thousands of entries that do not convert are found")
  func unconvertible() throws {
    let item = try entity(.stockItem, #""changes": \#(lines { entry($0, unit: "liter") })"#)
    #expect(item.ledger.unconvertible(to: .piece).count == Self.size)
    #expect(item.ledger.counting.count == Self.size)
  }
}
