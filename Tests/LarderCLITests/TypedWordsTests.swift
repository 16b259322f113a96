import LarderKit
import Testing

@testable import LarderCLI
@testable import LarderModel

@Suite("Days, moments, quantities and prices as they are typed")
struct TypedWordsTests {
  /// A Saturday.
  private let calendar = HouseholdCalendar(
    timeZone: "Europe/Berlin", now: Instant("2026-11-21T12:00:00Z") ?? Instant(milliseconds: 0))

  @Test(
    "days",
    arguments: [
      ("2026-12-01", "2026-12-01"), ("today", "2026-11-21"), ("Tomorrow", "2026-11-22"),
      ("yesterday", "2026-11-20"), ("+10d", "2026-12-01"), ("-3d", "2026-11-18"),
      ("+2w", "2026-12-05"), ("+1m", "2026-12-21"), ("+3m", "2027-02-21"), ("+1y", "2027-11-21"),
      ("fri", "2026-11-27"), ("sat", "2026-11-28"), ("sunday", "2026-11-22"),
      ("TUES", "2026-11-24"), ("10d", "2026-12-01"), ("3w", "2026-12-12"),
      ("01.12.2026", "2026-12-01"), ("1.12.2026", "2026-12-01"), ("01.12.", "2026-12-01"),
      ("12-01", "2026-12-01"), ("11-20", "2027-11-20"), ("11-21", "2026-11-21"),
      ("02-29", "2028-02-29"), ("12/2026", "2026-12-31"), ("2/2028", "2028-02-29"),
      ("2026-12", "2026-12-31"), ("dec 2026", "2026-12-31"), ("December 2026", "2026-12-31"),
      ("1 Dec", "2026-12-01"), ("1. Dec 2027", "2027-12-01"), ("Dec 1, 2027", "2027-12-01"),
      ("may 3", "2027-05-03"), ("24.12.26", "2026-12-24"), ("1.5.00", "2000-05-01"),
      ("24.12.", "2026-12-24"), ("24.12", "2026-12-24"), ("1.12", "2026-12-01"),
      ("24. 12. 2026", "2026-12-24"), ("12.2026", "2026-12-31"), ("2026-1-5", "2026-01-05"),
      ("2026/12/24", "2026-12-24"), ("24/12/2026", "2026-12-24"), ("24-12-2026", "2026-12-24"),
      ("24/12", "2026-12-24"), ("5/5/2027", "2027-05-05"), ("20261224", "2026-12-24"),
      ("3days", "2026-11-24"), ("3 days", "2026-11-24"), ("in 3 days", "2026-11-24"),
      ("1 day", "2026-11-22"), ("2 weeks", "2026-12-05"), ("in 2 months", "2027-01-21"),
      ("In 1 year", "2027-11-21"), ("24 dec", "2026-12-24"), ("dec 24", "2026-12-24"),
      ("24 december 2026", "2026-12-24"), ("24. dec", "2026-12-24"), ("24dec", "2026-12-24"),
      ("24-Dec-2026", "2026-12-24"), ("24 dec 26", "2026-12-24"),
      ("december 24, 2026", "2026-12-24"),
    ])
  func days(_ typed: String, _ day: String) {
    #expect(calendar.day(typed: typed)?.description == day)
  }

  @Test("a weekday that lies back is the last one, today included")
  func weekdaysBack() {
    #expect(calendar.day(typed: "sat", .back)?.description == "2026-11-21")
    #expect(calendar.day(typed: "fri", .back)?.description == "2026-11-20")
    #expect(calendar.day(typed: "sun", .back)?.description == "2026-11-15")
    #expect(calendar.day(typed: "12-01", .back)?.description == "2025-12-01")
    #expect(calendar.day(typed: "1 nov", .back)?.description == "2026-11-01")
  }

  @Test(
    "what is no day",
    arguments: [
      "", "d", "+d", "+-3d", "+1q", "fr", "+99999d", "x", "10", "dec", "1 2 dec", "next week",
      "in fri", "in", "2026", "24.12.026", "1.2.3.4", "12//2026", "-24 dec",
      "24 dec 2026 1",
      "24 dec jan", "dec,", "1,12", "241226", "0500-12", "٣ dec", "2026-12-24-", ".24.12",
    ])
  func noDays(_ typed: String) {
    #expect(throws: DayMistake.noDay) { try calendar.day(reading: typed) }
  }

  @Test(
    "a day that there is not, and one that may be another, say so",
    arguments: [
      ("2026-11-31", .noSuchDay(month: 11, year: 2026)),
      ("30.02.2027", .noSuchDay(month: 2, year: 2027)),
      ("31.02.2026", .noSuchDay(month: 2, year: 2026)),
      ("2026-02-30", .noSuchDay(month: 2, year: 2026)),
      ("20261131", .noSuchDay(month: 11, year: 2026)),
      ("02-30", .noSuchDay(month: 2, year: nil)), ("32 dec", .noSuchDay(month: 12, year: nil)),
      ("31 nov", .noSuchDay(month: 11, year: nil)), ("24.0.", .noSuchMonth(0)),
      ("13/2026", .noSuchMonth(13)), ("24.13.26", .noSuchMonth(13)), ("0-1", .noSuchMonth(0)),
      ("12/26", .dayOrMonth([])), ("3/4", .dayOrMonth([])),
      ("12/24/2026", .dayOrMonth([Day("2026-12-24")].compactMap(\.self))),
      ("3/4/2026", .dayOrMonth([Day("2026-04-03"), Day("2026-03-04")].compactMap(\.self))),
    ] as [(String, DayMistake)])
  func mistakenDays(_ typed: String, _ mistake: DayMistake) {
    #expect(throws: mistake) { try calendar.day(reading: typed) }
  }

  @Test(
    "moments",
    arguments: [
      ("now", "2026-11-21T12:00:00.000Z"), ("today", "2026-11-21T12:00:00.000Z"),
      ("18:30", "2026-11-21T17:30:00.000Z"), ("yesterday 9:15", "2026-11-20T08:15:00.000Z"),
      ("2026-11-20", "2026-11-20T11:00:00.000Z"),
      ("2026-07-01 00:00:30", "2026-06-30T22:00:30.000Z"),
      ("2026-11-20T18:30", "2026-11-20T17:30:00.000Z"),
      ("20 oct 2026 18:30", "2026-10-20T16:30:00.000Z"),
      ("3 days", "2026-11-24T11:00:00.000Z"), ("20.11. 9:15", "2026-11-20T08:15:00.000Z"),
      ("fri 7:00", "2026-11-20T06:00:00.000Z"),
      ("2026-11-20T18:30:00Z", "2026-11-20T18:30:00.000Z"),
      ("2026-11-20T18:30:00+01:00", "2026-11-20T17:30:00.000Z"),
      // The clocks skip from 02:00 to 03:00, and show 02:30 twice.
      ("2026-03-29 02:30", "2026-03-29T01:30:00.000Z"),
      ("2026-10-25 12:00", "2026-10-25T11:00:00.000Z"),
    ])
  func moments(_ typed: String, _ instant: String) {
    #expect(calendar.instant(typed: typed)?.description == instant)
  }

  @Test("what is no moment", arguments: ["", "24:00", "9:60", "today x", "18:30 today", "1:2:3:4"])
  func noMoments(_ typed: String) {
    #expect(calendar.instant(typed: typed) == nil)
  }

  @Test("a moment is shown by the household's clock")
  func shown() throws {
    #expect(calendar.text(of: calendar.now) == "2026-11-21 13:00")
    let summer = try #require(Instant("2026-06-30T22:05:00Z"))
    #expect(calendar.text(of: summer) == "2026-07-01 00:05")
    let old = try #require(Instant("1969-12-31T22:59:59Z"))
    #expect(calendar.text(of: old) == "1969-12-31 23:59")
    #expect(HouseholdCalendar(timeZone: "Mars/Base", now: old).text(of: old) == "1969-12-31 22:59")
  }

  @Test(
    "quantities",
    arguments: [
      ("2", "2", nil), ("0.5", "0.5", nil), (".5", "0.5", nil), ("+2", "2", nil), ("-1", "-1", nil),
      ("1.5kg", "1.5", .kilogram), ("500 g", "500", .gram), (" 3 Packs ", "3", .pack),
      ("2x", "2", nil), ("1 litre", "1", .liter), ("250ML", "250", .milliliter),
      ("2,5", "2.5", nil),
      ("0,125 l", "0.125", .liter), ("1/4l", "0.25", .liter), ("1 1/2", "1.5", nil),
      ("½", "0.5", nil),
      ("1½ kg", "1.5", .kilogram), ("half", "0.5", nil), ("a", "1", nil), ("one", "1", nil),
      ("half a litre", "0.5", .liter), ("2cl", "20", .milliliter), ("1 dl", "100", .milliliter),
      ("50 gr", "50", .gram), ("2 bottles", "2", .own("bottle")), ("4 Tins", "4", .own("tin")),
      ("1 Dose", "1", .own("dose")), ("a dozen", "12", .piece), ("2 x 1.5 l", "3", .liter),
      ("2x500g", "1000", .gram), ("1/3", "0.333333", nil), ("3 pieces", "3", .piece),
      ("-1/2", "-0.5", nil), ("a couple of tins", "2", .own("tin")), ("couple", "2", nil),
      ("three quarters", "0.75", nil), ("quarter pound", "0.25", .own("lb")),
      ("two thirds", "0.666667", nil), ("2 and three quarters kg", "2.75", .kilogram),
      ("one and a half", "1.5", nil), ("half dozen", "6", .piece), ("twenty-four", "24", nil),
      ("anderthalb Liter", "1.5", .liter), ("ein halbes Pfund", "250", .gram),
      ("ein Dutzend", "12", .piece), ("drei Viertel", "0.75", nil),
      ("zweieinhalb kg", "2.5", .kilogram),
      ("fünf Dosen", "5", .own("dosen")), ("zwölf", "12", nil), ("ein Viertelpfund", "125", .gram),
      ("1.5 l x 2", "3", .liter), ("330ml x6", "1980", .milliliter),
      ("2 tins x 3", "6", .own("tin")),
      ("a hundred", "100", nil), ("two hundred and five g", "205", .gram),
    ] as [(String, String, Unit?)])
  func quantities(_ typed: String, _ value: String, _ unit: Unit?) throws {
    let quantity = try TypedQuantity(typed)
    #expect(quantity.value.description == value)
    #expect(quantity.unit == unit)
  }

  @Test("every whole number below a thousand is read in English and in German")
  func numberWords() throws {
    let english = [
      "", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
      "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
    ]
    let tens = [
      "", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
    ]
    let german = [
      "", "ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf",
      "zwölf", "dreizehn", "vierzehn", "fünfzehn", "sechzehn", "siebzehn", "achtzehn", "neunzehn",
    ]
    let zehner = [
      "", "", "zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig",
      "neunzig",
    ]
    for number in 1...99 {
      let (ten, one) = (number / 10, number % 10)
      let word = number < 20 ? english[number] : tens[ten] + (one > 0 ? "-" + english[one] : "")
      let apart = word.replacing("-", with: " ")
      let wort =
        number < 20 ? german[number] : (one > 0 ? german[one] + "und" : "") + zehner[ten]
      for text in [
        word, apart, word.uppercased(), wort, wort.prefix(1).uppercased() + wort.dropFirst(),
      ] {
        #expect(try TypedQuantity(text) == TypedQuantity(value: Number(number)), "\(text)")
        #expect(
          try TypedQuantity(text + " kg") == TypedQuantity(value: Number(number), unit: .kilogram))
      }
      let hundreds = "three hundred and \(apart)"
      #expect(
        try TypedQuantity(hundreds) == TypedQuantity(value: Number(300 + number)), "\(hundreds)")
    }
  }

  @Test(
    "what is no quantity",
    arguments: [
      ("", .noNumber), ("x", .noNumber), ("1.2.3", .noNumber), ("--1", .noNumber),
      ("1,2,3", .noNumber),
      ("1,000", .comma(decimal: "1", thousands: "1000")),
      ("1,500 kg", .comma(decimal: "1.5", thousands: "1500")), ("1/0", .noNumber),
      ("1/", .noNumber),
      ("٣", .noNumber), ("milk", .noNumber), ("1.234,5", .noNumber),
      ("0.1234567", .tooManyDigits), ("1234567890123456", .tooManyDigits),
      ("2 big tins", .unknownUnit("big tins")), ("1 000", .unknownUnit("000")),
      ("999999999999999 dozen", .tooManyDigits),
    ] as [(String, TypedQuantity.Mistake)])
  func noQuantities(_ typed: String, _ mistake: TypedQuantity.Mistake) {
    #expect(throws: mistake) { try TypedQuantity(typed) }
  }

  @Test(
    "sums of money",
    arguments: [
      ("42.17", "42.17", nil), ("42,17", "42.17", nil), ("42.17€", "42.17", "EUR"),
      ("€ 42,17", "42.17", "EUR"), ("£3", "3", "GBP"), ("$5", "5", "CAD"), ("5 usd", "5", "USD"),
      ("1.042,17", "1042.17", nil), ("1,042.17", "1042.17", nil), ("1'042.17", "1042.17", nil),
      ("1,234,567", "1234567", nil), ("0,125", "0.125", nil), (".5", "0.5", nil),
      ("-3.20", "-3.2", nil), ("¥300", "300", "JPY"),
    ] as [(String, String, String?)])
  func sums(_ typed: String, _ amount: String, _ currency: String?) throws {
    let money = try TypedMoney(typed, in: "CAD")
    #expect(money.amount.description == amount)
    #expect(money.currency == currency)
  }

  @Test(
    "what is no sum of money",
    arguments: ["", "€", "abc", "1.2.3", "1,23,456", "€5€", "5 euros", "12.34.56,7", "--5"])
  func noSums(_ typed: String) {
    #expect(throws: TypedMoney.Mistake.noNumber) { try TypedMoney(typed) }
  }

  @Test("a comma before three digits is asked about")
  func commas() {
    let mistake = TypedMoney.Mistake.comma(decimal: "1.042", thousands: "1042")
    #expect(throws: mistake) { try TypedMoney("1,042 €") }
  }

  @Test("prices have two decimals at least, but in currencies that have none")
  func prices() throws {
    let cases: [(String, String?, String)] = [
      ("3.3", "EUR", "3.30 EUR"), ("3", nil, "3.00"), ("3.305", "EUR", "3.305 EUR"),
      ("300", "JPY", "300 JPY"), ("-2", "GBP", "-2.00 GBP"),
    ]
    for (amount, currency, text) in cases {
      #expect(TypedMoney(try #require(Number(amount)), currency).description == text)
    }
  }

  @Test("a word of a filter, a negated one and a plain word are told apart")
  func filters() {
    #expect(Filter("milk").condition == .word("milk"))
    #expect(Filter("https://example.org").condition == .word("https://example.org"))
    #expect(Filter("18:30").condition == .word("18:30"))
    #expect(Filter("total:>=2l").condition == .field("total", .atLeast, "2l"))
    #expect(Filter("Category:Meat & fish").condition == .field("Category", .equal, "Meat & fish"))
    #expect(Filter("is:Low").condition == .state("low"))
    #expect(Filter("-is:low").isNegated)
    #expect(!Filter("-milk").isNegated)
    #expect(Filter("note:").condition == .field("note", .equal, ""))
  }

  @Test("a word for a shell is quoted only where it has to be")
  func shell() {
    #expect(shellWord("Milk") == "Milk")
    #expect(shellWord("Crème") == "Crème")
    #expect(shellWord("42,17") == "42,17")
    #expect(shellWord("Oat milk") == "\"Oat milk\"")
    #expect(shellWord("Ben's") == #"Ben\'s"#)
    #expect(shellWord("$5 wine") == #"\$5\ wine"#)
    #expect(shellWord("") == "\"\"")
  }
}
