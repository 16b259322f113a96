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

  @Test("a date of making or packing never expires, and is shown as what it is")
  func origin() throws {
    let nest = try Nest()
    try nest.prepare(
      "stock new Rice", "put rice 2 --packaged 2026-11-03", "stock new Beans",
      "put beans 1 --manufactured 2026-11-21", "stock new Milk", "put milk 1 --expiry 2026-11-03")
    #expect(try nest("stock list --batches rice").output.contains("packed 2026-11-03"))
    #expect(try nest("stock list --batches beans").output.contains("made 2026-11-21"))
    #expect(try nest("stock expired --plain").records.map { $0[0] } == ["Milk"])
    #expect(try nest("stock due 30 --plain").records.isEmpty)
    #expect(!(try nest("stock list rice").output.contains("2026-11-03")))
    #expect(!(try nest("stock summary rice").output.contains("2026")))
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

  @Test("the text on the package stays when opening gives what was packed a last day")
  func openedText() throws {
    let nest = try Nest()
    try nest.prepare(
      "stock new Ham", "product new 4006381333931 --title Ham --item ham --best-after-opening 3",
      "put 4006381333931 1 --packaged 2026-11-01 --raw-text 'PACKED 01 NOV'")
    let opened = try nest("stock open ham")
    #expect(opened.output.contains("keeps until 2026-11-24 now\n"), "\(opened.output)")
    #expect(try nest.batch(of: "ham").contains("PACKED 01 NOV"))
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

  @Test("a guessed day and one from the package are two lots, and two guesses one")
  func guessed() throws {
    let nest = try Nest()
    try nest.prepare(
      "stock new Bread --keeps 7", "put bread 1", "put bread 1", "put bread 1 --expiry 2026-11-28")
    let listed = try nest("stock list --batches").output
    #expect(listed.contains("~2026-11-28"))
    #expect(
      try nest("stock list --batches --plain").records.map { $0[1] }.sorted() == ["1", "2"])
    #expect(try nest("help dates").output.contains("'~2026-12-24' is a guess"))
  }

  @Test("opening gives what was packed a last day, and the day of opening may be later")
  func opening() throws {
    let nest = try Nest()
    try nest.prepare(
      "stock new Ham", "product new 4006381333931 --title Ham --item ham --best-after-opening 3",
      "put 4006381333931 1 --packaged 2026-11-01", "stock open ham --strict")
    let batch = try nest.batch(of: "ham")
    #expect(batch.contains(#""kind": "useBy""#))
    #expect(batch.contains(#""isoDate": "2026-11-24""#))
  }

  @Test("the text alone makes a batch, and is changed and taken off without the day")
  func texts() throws {
    let nest = try Nest()
    try nest.prepare("stock new Tuna", "put tuna 1 --raw-text '12/28'")
    #expect(try nest.batch(of: "tuna").contains(#""rawText": "12/28""#))
    try nest.prepare("stock edit tuna --batch tuna --best-before 2028-12-31 --raw-text '12/28 L4'")
    try nest.prepare("stock edit tuna --batch 2028-12-31 --raw-text '12/28'")
    #expect(try nest.batch(of: "tuna").contains(#""rawText": "12/28""#))
    #expect(try nest.batch(of: "tuna").contains(#""kind": "bestBefore""#))
    try nest.prepare("stock edit tuna --batch 2028-12-31 --raw-text ''")
    #expect(!(try nest.batch(of: "tuna").contains("rawText")))
    #expect(try nest.batch(of: "tuna").contains("2028-12-31"))
    #expect(try nest("stock edit tuna --batch 2028-12-31 --expiry '' --raw-text x").code == 2)
    let two = try nest("put tuna 1 --use-by 2028-12-31 --packaged 2026-01-01")
    #expect(two.code == 2)
    #expect(two.errors.contains("only one of --use-by and --packaged can be given"))
  }
}

@Suite("What was thrown away and is wanted back")
struct SpoiltBatchTests {
  @Test("restore takes the last spoiling of a lot back, of all its batches, once")
  func restored() throws {
    let nest = try Nest()
    try nest.prepare(
      "stock new Bread", "put bread 3 --expiry 2026-11-25", "stock discard bread --batch 2026-11-25"
    )
    #expect(
      try nest("stock restore bread --batch 2026-11-25").output
        == "restored 3 of Bread (batch of 2026-11-25)\n")
    #expect(try nest("stock list bread --plain").records.first?[1] == "3")
    let again = try nest("stock restore bread --batch 2026-11-25")
    #expect(again.errors.contains("nothing to restore: batch of 2026-11-25 is in the stock: 3"))

    try nest.prepare("stock discard bread 1 --batch 2026-11-25")
    #expect(
      try nest("stock restore bread --batch 2026-11-25").output
        == "restored 1 of Bread (batch of 2026-11-25), 3 in it now\n")
    try nest.prepare("undo")
    #expect(try nest("stock list bread --plain").records.first?[1] == "2")
  }

  @Test("what was used, or counted since, does not come back")
  func used() throws {
    let nest = try Nest()
    try nest.prepare(
      "stock new Bread", "put bread 3 --expiry 2026-11-25", "stock discard bread 1", "use bread 2")
    #expect(
      try nest("stock restore bread --batch 2026-11-25").errors
        .contains("nothing to restore: batch of 2026-11-25 is in the stock, but used up"))
    try nest.prepare("put bread 2 --expiry 2026-11-26", "stock discard bread 2")
    try nest.prepare("count bread 0 --batch 2026-11-26")
    #expect(try nest("stock restore bread --batch 2026-11-26").output.isEmpty)
  }

  @Test("an archived batch comes back with what was thrown away of it, or without")
  func archived() throws {
    let nest = try Nest()
    try nest.prepare(
      "stock new Bread", "put bread 3 --expiry 2026-11-25", "stock discard bread 1",
      "stock archive bread --batch 2026-11-25")
    #expect(
      try nest("stock restore bread --batch 2026-11-25").output
        == "restored 2 of Bread (batch of 2026-11-25)\n")
    try nest.prepare("stock discard bread 2", "stock archive bread --batch 2026-11-25")
    #expect(
      try nest("stock restore bread --batch 2026-11-25").output
        == "restored 2 of Bread (batch of 2026-11-25)\n")
  }
}

extension Nest {
  /// The text of the file of an item's batch.
  fileprivate func batch(of item: String) throws -> String {
    let path = try self("stock list --batches \(item) --json").output
      .split(separator: "\"").first { $0.hasPrefix("batches/") }
    return try read(String(try #require(path)))
  }
}
