import TestSupport
import Testing

@testable import LarderCLI

@Suite("Dates as they stand on packages")
struct PackageDateTests {
  @Test(
    "each kind of date has an option, and the text on the package one beside it",
    arguments: [
      ("--expiry", "expiry"), ("--best-before", "bestBefore"), ("--use-by", "useBy"),
      ("--manufactured", "manufactured"), ("--packaged", "packaged"),
    ])
  func kinds(option: String, kind: String) throws {
    let nest = try Nest()
    try nest.prepare("stock new Rice 1", "put rice 2 \(option) 2026-12-01 --raw-text '1 DEC 26'")
    let batch = try nest.batch(of: "rice")
    #expect(batch.contains(#""kind": "\#(kind)""#))
    #expect(batch.contains(#""isoDate": "2026-12-01""#))
    #expect(batch.contains(#""rawText": "1 DEC 26""#))
    #expect(try nest("check").code == 0)
  }

  @Test(
    "what expires is used before what only says how old it is, and of that the older one first",
    arguments: ["--manufactured", "--packaged"])
  func order(option: String) throws {
    let nest = try Nest()
    try nest.prepare(
      "stock new Cheese 0g", "put cheese 100g \(option) 2026-11-10",
      "put cheese 100g \(option) 2026-11-01", "put cheese 100g --lot X",
      "put cheese 100g --expiry 2027-11-30")
    let taken = try (1...4).map { _ in try nest("use cheese 100g").output }
    for (output, lot) in zip(taken, ["2027-11-30", "2026-11-01", "2026-11-10", "batch of X"]) {
      #expect(output.contains(lot), "\(taken)")
    }
  }

  @Test("no list, filter, calendar or table takes the day of making for a last day")
  func noLastDay() throws {
    let nest = try Nest()
    try nest.prepare(
      "stock new Rice", "put rice 2 --packaged 2026-11-03", "stock new Milk",
      "put milk 1 --expiry 2026-12-03")
    #expect(
      try nest("stock list --batches 'expiry<2026-12-24' --plain").records.map { $0[0] } == ["Milk"]
    )
    #expect(
      try nest("stock list --batches --sort expiry --plain").records.map { $0[0] }
        == ["Milk", "Rice"])
    #expect(!(try nest("export ics").output.contains("20261103")))
    let table = try nest("export csv batches").output
    #expect(table.contains("packed 2026-11-03"))
    let other = try Nest()
    try other.write("name,quantity,expiry\nRice,2,packed 2026-11-03\n", to: "t.csv")
    try other.prepare("import csv t.csv")
    #expect(try other("stock list --batches rice").output.contains("packed 2026-11-03"))
    #expect(try other("stock expired --plain").records.isEmpty)
  }

  @Test(
    "what is said of one day in different ways is two lots, and nothing of it is lost",
    arguments: [
      ("--manufactured 2026-12-01", "--expiry 2026-12-01"),
      ("--use-by 2026-12-01", "--best-before 2026-12-01"),
      ("--expiry 2026-12-01", "--best-before 2026-12-01"),
      ("--expiry 2026-12-01", "--expiry 2026-12-01 --confidence 0.5"),
      ("--expiry 2026-12-01 --raw-text '1 DEC'", "--expiry 2026-12-01 --raw-text 01.12.26"),
      ("--expiry 2026-12-01", "--expiry 2026-12-01 --raw-text 01.12.26"),
      ("--lot L7 --notes 'from Ann'", "--lot L7 --notes 'from Ben'"),
      ("--opened 2026-11-20", "--opened 2026-11-20 --confidence 0.9"),
    ])
  func saidOfOneDay(one: String, other: String) throws {
    let nest = try Nest()
    try nest.prepare("stock new Cheese 0g")
    for said in [one, other, one, other] {
      let added = try nest("put cheese 100g \(said)")
      #expect(added.code == 0, "\(added.errors)")
    }
    #expect(
      try nest("stock list --batches --plain").records.map { $0[1] } == ["200", "200"])
    #expect(try nest("check").code == 0)
  }
}

@Suite("What was thrown away and is wanted back")
struct SpoiltBatchTests {
}

extension Nest {
  /// The text of the file of an item's batch.
  fileprivate func batch(of item: String) throws -> String {
    let path = try self("stock list --batches \(item) --json").output
      .split(separator: "\"").first { $0.hasPrefix("batches/") }
    return try read(String(try #require(path)))
  }
}
