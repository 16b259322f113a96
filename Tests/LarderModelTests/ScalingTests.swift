import Foundation
import LarderJSON
import LarderModel
import LarderText
import Testing
import TestSupport

@Suite("Long files take no longer than they are", .timeLimit(.minutes(2)))
struct ScalingTests {
  private func receipt(_ count: Int, _ more: String) throws -> EntityFile {
    let line = #"{"itemName": "Milk", "quantity": 1, "itemId": #101\#(more)}"#
    let items = (0..<count).map { _ in line }.joined(separator: ", ")
    return try file(.receipt, #""items": [\#(items)]"#)
  }

  @Test(
    "a receipt of many lines, loose or with dates", arguments: ["", #", "expiry": "2026-12-01""#])
  func receipts(more: String) throws {
    var start = Household()
    start.put(try entity(.stockItem, #""id": #101"#), at: "stock/milk.json")
    try expectLinear(500) { count in
      let written = try adopt(try receipt(count, more)).entity
      return try processorSeconds {
        var edit = Edit(start)
        edit.put(written)
        edit.replenish(from: nil, to: written, at: moment(12), device: "phone")
        let item = try #require(edit.after.all(.stockItem).first)
        #expect(Stock(edit.after).total(of: item) == Number(count))
        edit.replenish(
          from: written, to: written.deleted(at: moment(13)), at: moment(13), device: "phone")
      }
    }
  }

  @Test("what came to a long ledger, and what counts in it")
  func ledger() throws {
    try expectLinear(2_000) { count in
      let lines = (0..<count).map {
        #"{"id": #\#(1000 + $0), "at": @3, "delta": 1, "why": "add", "by": "a"}"#
      }
      let short = try entity(
        .stockItem, #""changes": [\#(lines.dropLast().joined(separator: ", "))]"#)
      let long = try entity(.stockItem, #""changes": [\#(lines.joined(separator: ", "))]"#)
      return processorSeconds {
        let change = EntityDifference(
          from: .init(short, at: "stock/a.json"), to: .init(long, at: "stock/a.json"))
        #expect(change?.entries.count == 1)
        #expect(long.ledger.entries.count { long.ledger.counts($0) } == count)
        var ledger = Ledger()
        for entry in long.ledger.entries.shuffled() { ledger.insert(entry) }
        #expect(ledger == long.ledger)
      }
    }
  }

  @Test("a list or an object past its bound is too large, with the number, and is not read")
  func bounds() throws {
    let line = #"{"itemName": "x", "quantity": 1}"#
    let receipt = { (count: Int) in
      let lines = Array(repeating: line, count: count).joined(separator: ",")
      return Array("{\"shopName\": \"x\", \"items\": [\(lines)]}".utf8)
    }
    _ = try EntityFile(.receipt, parsing: receipt(10_000))
    #expect(throws: FileMistakes.self) { try EntityFile(.receipt, parsing: receipt(10_001)) }
    let changes = Array(repeating: #"{"delta":1}"#, count: 100_001).joined(separator: ",")
    #expect(throws: FileMistakes.self) {
      try EntityFile(
        .stockItem, parsing: Array("{\"name\": \"x\", \"changes\": [\(changes)]}".utf8))
    }
    let keys = (0..<1_001).map { "\"k\($0)\": 1" }.joined(separator: ",")
    for text in ["{\"name\": \"x\", \(keys)}", "{\"name\": \"x\", \"edited\": {\(keys)}}"] {
      do {
        _ = try EntityFile(.stockItem, parsing: Array(text.utf8))
        Issue.record("it was read")
      } catch {
        guard case .content(let problem, at: _)? = error.all.first else {
          Issue.record("\(error)")
          continue
        }
        #expect(
          problem.kind == .tooMany(found: text.contains("edited") ? 1_001 : 1_002, most: 1_000))
      }
    }
  }

  @Test("of thousands of mistakes in one file the first 20 are told")
  func mistakes() throws {
    let text = "{\"items\": [" + Array(repeating: "0", count: 9_000).joined(separator: ",") + "]}"
    do {
      _ = try EntityFile(.receipt, parsing: Array(text.utf8))
      Issue.record("it was read")
    } catch {
      #expect(error.all.count == 20)
    }
  }
}
