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
}
