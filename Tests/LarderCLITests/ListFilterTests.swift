import LarderKit
import TestSupport
import Testing

@testable import LarderCLI

@Suite("Filters as people type them")
struct ListFilterTests {
  private func kitchen() throws -> Nest {
    let nest = try Nest()
    try nest.prepare(
      "location new Freezer 'Chest freezer'", "stock new Flour 6kg --full 2kg --alias Mehl",
      "stock new Sugar 4000g --unit g", "stock new Rice 5500g --unit g",
      "stock new Salt 0 --full 2",
      "stock new Eggs 6", "product new 5032987400110 --title Passata --item rice --pack-size 500g",
      "put rice 500g --expiry 2026-12-24", "put flour 1kg --expiry 2027-03-01", "buy rice")
    return nest
  }

  @Test(
    "a comparison needs no colon, reads any unit that converts and any form of a day",
    arguments: [
      ("'total>5kg'", "Flour Rice"), ("'total:>5kg'", "Flour Rice"),
      ("'total>=6000 g'", "Flour Rice"),
      ("'total<5kg' 'total>1g'", "Sugar"), ("total=0", "Salt"), ("total:0", "Salt"),
      ("'total<=0'", "Salt"), ("total=6", "Eggs"), ("'expiry<1.1.2027'", "Rice"),
      ("'expiry<=24 dec'", "Rice"), ("'expiry>24.12.'", "Flour"), ("expiry=24.12.26", "Rice"),
      ("'expiry>in 2 months'", "Flour"), ("name=rice", "Rice"), ("'-total>1g'", "Eggs Salt"),
      ("category=", "Eggs Flour Rice Salt Sugar"),
      ("'created>=today'", "Eggs Flour Rice Salt Sugar"),
      ("mehl", "Flour"), ("passata", "Rice"), ("5032987400110", "Rice"),
    ])
  func finds(_ words: String, _ names: String) throws {
    let listed = try kitchen()("stock list \(words) --plain")
    let found = listed.output.split(separator: "\n").compactMap { $0.split(separator: "\t").first }
    #expect(found.joined(separator: " ") == names, "\(listed.errors)")
  }

  @Test("every column of a list shows a field of the list")
  func columns() {
    func check<Row: ListedRow>(_ row: Row.Type) {
      for name in Row.columns.map(\.name) where !name.isEmpty {
        #expect(Row.listing.fields.contains { $0.names[0] == name }, "\(row): \(name)")
      }
    }
    check(StockRow.self)
    check(LotRow.self)
    check(ShopRow.self)
    check(ReceiptRow.self)
    check(LocationRow.self)
    check(ProductRow.self)
  }

  @Test(
    "a field or a state that is typed as an option is answered with the filter",
    arguments: [
      ("stock list --category Dairy", "category:Dairy"), ("stock list --low", "is:low"),
      ("stock list --location='Chest freezer'", "\"location:Chest freezer\""),
      ("low --category drinks", "category:drinks"), ("due --location fridge", "location:fridge"),
      ("receipt list --shop Rewe", "shop:Rewe"), ("shop list --done", "is:done"),
      ("stocktake --category", "category:"),
    ])
  func options(command: String, meant: String) throws {
    let refused = try kitchen()(command)
    #expect(refused.code == 2)
    #expect(refused.errors.contains("did you mean '\(meant)'?"), "\(refused.errors)")
    #expect(try kitchen()("stock list --limt 3").errors.contains("did you mean '--limit'?"))
  }

  @Test(
    "a word that is a state or a location is answered with the filter",
    arguments: [
      ("stock list nolow", nil), ("stock list low", "larder stock list is:low"),
      ("stock list freezer", "larder stock list location:Freezer"),
      ("stock list -b 'chest freezer'", "larder stock list --batches location:Chest freezer"),
      ("stock list -b expired", "larder stock list --batches is:expired"),
      ("shop list done", "larder shop list is:done"),
      ("due freezer", "larder due location:Freezer"),
    ] as [(String, String?)])
  func meant(_ line: String, _ command: String?) throws {
    let outcome = try kitchen()(line)
    let told = outcome.errors.filter { $0 != "'" && $0 != "\"" }
    #expect(told.contains("to show\n"))
    #expect(told.contains(command.map { "hint: did you mean \($0)?" } ?? "to show"), "\(told)")
    #expect(outcome.errors.contains("did you mean") == (command != nil))
  }
}
