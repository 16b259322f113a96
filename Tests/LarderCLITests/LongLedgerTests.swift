import Foundation
import TestSupport
import Testing

/// A household with one item, which was added to many times.
private struct LongLedger {
  let nest: HouseholdFixture

  init(_ count: Int) throws {
    nest = try HouseholdFixture()
    let entries = (1...count).map { number in
      let id = String(format: "00000000-0000-4000-8000-%012d", number)
      let day = String(format: "%02d", 1 + number % 20)
      return
        #"{"id": "\#(id)", "at": "2026-11-\#(day)T09:00:00Z", "delta": 1, "why": "add", "by": "phone"}"#
    }
    try nest.write(
      #"{"name": "Milk", "changes": [\#(entries.joined(separator: ",\n"))]}"#, to: "stock/milk.json"
    )
  }

  func seconds(_ words: String) throws -> Double {
    let words = words.split(separator: " ").map(String.init)
    let run = try #require(try nest.larder.timed(words, in: "home/nest"))
    #expect(run.outcome.code == 0, "\(words): \(run.outcome.errors)")
    return run.seconds
  }
}

@Suite("Commands on a long ledger take no longer than it is", .timeLimit(.minutes(4)))
struct LongLedgerTests {
  @Test("adopted, shown, used, undone, looked up, compared and checked")
  func linear() throws {
    let size = 500
    let ledgers = [size: try LongLedger(size), 4 * size: try LongLedger(4 * size)]
    let commands = [
      "adopt", "stock list", "stock show milk", "stock show milk --json", "stock use milk",
      "undo --yes", "stock count milk 3", "log milk", "log --limit 3", "diff", "check", "conflicts",
    ]
    for words in commands {
      try expectLinear(size, words) { count in
        try #require(ledgers[count]).seconds(words)
      }
    }
  }
}
