import Foundation
import LarderKit
import LarderModel
import Testing

@Suite("Receipts that read themselves")
struct ReceiptTextTests {
  @Test("every known receipt is read in full: shop, time, total and lines")
  func known() throws {
    let all = try PrintedReceipt.all(in: "known")
    #expect(all.count >= 100)
    for receipt in all {
      let faults = receipt.faults(of: receipt.read())
      #expect(faults.isEmpty, "\(receipt.name): \(faults.joined(separator: "; "))")
    }
  }

  @Test("of receipts that no rule was made for, 85 of 100 add up, and none to another total")
  func unseen() throws {
    let all = try PrintedReceipt.all(in: "unseen")
    #expect(all.count >= 20)
    let read = all.map { ($0, $0.read()) }
    let adding = read.filter { $0.1.addsUp }
    let whole = adding.filter { $0.0.faults(of: $0.1).isEmpty }
    print(
      "unseen receipts: \(adding.count) of \(all.count) add up by themselves, "
        + "\(whole.count) are read in full")
    #expect(adding.count * 100 >= all.count * 85)
    for (receipt, read) in adding { #expect(read.total == receipt.total, "\(receipt.name)") }
  }

  @Test("the text of a PDF, with wide columns, and other ends of lines read the same")
  func spacing() throws {
    for receipt in try PrintedReceipt.all(in: "known") {
      let plain = receipt.read()
      let lines = receipt.text.split(separator: "\n", omittingEmptySubsequences: false)
      let windows = receipt.read(lines.joined(separator: "\r\n"))
      let quoted = receipt.read(lines.map { "> " + $0 }.joined(separator: "\n"))
      let shifted = receipt.read("\u{FEFF}" + lines.map { "      " + $0 }.joined(separator: "\n"))
      for other in [windows, quoted, shifted] { #expect(other == plain, "\(receipt.name)") }
    }
  }

  @Test("with a wrong digit in the amount of a line, no receipt adds up")
  func disturbed() throws {
    var tried = 0
    for receipt in try PrintedReceipt.all(in: "known") {
      let lines = receipt.text.split(separator: "\n", omittingEmptySubsequences: false)
        .map(String.init)
      for line in receipt.read().lines {
        let printed = lines[line.line - 1]
        let cents = line.amount.description.replacing("-", with: "").split(separator: ".")
        guard cents.count == 2, cents[1].count == 2 else { continue }
        let forms = [".", ","].map { "\(cents[0])\($0)\(cents[1])" }
        guard let form = forms.first(where: printed.contains),
          let place = printed.ranges(of: form).last?.lowerBound,
          let digit = printed[place].wholeNumberValue
        else { continue }
        var wrong = lines
        let other = String((digit + 4) % 10)
        wrong[line.line - 1] = printed.replacingCharacters(
          in: place...place, with: other)
        tried += 1
        let read = receipt.read(wrong.joined(separator: "\n"))
        #expect(!read.addsUp, "\(receipt.name): \(wrong[line.line - 1])")
      }
    }
    #expect(tried > 100)
  }

  @Test("a receipt whose numbers are wrong on paper is read to the end and does not add up")
  func wrong() throws {
    let all = try PrintedReceipt.all(in: "wrong")
    #expect(all.count >= 2)
    for receipt in all {
      let read = receipt.read()
      #expect(!read.addsUp, "\(receipt.name)")
      #expect(read.lines.count > 1 || read.total == nil, "\(receipt.name)")
    }
  }

  @Test("amounts that lost their cents or their marks are no whole amounts")
  func lostMarks() {
    let reader = ReceiptTextReader(today: Day(daysSinceEpoch: 20_000))
    let texts = [
      "SHOP\nMilk     119\nBread    329\nTotal EUR  448",
      "SHOP\nJam £4 50\nCake £6 25\nTotal £10 75",
      "SHOP\nJam   £ 4   50\nCake   £ 6   25\nTotal   £10   75",
      "SHOP\nJam 4 £ 50\nCake 6 £ 25\nTotal 10 £ 75",
    ]
    for text in texts + [
      "SHOP\nJam £450\nCake £625\nTotal £1075", "SHOP\n$4 00 Jam\n$6 25 Cake\n$10 25 Total",
      "SHOP\nJam 4.50\nCake 6.25\nTotal 10.75\nTip 2.00\nGrand Total 1275\nVISA 1275",
    ] {
      #expect(!reader.read(text).addsUp, "\(text)")
    }
    let paidLess = "SHOP\nJam 4.50\nCake 6.25\nTotal 10.75\nVISA 9.75"
    #expect(!reader.read(paidLess).addsUp)
    // All are a thousand less without their thousands, and would add up.
    for text in [
      "SHOP\nTable 1 249,00\nTotal 1 249,00", "SHOP\nTable   1 249,00\nTotal   1 249,00",
    ] {
      #expect(reader.read(text).total == Number(1249), "\(text)")
    }
  }

  @Test("what is no receipt, or is hostile, reads as nothing that adds up")
  func nonsense() {
    let reader = ReceiptTextReader(today: Day(daysSinceEpoch: 20_000))
    let texts = [
      "", "\n\n\n", "TOTAL", "TOTAL 0.00", "TOTAL 5.00", "5.00\n5.00\n5.00", "x x x @ @ @ / / -",
      "MILK 999999999.99\nBREAD 999999999.99\nTOTAL 1.00",
      "A 99999999999999999999999999999.99\nTOTAL 99999999999999999999999999999.99",
      "9999 x 999999999.99\nMILK 999999999.99\nTOTAL 1.00",
      "MILK 1.00-\nTOTAL 1.00", "- - - 1.00 -\n(1.00)\n((1.00))", "\u{0}\u{1}\u{2}",
      String(repeating: "MILK 1.00\n", count: 3000) + "TOTAL 3000.00",
      String(repeating: "1.00 ", count: 20_000), String(repeating: "9", count: 100_000),
    ]
    for text in texts { #expect(!reader.read(text).addsUp, "\(text.prefix(40))") }
  }

  @Test("the order of day and month follows the currency, and never leads past today")
  func days() {
    func day(_ text: String, _ currency: String) -> String? {
      ReceiptTextReader(today: Day("2026-11-23") ?? Day(daysSinceEpoch: 0), currency: currency)
        .read("SHOP\n\(text)\nTEA 1.00\nTOTAL 1.00").day?.description
    }
    #expect(day("03/04/2026", "EUR") == "2026-04-03")
    #expect(day("03/04/2026", "USD") == "2026-03-04")
    #expect(day("11/12/2026", "EUR") == "2026-11-12")
    #expect(day("31/12/2026", "EUR") == nil)
    #expect(day("Valid until 01/02/2026\nDate 02/03/2026", "EUR") == "2026-03-02")
    #expect(day("7. März 2026", "EUR") == "2026-03-07")
    #expect(day("le 7 août 2026", "EUR") == "2026-08-07")
    #expect(day("5 de mayo de 2026", "EUR") == "2026-05-05")
    #expect(day("9 Ogos 2026", "MYR") == "2026-08-09")
    #expect(day("30.02.2026", "EUR") == nil)
  }

  @Test("a text of nothing but totals is read soon")
  func manyTotals() {
    let things = ["Milk 1,00", "Rabatt -0,10", "Pfand 0,25", "MwSt 0,07", "Rundung 0,01"]
    let lines = things + (1...500).map { "TOTAL \($0),00" }
    let began = ContinuousClock.now
    let reader = ReceiptTextReader(today: Day(daysSinceEpoch: 20_000))
    #expect(reader.read(lines.joined(separator: "\n")).lines.count < 10)
    #expect(ContinuousClock.now - began < .seconds(30))
  }
}
