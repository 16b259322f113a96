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
}
