import Foundation
import TestSupport
import Testing

@Suite("Receipts in a table")
struct ReceiptSheetTests: SpreadsheetSuite {
  @Test("have one currency, which a price may say")
  func currencies() throws {
    let nest = try Nest()
    let head = "Date,Shop,Currency,Item,Price\n2026-11-02,"
    let mixed = try take(head + "Migros,EUR,Milk,5.00 CHF\n", in: nest)
    #expect(mixed.code == 5)
    #expect(mixed.errors.contains(":2:28: the sum is in CHF, and the receipt in EUR"))
    #expect(try take(head + "Coop,,Milk,7.00 CHF\n", in: nest).code == 0)
    #expect(try nest("spending --plain").records.map { Array($0[2...3]) } == [["7", "CHF"]])
    let known = try nest("export csv receipts").output
    let changed = try take(known.replacing(",7,", with: ",7 USD,"), in: nest)
    #expect(changed.errors.contains("the sum is in USD, and the receipt in CHF"), "\(known)")
  }

  @Test("with a line twice are refused")
  func twice() throws {
    let nest = try kitchen()
    let table = try nest("export csv receipts").output
    let rows = table.split(separator: "\r\n").map(String.init)
    let milk = try #require(rows.first { $0.contains("Milk") })
    let doubled = table + milk.replacing("3.3", with: "9.99") + "\r\n"
    let refused = try take(doubled, in: nest)
    #expect(refused.code == 5)
    #expect(refused.errors.contains("line 2 is about Milk too; keep one of the two rows"))
  }

  @Test("change nothing if they come back unchanged, whatever became of the items' units")
  func otherUnit() throws {
    let nest = try kitchen()
    try nest.prepare("stock new Rice 1kg", "receipt save --shop Hof --line 'rice=1 kg@@2'")
    let path = try nest.path("stock", "rice")
    try nest.write(
      nest.read(path).replacing("\"unit\": \"kilogram\"", with: "\"unit\": \"piece\""), to: path)
    let table = try nest("export csv receipts").output
    #expect(
      try take(table, in: nest).errors.hasSuffix("nothing changed: there is nothing new in it\n"))
    #expect(try take(table.replacing("Hof", with: "Hofladen"), in: nest).code == 0)
  }
}
