import TestSupport
import Testing

@testable import LarderCLI

@Suite("The receipts' commands")
struct ReceiptCommandTests {
  static func shopped() throws -> Nest {
    let nest = try Nest()
    try nest.prepare(
      "stock new Eggs --full 12 --in-stock 6", "stock new Milk --unit l --full 6 --in-stock 2",
      "stock new Rice --unit g --in-stock 500", "shop buy eggs milk 'AA batteries' 4",
      "shop buy 'Birthday candles'")
    return nest
  }

  static let parts: [SessionPart] = [
    SessionPart(
      "a receipt takes what is in the basket, with what its lines say", golden: "receipt-save.txt",
      [
        "receipt",
        "receipt save",
        "receipt save --shop Empty",
        "shop got eggs milk batteries",
        "receipt save --shop 'Greenway Market' --line milk=",
        "receipt save --shop G --line milk=x",
        "receipt save --shop G --line milk=1@free",
        "receipt save --shop G --line milk=1kg",
        "receipt save --shop G --amount lots",
        "receipt save --shop G --currency euro",
        "receipt save --shop G --at someday",
        "receipt save --shop G --id x",
        "receipt save --shop G --expiry milk=never",
        "receipt save --shop G --expiry tea=+3d",
        "receipt save --shop 'Greenway Market' --amount 23.05 --line milk=2l@@3.30 "
          + "--line batteries=8@@5.5 --line rice=1kg@@2 --line 'Damson jam=1@@4.25' --expiry milk=+10d "
          + "--at 'yesterday 18:30'",
        "stock",
        "shop",
        "receipt",
        "receipt show greenway",
        "receipt show 'greenway market 2026-11-20'",
      ]),
    SessionPart(
      "receipts are found by shop, day, line and amount", golden: "receipt-list.txt",
      [
        "receipt save --shop Bakery candles --at 2026-11-19",
        "receipt list shop:bakery",
        "receipt list --since 2026-11-20",
        "receipt list --until 2026-11-19",
        "receipt list milk",
        "receipt list --since someday",
        "receipt list 'amount:>20' --sort amount-",
      ]),
    SessionPart(
      "the stock follows what is corrected", golden: "receipt-edit.txt",
      [
        "receipt edit greenway --line milk=3l@@4.95 --line jam=0 --line eggs=@3 --amount 24",
        "receipt edit greenway --line milk=3l",
        "receipt edit greenway --line milk=1kg",
        "receipt edit greenway",
        "receipt edit nothing --amount 1",
        "receipt edit greenway --line tea=0",
        "receipt edit greenway --shop Fairprice --currency sgd --at 2026-11-18",
        "receipt edit fairprice --expiry rice=2027-01-01 --expiry tea=+1d",
        "receipt edit fairprice --line 'Tea=2@@1.5'",
      ]),
    SessionPart(
      "a void receipt gives back what it added, until it is restored", golden: "receipt-void.txt",
      [
        "receipt void fairprice",
        "stock",
        "receipt void fairprice",
        "receipt",
        "receipt list --all",
        "receipt show fairprice",
        "receipt restore fairprice",
        "receipt restore fairprice",
        "stock",
        "receipt show nothing",
        "receipt show 2026-11-1",
      ]),
  ]

  @Test(
    "a session says what stands on a receipt, and what each item has then",
    arguments: parts.indices)
  func session(part: Int) throws {
    let nest = try Self.shopped()
    try nest.expect(part, of: Self.parts)
  }

  @Test("saving makes one commit with the receipt, the stock and the closed entries")
  func oneCommit() throws {
    let nest = try Self.shopped()
    try nest.prepare("shop got eggs milk")
    let before = try nest.subjects().count
    let saved = try nest("receipt save --shop Greenway --amount 10 --json")
    let kinds = try saved.array("changed").compactMap { $0["kind"] as? String }.sorted()
    #expect(
      kinds == ["Receipt", "ShoppingListEntry", "ShoppingListEntry", "StockItem", "StockItem"])
    #expect(try nest.subjects().count == before + 1)
    #expect(try nest.subjects().first == "save a receipt of Greenway")
    let totals = try saved.array("stock").map { $0["total"] as? Int }
    #expect(Set(totals) == [12, 6])
  }

  @Test("a receipt with an id is saved once")
  func sameID() throws {
    let nest = try Self.shopped()
    let line =
      "receipt save --shop Greenway --id 7d444840-9dc0-11d1-b245-5ffdce74fad2 --line eggs=6@@2"
    try nest.prepare("shop remove eggs milk", line)
    let again = try nest(line)
    #expect(again.code == 0)
    #expect(again.errors.contains("saved before"))
    #expect(try nest("stock list eggs --plain").records.first?[1] == "12")
    try nest.prepare("receipt void greenway")
    #expect(try nest(line).code == 1)
    #expect(try nest("stock list eggs --plain").records.first?[1] == "6")
  }

  @Test("an entry named twice is bought once, and a line of nothing is refused")
  func twice() throws {
    let nest = try Self.shopped()
    #expect(try nest("receipt save --shop G eggs milk --line eggs=0").code == 2)
    let saved = try nest("receipt save --shop G eggs eggs --json").json()["receipt"]
    #expect(((saved as? [String: Any])?["items"] as? [Any])?.count == 1)
    #expect(try nest("stock list eggs --plain").records.first?[1] == "12")
  }

  @Test("JSON and plain output for every verb")
  func forms() throws {
    let nest = try Self.shopped()
    try nest.prepare("shop got eggs")
    let saved = try nest("receipt save --shop Greenway --amount 2.5 --json")
    let receipt = try #require(try saved.json()["receipt"] as? [String: Any])
    #expect(receipt["shopName"] as? String == "Greenway")
    #expect(receipt["currency"] as? String == "EUR")
    #expect(receipt["timestamp"] as? String == "2026-11-21T12:00:00.000Z")
    let listed = try #require(try nest("receipt --json").array("items").first)
    #expect(listed["amount"] as? Double == 2.5)
    let shown = try #require(
      try nest("receipt show greenway --json").json()["receipt"] as? [String: Any])
    #expect((shown["items"] as? [[String: Any]])?.first?["itemName"] as? String == "Eggs")
    #expect(
      try nest("receipt --plain").records.map { Array($0.prefix(5)) }
        == [["2026-11-21T12:00:00.000Z", "Greenway", "2.5", "EUR", "1"]])
    #expect(try nest("receipt show greenway --plain").records.first?.prefix(2) == ["Eggs", "6"])
    for line in ["edit greenway --line eggs=7", "void greenway", "restore greenway"] {
      let kinds = try nest("receipt \(line) --json").array("changed").map { $0["kind"] as? String }
      #expect(Set(kinds) == ["Receipt", "StockItem"], "\(line)")
    }
    for line in ["edit greenway --line eggs=8", "void greenway", "restore greenway"] {
      #expect(
        try nest("receipt \(line) --plain").records.map { $0[0] } == ["Receipt", "StockItem"])
    }
    #expect(try nest("receipt save --shop X --json").errorKind() == "failed")
    #expect(try nest("receipt show nothing --json").errorKind() == "notFound")
    #expect(try nest("receipt save --json").errorKind() == "usage")
  }

  @Test("days are those of the household's zone, also at its midnight")
  func zones() throws {
    var nest = try Nest(zone: "Pacific/Auckland")
    nest.larder.now = "2026-11-21T11:30:00Z"
    try nest.prepare(
      "receipt save --shop Late --line tea=1 --at 00:15",
      "receipt save --shop Old --line tea=1 --at fri")
    let listed = try nest("receipt").output
    #expect(listed.contains("2026-11-22 00:15  Late"), "\(listed)")
    #expect(try nest("receipt show 2026-11-20").output.hasPrefix("Old, 2026-11-20 12:00"))
  }

  @Test("voiding one leaves what was counted since as it is, and says so")
  func voidedAfterCount() throws {
    let nest = try Nest()
    try nest.prepare(
      "stock new Semolina 1kg", "stock new Rice 1kg",
      "receipt save --shop Hof --line 'semolina=1kg@@2' --line 'rice=1kg@@2'")
    var later = nest
    later.larder.now = try nest.after(1)
    try later.prepare("count semolina 4kg")
    later.larder.now = try nest.after(2)
    let voided = try later("receipt void hof")
    #expect(voided.errors.contains("as much as before of Semolina: counted since, or never added"))
    #expect(try later("stock list --plain").records.map { $0[1] } == ["1", "4"])
  }

  @Test("a batch's note is in what show tells of its item")
  func batchNote() throws {
    let nest = try Nest()
    try nest.prepare(
      "stock new Honey 0", "put honey 2 --expiry 2027-01-01 --notes 'from the beekeeper'")
    #expect(try nest("show honey").output.contains("from the beekeeper"))
  }
}
