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

  @Test("a product's barcode finds the item that counts it, by whichever of its numbers")
  func catalogue() throws {
    let nest = try Nest()
    try nest.write(
      #"{"id": "shop-7", "title": "Oat Drink", "barcodes": ["036000291452", "96385074"]}"#,
      to: "products/oat.json")
    try nest.prepare("stock new 'Oat milk' --product 0036000291452")
    #expect(
      try nest("stock show 'oat milk' --plain").records.contains(["products", "Oat Drink (shop-7)"])
    )
    for scanned in ["0036000291452", "96385074", "shop-7"] {
      #expect(try nest("stock show \(scanned) --plain").records.first?.last == "Oat milk")
    }
    try nest.prepare("shop buy 96385074 2")
    #expect(try nest("shop got 96385074").output.contains("Oat milk"))
  }

  @Test("a wrong check digit is refused where it would be written, any other id is taken as it is")
  func written() throws {
    let nest = try Nest()
    try nest.prepare("stock new Tea")
    for line in [
      "stock new Jam --product 4006381333932", "stock new Jam --product ean_4006381333932",
      "stock edit tea --product 96385075", "stock edit tea --set products='[\"4006381333932\"]'",
    ] {
      let outcome = try nest(line)
      #expect(outcome.code == 2, "\(line)")
      #expect(outcome.errors.contains("its check digit would be"), "\(line)")
    }
    #expect(try nest("stock --plain").records.map { $0[0] } == ["Tea"])
    try nest.prepare("stock edit tea --product shop-7 --product 12345 --product 1234567890")
    #expect(
      try nest("stock show tea --plain").records.contains(["products", "shop-7, 12345, 1234567890"])
    )
    // What is in the catalogue already is no slip of the finger.
    try nest.write(#"{"id": "ean_4006381333932", "title": "Odd"}"#, to: "products/odd.json")
    try nest.prepare("stock edit tea --product 4006381333932")
  }

  @Test("a barcode that names nothing is no name of something to buy either")
  func unknown() throws {
    let nest = try Nest()
    try nest.prepare("stock new Tea")
    for line in [
      "stock use 4006381333931", "shop buy 4006381333931 2",
      "receipt save --shop Corner --line 4006381333931=2",
    ] {
      let outcome = try nest(line)
      #expect(outcome.code == 3, "\(line)")
      #expect(outcome.errors.contains("larder product new 4006381333931 --title T --item ITEM"))
      #expect(outcome.errors.contains("larder stock edit ITEM --product 4006381333931"))
    }
    #expect(try nest("shop buy 4006381333932").errors.contains("mistyped"))
    #expect(
      try nest("shop buy 12345").errors.contains("the name of a thing is needed beside an amount"))
  }

  @Test("a product counts as one item: not as two named at once, nor as one beside an archived one")
  func oneItem() throws {
    let nest = try Nest()
    try nest.prepare("stock new Tea", "stock new Rice --product 96385074", "stock archive rice")
    #expect(try nest("stock edit tea --product 96385074").code == 1)
    #expect(try nest("stock edit tea --set products='[\"ean_96385074\"]'").code == 1)
    #expect(
      try nest("stock new Sugar --product 96385074").errors.contains("larder stock restore Rice"))
    try nest.prepare("stock new Sugar")
    #expect(try nest("stock edit tea sugar --product 4006381333931").code == 2)
    #expect(try nest("stock edit tea sugar --set products='[\"x\"]'").code == 2)
    #expect(try nest("check").output.isEmpty)
  }
}
