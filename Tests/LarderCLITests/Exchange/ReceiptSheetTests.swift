import Foundation
import TestSupport
import Testing

@Suite("Receipts in a table")
struct ReceiptSheetTests: SpreadsheetSuite {
  @Test("are one where only the last row has the total")
  func lateTotal() throws {
    let nest = try Nest()
    let table =
      "Date,Shop,Item,Price,Total\n2026-11-02,Lidl,Milk,1.00,\n2026-11-02,Lidl,Bread,2.00,3.00\n"
    #expect(try take(table, in: nest).code == 0)
    #expect(try nest("receipt list --plain").records.count == 1)
    #expect(try nest("spending --plain").records.map { $0[2] } == ["3"])
    #expect(
      try take(table, in: nest).errors == "nothing changed: there is nothing new in it\n")
  }

  @Test("are known by their lines, and one with other lines is saved, and told")
  func otherLines() throws {
    let nest = try Nest()
    #expect(try take("Date,Shop,Item,Price\n2026-11-02,Lidl,Milk,1.00\n", in: nest).code == 0)
    let bread = try take("Date,Shop,Item,Price\n2026-11-02,Lidl,Bread,2.00\n", in: nest)
    #expect(bread.errors.hasPrefix("1 row: 1 new, 0 changed\non the receipts only: Bread; "))
    let table = "Date,Shop,Item,Price,Total\n2026-11-02,Aldi,Milk,1,5\n2026-11-03,Aldi,Tea,2,2\n"
    #expect(try take(table, in: nest).code == 0)
    let twin = try take(
      table.replacing("Milk", with: "Jam").replacing(
        "2026-11-03,Aldi,Tea", with: "2026-11-03,Aldi,Tea"),
      in: nest)
    #expect(
      twin.errors.contains(
        "a receipt of the same shop, day and amount was here with other lines: Aldi 2026-11-02"))
    #expect(twin.errors.contains("1 receipt had been saved before"))
  }

  @Test("of a day alone are saved once, also today")
  func today() throws {
    var nest = try Nest()
    let table = "Date,Shop,Item,Price\n2026-11-21,Lidl,Milk,1.00\n"
    #expect(try take(table, in: nest).code == 0)
    for later in ["2026-11-21T12:10:00Z", "2026-11-22T08:00:00Z"] {
      nest.larder.now = later
      #expect(try take(table, in: nest).errors.hasPrefix("nothing changed"), "\(later)")
    }
  }

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

  @Test("change the stock only if they were paid after it was counted last")
  func oldReceipts() throws {
    let nest = try Nest()
    try nest.prepare("stock new Milk 2l")
    let head = "Date,Shop,Item,Qty,Unit,Price\n"
    let old = try take(head + "2016-11-02,Lidl,Milk,5,l,4\n2017-11-02,Lidl,Milk,1,l,1\n", in: nest)
    #expect(
      old.errors.contains("2 lines changed no stock: paid before the item was last counted"))
    #expect(try nest("stock list --plain").records.first?[1] == "2")
    #expect(try nest("prices milk --plain").records.map { $0[6] } == ["1", "0.8"])
    #expect(try take(head + "2026-11-21 18:00,Lidl,Milk,3,l,4\n", in: nest).code == 0)
    #expect(try nest("stock list --plain").records.first?[1] == "5")
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
