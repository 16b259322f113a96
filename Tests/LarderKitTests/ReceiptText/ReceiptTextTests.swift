import Foundation
import LarderKit
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
    let reader = ReceiptTextReader(on: Day(daysSinceEpoch: 20_000))
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
    let reader = ReceiptTextReader(on: Day(daysSinceEpoch: 20_000))
    let texts = [
      "", "\n\n\n", "TOTAL", "TOTAL 0.00", "TOTAL 5.00", "5.00\n5.00\n5.00", "x x x @ @ @ / / -",
      "MILK 999999999.99\nBREAD 999999999.99\nTOTAL 1.00",
      "A 99999999999999999999999999999.99\nTOTAL 99999999999999999999999999999.99",
      "9999 x 999999999.99\nMILK 999999999.99\nTOTAL 1.00",
      "MILK 1.00-\nTOTAL 1.00", "- - - 1.00 -\n(1.00)\n((1.00))", "\u{0}\u{1}\u{2}",
      String(repeating: "1.00 ", count: 20_000), String(repeating: "9", count: 100_000),
    ]
    for text in texts { #expect(!reader.read(text).addsUp, "\(text.prefix(40))") }
  }

  @Test("the order of day and month follows the currency, and never leads past today")
  func days() {
    func day(_ text: String, _ currency: String) -> String? {
      ReceiptTextReader(on: Day("2026-11-23") ?? Day(daysSinceEpoch: 0), currency: currency)
        .read("SHOP\n\(text)\nTEA 1.00\nTOTAL 1.00").day?.description
    }
    #expect(day("03/04/2026", "EUR") == "2026-04-03")
    #expect(day("03/04/2026", "USD") == "2026-03-04")
    #expect(day("11/12/2026", "EUR") == "2026-11-12")
    #expect(day("31/12/2026", "EUR") == "2026-12-31")
    #expect(day("Bon 88 23.11.     18:14 Uhr\n22.11.2026  18:14", "EUR") == "2026-11-22")
    #expect(day("Bon 88 23.11. 18.14 Uhr", "EUR") == nil)
    #expect(day("Preise ab 01.10.2026\n22.11.26 18:14 Bon 7", "EUR") == "2026-11-22")
    #expect(day("22.11.26 18:14\nDatum: 21.11.2026", "EUR") == "2026-11-21")
    #expect(day("Valid until 01/02/2026\nDate 02/03/2026", "EUR") == "2026-03-02")
    #expect(day("7. März 2026", "EUR") == "2026-03-07")
    #expect(day("le 7 août 2026", "EUR") == "2026-08-07")
    #expect(day("5 de mayo de 2026", "EUR") == "2026-05-05")
    #expect(day("9 Ogos 2026", "MYR") == "2026-08-09")
    #expect(day("30.02.2026", "EUR") == nil)
  }

  @Test("the time is that of the shop, also where the till's signature says it in Greenwich's")
  func signatures() {
    let now = Instant("2026-11-23T12:00:00.000Z") ?? Instant(milliseconds: 0)
    let berlin = HouseholdCalendar(timeZone: "Europe/Berlin", now: now)
    func paid(_ text: String) -> String {
      let read = ReceiptTextReader(berlin, currency: "EUR").read(
        "SHOP\nTEE 1,00\nSUMME 1,00\n\(text)")
      return "\(read.day?.description ?? "none") \(read.minutes ?? -1)"
    }
    let signed = "TSE-Start: 2026-11-21T09:21:40.000Z"
    #expect(paid("\(signed)\nDatum/Uhrzeit: 21.11.2026 10:22 Uhr") == "2026-11-21 622")
    #expect(paid("\(signed)\n21.11.26 10:22") == "2026-11-21 622")
    #expect(paid(signed) == "2026-11-21 621")
    #expect(paid("TSE-Start: 2026-11-20T23:30:00Z") == "2026-11-21 30")
    #expect(paid("TSE-Start: 2026-11-21T10:21:40.000+01:00") == "2026-11-21 621")
  }

  @Test("the words for a total are known with their currency and in many languages")
  func totals() {
    let words = [
      "TOTAL EN EUROS", "TOTAL A PAYER EN EUROS", "TOTAL TTC EN EUROS", "MONTANT DU EN EUROS",
      "Total (en EUR)",
      "Importe total EN EUROS", "TOTAL COMPRA EN EUROS", "TOTAL AMOUNT PAYABLE",
      "Zu zahlender Betrag", "Your total",
      "Total in EUR", "TOTAL EUROS", "TOTAL TTC (EUR)", "Amount Due USD", "Totaal te betalen",
      "Eindtotaal EUR",
      "Totale da pagare", "TOTALE COMPLESSIVO EURO", "Importo totale", "TOTAL A PAGAR",
      "Valor a pagar", "SUMA PLN",
      "Do zapłaty", "Razem do zapłaty PLN", "Celkem k úhradě", "K zaplacení Kč", "I ALT DKK",
      "At betale",
      "Att betala SEK", "Totalt", "Summa", "Å betale", "Sum NOK", "Yhteensä EUR",
      "Maksettava yhteensä",
      "Összesen", "Fizetendő", "TOTAL DE PLATA", "Ukupno", "Skupaj za plačilo", "Genel toplam",
      "Σύνολο", "合計",
    ]
    for word in words {
      let read = ReceiptTextReader(on: Day(daysSinceEpoch: 20_000)).read(
        "SHOP\nTEA 2,00\nJAM 1,19\n\(word)  3,19")
      #expect(
        read.addsUp && read.total == Number(319, over: 100) && read.lines.count == 2, "\(word)")
    }
    for other in ["Total savings", "Total tax", "TOTAL MOMS", "SUMA PTU", "Totale IVA"] {
      let read = ReceiptTextReader(on: Day(daysSinceEpoch: 20_000)).read(
        "SHOP\nTEA 2,00\nJAM 1,19\n\(other)  3,19")
      #expect(read.total == nil, "\(other)")
    }
  }

  @Test(
    "a quantity, its price and the amount decide how a number is read, and what fits not is doubtful"
  )
  func quantities() {
    func read(_ lines: String) -> [String] {
      ReceiptTextReader(on: Day(daysSinceEpoch: 20_000), currency: "EUR").read(lines).lines.map {
        let quantity = "\($0.quantity)\($0.unit?.symbol.map { " \($0)" } ?? "")"
        return "\(quantity)\($0.isCountDoubtful ? "?" : "") \($0.name)"
      }
    }
    let cases: [(String, [String])] = [
      ("Kohl 1.250 kg x 2,00  2,50", ["1.25 kg Kohl"]),
      ("Kohl\n 1.250 kg x 2,00  2,50", ["1.25 kg Kohl"]),
      ("Kohl 2,50\n 1.250 kg x 2,00 EUR/kg", ["1.25 kg Kohl"]),
      ("Kohl 3.000 x 2,50  7,50", ["3 Kohl"]),
      ("Kohl 2,50\n 2.250 kg x 2,00 EUR/kg", ["2.25 kg? Kohl", "1? Kohl"]),
      ("Kohl 4 x 2,50  7,50", ["4? Kohl"]), ("Kohl 7,50\n  4 x 2,50", ["1? Kohl"]),
      ("4 x 2,50\nKohl 7,50", ["1? Kohl"]), ("Kohl   4   2,50   7,50", ["1? Kohl 4 2,50"]),
      ("Bier 24x0,33  15,99", ["1 Bier 24x0,33"]), ("Saft 6x1,5L  4,50", ["1 Saft 6x1,5L"]),
      ("Saft 0,99\n(1 l = 1,98 EUR/l)", ["1 Saft"]), ("2 x Saft  3,00", ["2 Saft"]),
    ]
    for (text, lines) in cases {
      let found = read("LADEN\n\(text)\nTee 1,00\nSumme 99,00").filter { !$0.hasSuffix("Tee") }
      #expect(found.count == 1 && lines.contains(found.joined()), "\(text): \(found)")
    }
    let counted = "LADEN\n2 Kohl 3,00\nTee 1,00\nSumme 4,00"
    #expect(read(counted) == ["1 2 Kohl", "1 Tee"])
    #expect(read(counted + "\n3 Artikel") == ["2 Kohl", "1 Tee"])
    #expect(read(counted + "\n2 Artikel") == ["1 2 Kohl", "1 Tee"])
    #expect(read("LADEN\n7 Korn 3,00\n4 Gewürze 1,00\nSumme 4,00") == ["7? Korn", "4? Gewürze"])
    #expect(read("LADEN\n3 x Kohl 3,00\nTee 1,00\nSumme 4,00\n4 Artikel") == ["3 Kohl", "1 Tee"])
    #expect(read("LADEN\n8 x Kohl 3,00\nTee 1,00\nSumme 4,00\n4 Artikel") == ["8? Kohl", "1 Tee"])
  }

  @Test(
    "a day that reads both ways is told with the other, unless something on the receipt decides")
  func bothWays() {
    func days(_ day: String, _ others: String..., currency: String = "EUR") -> [Day?] {
      let read = ReceiptTextReader(
        on: Day("2026-11-23") ?? Day(daysSinceEpoch: 0), currency: currency
      )
      .read((["SHOP", "MILK 1.50", "TOTAL 1.50", "\(day) 17:21"] + others).joined(separator: "\n"))
      return [read.day, read.otherDay]
    }
    let (march, october) = (Day("2026-03-10"), Day("2026-10-03"))
    #expect(days("10/03/26") == [march, october])
    #expect(days("10-03-2026") == [march, october])
    #expect(days("10/03/26", currency: "USD") == [october, march])
    // The currency, a country's words and other days decide.
    #expect(days("10/03/26", "CASH $1.50") == [october, nil])
    #expect(days("10/03/26", "CASH €1.50") == [march, nil])
    #expect(days("10/03/26", "1.2 lb @ 0.50 /lb") == [october, nil])
    #expect(days("10/03/26", "TVA 5,5%") == [march, nil])
    #expect(days("10/03/26", "RETURN BY 10/31/26") == [october, nil])
    #expect(days("10/03/26", "valid until 25/12/26") == [march, nil])
    #expect(days("10/03/26", "3 October 2026") == [october, nil])
    #expect(days("10/03/26", "Printed 2026-03-10") == [march, nil])
    // So do a day in the future, and numbers that are no day the other way round.
    #expect(days("10/12/25") == [Day("2025-12-10"), Day("2025-10-12")])
    #expect(days("01/12/26") == [Day("2026-01-12"), nil])
    #expect(days("10/25/26") == [Day("2026-10-25"), nil])
    #expect(days("10/10/26") == [Day("2026-10-10"), nil])
    #expect(days("10.03.26") == [march, nil])
  }

  @Test("receipts that differ in their number are two, and what text recognition mistakes is one")
  func numbers() {
    func receipt(_ lines: [String]) -> ReadReceipt {
      ReceiptTextReader(on: Day("2026-11-23") ?? Day(daysSinceEpoch: 0), currency: "EUR")
        .read(
          (["LADEN", "Tee 1,00", "Summe 1,00", "12.11.2026 10:15"] + lines).joined(separator: "\n"))
    }
    func id(_ lines: String...) -> String { receipt(lines).id }
    let forms = [
      "Bon-Nr. ", "Bon-Nr.:", "Beleg Nr ", "Receipt No: ", "Ticket n° ", "Rechnung Nr. 2026-",
      "Invoice #",
      "Trans ", "TSE-Transaktion: ", "Trace-Nr. ", "Terminal-ID 560", "TR# ", "No. Resit : ",
      "Kvitto ",
    ]
    for form in forms { #expect(id(form + "4417") != id(form + "4418"), "\(form)") }
    #expect(id("Bon-Nr. 4417", "Trace 88") == id("Bon-Nr. 44l7", "Trace 88"))
    let printed = ["Bon-Nr. 7", "Invoice #31", "Transaktion 9001", "Trace 88 Terminal-ID 5"]
    let other = ["Bon-Nr. 8", "Invoice #32", "Transaktion 9002", "Trace 89 Terminal-ID 5"]
    let whole = receipt(printed)
    #expect(whole.numbers == ["7", "31", "9001", "88", "5"])
    #expect(receipt(printed.map { $0.replacing("1", with: "l") }).id == whole.id)
    for place in printed.indices {
      var lines = printed
      lines[place] = other[place]
      #expect(receipt(lines).id != whole.id, "\(other[place])")
    }
    #expect(id("Bon-Nr. 1047") == id("BON-NR: 1O47") && id("Bon 0047") == id("Bon 47"))
    #expect(
      id("Datum Zeit Beleg-Nr. Kasse", "12.11. 10:15 2210 5")
        != id("Datum Zeit Beleg-Nr. Kasse", "12.11. 10:15 2211 5"))
    #expect(id("2 TICKET 24H  0,00", "Bon 8") != id("2 TICKET 24H  0,00", "Bon 9"))
    #expect(id() == id("Bon-Aktion 2,00 gespart") && id() == id("Danke"))
  }

  @Test("a long text is read soon")
  func long() {
    var lines = (0..<1500).map { "Ding \($0 % 97)  1,\($0 % 10)0 B\n   2 x 0,50" }
    lines.append("SUMME 9,99")
    let began = ContinuousClock.now
    let read = ReceiptTextReader(on: Day(daysSinceEpoch: 20_000)).read(
      lines.joined(separator: "\n"))
    #expect(read.lines.count == 1500)
    #expect(ContinuousClock.now - began < .seconds(60))
  }

  @Test("a text of nothing but totals is read soon")
  func manyTotals() {
    let things = ["Milk 1,00", "Rabatt -0,10", "Pfand 0,25", "MwSt 0,07", "Rundung 0,01"]
    let lines = things + (1...500).map { "TOTAL \($0),00" }
    let began = ContinuousClock.now
    let reader = ReceiptTextReader(on: Day(daysSinceEpoch: 20_000))
    #expect(reader.read(lines.joined(separator: "\n")).lines.count < 10)
    #expect(ContinuousClock.now - began < .seconds(30))
  }
}
