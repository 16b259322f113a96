import LarderModel
import TestSupport
import Testing

@Suite("Barcodes")
struct BarcodeTests {
  @Test(
    "numbers of every length are read, and their check digit is the printed one",
    arguments: [
      "96385074", "73513537", "00000000", "036000291452", "012345678905", "614141000036",
      "4006381333931", "6291041500213", "5032987400110", "0000000000000", "9999999999994",
      "10012345678902", "15032987400117", "99999999999997", "ean_4006381333931", "ean_96385074",
    ])
  func sound(_ text: String) throws {
    let barcode = try #require(Barcode(text))
    #expect(barcode.isSound)
    #expect(barcode.checkDigit == barcode.lastDigit)
    #expect(barcode.checkDigit == text.last?.wholeNumberValue)
  }

  @Test(
    "any other last digit is wrong, and the right one is known",
    arguments: ["96385074", "036000291452", "4006381333931", "10012345678902"])
  func mistyped(_ text: String) throws {
    let right = try #require(text.last?.wholeNumberValue)
    for digit in 0...9 where digit != right {
      let barcode = try #require(Barcode(text.dropLast() + String(digit)))
      #expect(!barcode.isSound)
      #expect(barcode.checkDigit == right)
      #expect(barcode.lastDigit == digit)
    }
  }

  @Test("one wrong digit anywhere is noticed, and so are most neighbours that changed places")
  func oneWrongDigit() throws {
    var generator = SeededGenerator(seed: Seed.ofRun)
    print("barcodes: LARDER_SEED=\(Seed.ofRun)")
    for length in [8, 12, 13, 14] {
      var digits = (1..<length).map { _ in Int.random(in: 0...9, using: &generator) }
      digits.append(try #require(Barcode(text(digits + [0]))).checkDigit)
      #expect(try #require(Barcode(text(digits))).isSound)
      for place in digits.indices {
        for digit in 0...9 where digit != digits[place] {
          var wrong = digits
          wrong[place] = digit
          #expect(try #require(Barcode(text(wrong))).isSound == false, "\(wrong)")
        }
      }
      for place in digits.indices.dropLast()
      where ![0, 5].contains(abs(digits[place] - digits[place + 1])) {
        var wrong = digits
        wrong.swapAt(place, place + 1)
        #expect(try #require(Barcode(text(wrong))).isSound == false, "\(wrong)")
      }
    }
  }

  private func text(_ digits: [Int]) -> String { digits.map(String.init).joined() }

  @Test(
    "the forms of one number are equal, whatever zeros are in front",
    arguments: [
      ("036000291452", "0036000291452", "0036000291452"),
      ("036000291452", "00036000291452", "0036000291452"),
      ("ean_036000291452", "0036000291452", "0036000291452"),
      ("4006381333931", "04006381333931", "4006381333931"),
      ("96385074", "0000096385074", "96385074"), ("96385074", "000096385074", "96385074"),
      ("10012345678902", "ean_10012345678902", "10012345678902"),
    ])
  func forms(_ one: String, _ other: String, _ shortest: String) throws {
    let barcode = try #require(Barcode(one))
    #expect(barcode == Barcode(other))
    #expect(barcode.hashValue == Barcode(other)?.hashValue)
    #expect(barcode.description == shortest)
    #expect(barcode.productID == "ean_\(shortest)")
    #expect(Barcode(barcode.productID) == barcode)
  }

  @Test("a case of something and the thing itself are two")
  func cases() {
    #expect(Barcode("5032987400110") != Barcode("15032987400117"))
  }

  @Test(
    "anything else is no barcode",
    arguments: [
      "", "1", "1234567", "123456789", "12345678901", "123456789012345", "4006381 33393",
      "40063813339x1", "+006381333931", "-96385074", "４００６３８１３", "ean_", "ean_1",
      "EAN_4006381333931", "ean_ean_96385074", "gtin_96385074", "96385074 ", "٩٦٣٨٥٠٧٤",
    ])
  func refusing(_ text: String) {
    #expect(Barcode(text) == nil)
  }
}
