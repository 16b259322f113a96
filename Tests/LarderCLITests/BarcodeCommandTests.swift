import TestSupport
import Testing

@testable import LarderCLI

@Suite("Barcodes as they are scanned and typed")
struct BarcodeCommandTests {
  @Test("the 12 digits of a UPC-A, the 13 of its EAN-13 and their ids find the same item")
  func forms() throws {
    for written in ["036000291452", "0036000291452", "ean_036000291452", "ean_0036000291452"] {
      let nest = try Nest()
      try nest.prepare("stock new Tissues --product \(written)", "stock new Soap")
      for scanned in [
        "036000291452", "0036000291452", "00036000291452", "ean_036000291452", "ean_0036000291452",
      ] {
        let shown = try nest("stock show \(scanned) --plain").records.first
        #expect(shown == ["name", "Tissues"], "\(written), \(scanned)")
        #expect(try nest("stock edit soap --product \(scanned)").code == 1)
        #expect(try nest("stock edit tissues --product \(scanned)").output.isEmpty)
      }
    }
  }

  @Test("a number makes the same id whatever form was typed, and one in use stays in use")
  func ids() throws {
    for typed in ["036000291452", "0036000291452", "00036000291452"] {
      let nest = try Nest()
      try nest.prepare("stock new Tissues --product \(typed)")
      #expect(
        try nest("stock show tissues --plain").records.contains(["products", "ean_0036000291452"]))
    }
    let nest = try Nest()
    try nest.write(
      #"{"productRef": {"productId": "ean_036000291452"}, "quantity": {"value": 2}}"#,
      to: "batches/tissues.json")
    try nest.prepare("stock new Tissues --product 0036000291452")
    #expect(try nest("stock list tissues --plain").records.first?[1] == "2")
    #expect(try nest("check").code == 0)
  }
}
