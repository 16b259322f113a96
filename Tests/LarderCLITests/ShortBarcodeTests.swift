import LarderModel
import TestSupport
import Testing

@testable import LarderCLI

@Suite("Barcodes that are written short")
struct ShortBarcodeTests {
  @Test(
    "the eight digits of a UPC-E are those of its UPC-A",
    arguments: [
      ("04252614", "042100005264"), ("01234505", "012000003455"), ("01234514", "012100003454"),
      ("01234523", "012200003453"), ("01234531", "012300000451"), ("01234543", "012340000053"),
      ("01234558", "012345000058"), ("01234565", "012345000065"), ("01234596", "012345000096"),
      ("11234562", "112345000062"),
    ])
  func short(_ short: String, _ long: String) throws {
    let barcode = try #require(Barcode(long))
    let isUnclear = try #require(Barcode(short)).isSound
    #expect(Barcode.digits(of: short) == (isUnclear ? short : long))
    #expect(Barcode.readings(of: short).contains(barcode))
    #expect(Barcode.readings(of: String(short.dropLast())).contains(barcode))
    #expect(barcode.isMeant(by: short) && barcode.isMeant(by: "ean_\(short)"))
  }

  @Test("a number of full length means itself, and a wrong one nothing else")
  func full() {
    for number in [
      "96385074", "036000291452", "4006381333931", "10012345678902", "shop-7", "12345",
    ] {
      #expect(Barcode.digits(of: number) == number)
    }
    #expect(Barcode(written: "04252615") == Barcode("04252615"))
    #expect(Barcode(written: "36000291453") == nil)
    #expect(Barcode(written: "36000291452") == Barcode("036000291452"))
  }

  @Test("a product is known by all of its digits, whichever form is typed")
  func products() throws {
    let nest = try Nest()
    try nest.prepare("stock new Soda 1", "stock new Soap 0")
    let made = try nest("product new 04252614 --title Cola --item soda")
    #expect(made.code == 0, "\(made.errors)")
    #expect(try nest("product show cola --plain").output.contains("042100005264"))
    for typed in ["04252614", "042100005264", "0042100005264", "42100005264", "ean_0042100005264"] {
      let put = try nest("put \(typed) 2")
      #expect(put.code == 0 && put.output.contains("Soda"), "\(typed): \(put.errors)")
      #expect(try nest("stock edit soap --product \(typed)").code == 1)
    }
    for typed in ["4252614", "425261", "0425261"] {
      #expect(try nest("stock show \(typed) --plain").records.first?.last == "Soda", "\(typed)")
    }
    try nest.prepare("stock edit soap --product 36000291452")
    #expect(try nest("stock show 036000291452 --plain").records.first?.last == "Soap")
    let unknown = try nest("put 12345678905 1")
    #expect(unknown.code == 3, "\(unknown.errors)")
    #expect(unknown.errors.contains("has the barcode 12345678905"), "\(unknown.errors)")
    #expect(try nest("check").code == 0)
  }

  @Test(
    "a table that a spreadsheet took the zeros off finds the products, and makes new ones in full")
  func table() throws {
    let nest = try Nest()
    try nest.prepare("product new 036000291452 --title Tissues")
    try nest.write(
      "title,barcodes\nSoft tissues,36000291452\nCola,04252614\n", to: "../products.csv")
    let imported = try nest("import csv ../products.csv --kind products")
    #expect(imported.code == 0, "\(imported.errors)")
    #expect(try nest("product list --plain").records.count == 2)
    #expect(try nest("product show 042100005264 --plain").output.contains("Cola"))
  }
}
