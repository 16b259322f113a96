import TestSupport
import Testing

@testable import LarderCLI

@Suite("Amounts in packs")
struct PackAmountTests {
  /// Flour in kg with packs of 500 g, and eggs in cartons of six.
  private func nest() throws -> Nest {
    let nest = try Nest()
    try nest.prepare(
      "stock new Flour 1kg", "stock new Eggs 6",
      "product new 4006381333931 --title 'Rose Flour' --item flour --pack-size 500g",
      "product new 96385074 --title 'Farm Eggs' --item eggs --pack-size 6")
    return nest
  }

  private func total(_ item: String, in nest: Nest) throws -> String? {
    try nest("stock list \(item) --plain").records.first?[1]
  }

  @Test(
    "packs and scanned barcodes count as the pack's size in the item's unit",
    arguments: [
      ("put 4006381333931 2", "2"), ("put 4006381333931", "1.5"), ("put flour 1 pack", "1.5"),
      ("put flour 3 packets", "2.5"), ("put flour 1/2 pack", "1.25"),
      ("use 4006381333931", "0.5"), ("use flour 1 pack", "0.5"),
      ("stock discard 4006381333931 2", "0"), ("count 4006381333931 3", "1.5"),
      ("count flour 3 packs", "1.5"), ("put 4006381333931 100g", "1.1"),
      ("put 4006381333931 2 --unit kg", "3"), ("put flour 2 --unit pack", "2"),
      ("put 4006381333931 2 --expiry 10d", "2"), ("put flour 2", "3"),
      ("receipt save --shop Rewe --line 4006381333931=2@@1.98", "2"),
      ("receipt save --shop Rewe --line 4006381333931@0.99", "1.5"),
      ("receipt save --shop Rewe --line 'flour=2 packs@@1.98'", "2"),
    ])
  func counted(command: String, total: String) throws {
    let nest = try nest()
    let done = try nest(command)
    #expect(done.code == 0, "\(done.errors)")
    #expect(try self.total("flour", in: nest) == total)
    #expect(try nest("check").code == 0)
  }

  @Test("a pack may hold pieces, and the shopping list and a place take packs too")
  func places() throws {
    let nest = try nest()
    try nest.prepare("put eggs 1 pack", "location new Cellar")
    #expect(try total("eggs", in: nest) == "12")
    #expect(try nest("buy 96385074 2").output == "Eggs is on the shopping list: 12\n")
    #expect(try nest("shop edit flour 3 packs").code == 3)
    try nest.prepare("buy flour 1 pack")
    #expect(
      try nest("shop edit flour 3 packs").output
        == "Flour is on the shopping list: 1.5 kg (0.5 kg before)\n")
    #expect(try nest("stock move 96385074 cellar 1 pack").output == "moved 6 of Eggs to Cellar\n")
    #expect(try nest("stock open flour 1 pack").output.hasPrefix("opened 0.5 kg of Flour"))
  }

  @Test("the line of a receipt is corrected in packs")
  func receipts() throws {
    let nest = try nest()
    try nest.prepare(
      "receipt save --shop Rewe --line 4006381333931@0.99",
      "receipt edit rewe --line 4006381333931=3")
    #expect(try total("flour", in: nest) == "2.5")
    try nest.prepare("receipt edit rewe --line 'flour=1 pack'")
    #expect(try total("flour", in: nest) == "1.5")
  }

  @Test("a sheet takes packs")
  func sheet() throws {
    let nest = try nest()
    let counted = try nest("stocktake", input: "flour 3 packs\n96385074 1\n")
    #expect(counted.code == 0, "\(counted.errors)")
    #expect(try total("flour", in: nest) == "1.5")
    #expect(try total("eggs", in: nest) == "6")
  }

  @Test("an item that is counted in packs stays so, and a size that does not convert says nothing")
  func ownPacks() throws {
    let nest = try nest()
    try nest.prepare(
      "stock new Beans 2 packs",
      "product new 5032987400110 --title Beans --item beans --pack-size 500g", "put beans 1 pack",
      "put 5032987400110")
    #expect(try total("beans", in: nest) == "4")
  }

  @Test("without a size, or with several, nothing is guessed")
  func unknown() throws {
    let nest = try nest()
    try nest.prepare("stock new Rice 1kg")
    let unknown = try nest("use rice 2 packs")
    #expect(unknown.code == 2)
    #expect(unknown.errors.contains("the size of a pack of Rice is not known"))
    #expect(unknown.errors.contains("larder product new BARCODE --title T --item Rice"))

    try nest.prepare("product new 5032987400110 --title Basmati --item rice")
    #expect(
      try nest("use rice 1 pack").errors
        .contains("larder product edit ean_5032987400110 --pack-size 500g"))
    try nest.prepare("product edit ean_5032987400110 --pack-size 500g", "use rice 1 pack")
    #expect(try total("rice", in: nest) == "0.5")

    try nest.prepare("product new 5000000000012 --title 'Big bag' --item rice --pack-size 2kg")
    let several = try nest("put rice 2 packs")
    #expect(several.code == 3)
    #expect(several.errors.contains("a pack of Rice is 0.5 kg or 2 kg"))
    try nest.prepare("put 5000000000012 2")
    #expect(try total("rice", in: nest) == "4.5")
    #expect(try nest("put rice 999999999999 --unit pack").code != 0)
    #expect(try nest("put 5000000000012 999999999999999").errors.contains("too many digits"))
  }

  @Test("what was on the list before there was such an item adds to its stock")
  func listedBefore() throws {
    let nest = try Nest()
    try nest.prepare(
      "buy 'Rice 2 kg' 'Flour 2 packs' tape", "stock new Rice 500g", "stock new Flour 500g",
      "got rice flour tape")
    let unknown = try nest("receipt save --shop Rewe")
    #expect(unknown.code == 2)
    #expect(unknown.errors.contains("the size of a pack of Flour is not known"))
    #expect(try total("rice", in: nest) == "500")

    try nest.prepare("receipt save --shop Rewe --line flour=1kg@@2")
    #expect(try total("rice", in: nest) == "2500")
    #expect(try total("flour", in: nest) == "1500")
    #expect(try nest("shop list --plain").output.isEmpty)
    #expect(try nest("receipt show rewe").output.contains("tape"))
  }
}
