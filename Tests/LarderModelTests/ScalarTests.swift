import Foundation
import LarderModel
import TestSupport
import Testing

@Suite("Instants")
struct InstantTests {
  @Test(
    "other offsets and precisions are rewritten, finer digits cut",
    arguments: [
      ("2026-11-03T19:12:44.120Z", "2026-11-03T19:12:44.120Z"),
      ("2026-11-03T19:12:44Z", "2026-11-03T19:12:44.000Z"),
      ("2026-11-03t19:12:44z", "2026-11-03T19:12:44.000Z"),
      ("2026-11-03 19:12:44.1Z", "2026-11-03T19:12:44.100Z"),
      ("2026-11-03T19:12:44.1209999999Z", "2026-11-03T19:12:44.120Z"),
      ("2026-11-03T19:12:44.9999Z", "2026-11-03T19:12:44.999Z"),
      ("2026-11-03T19:12:44+08:00", "2026-11-03T11:12:44.000Z"),
      ("2026-11-03T00:00:00+00:01", "2026-11-02T23:59:00.000Z"),
      ("2026-12-31T23:30:00-05:45", "2027-01-01T05:15:00.000Z"),
      ("2026-11-03T19:12:44-00:00", "2026-11-03T19:12:44.000Z"),
      ("2028-02-29T12:00:00Z", "2028-02-29T12:00:00.000Z"),
      ("2016-12-31T23:59:60Z", "2016-12-31T23:59:59.000Z"),
      ("2016-12-31T23:59:60.500Z", "2016-12-31T23:59:59.500Z"),
      ("2017-01-01T07:59:60+08:00", "2016-12-31T23:59:59.000Z"),
      ("1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z"),
      ("0000-01-01T00:00:00Z", "0000-01-01T00:00:00.000Z"),
      ("9998-12-31T23:59:59.999Z", "9998-12-31T23:59:59.999Z"),
    ])
  func reading(_ text: String, _ canonical: String) {
    #expect(Instant(text)?.description == canonical)
    #expect(Instant(canonical)?.description == canonical)
  }

  @Test(
    "anything else is no instant",
    arguments: [
      "", "2026-11-03", "2026-11-03T19:12Z", "2026-11-03T19:12:44", "2026-11-03T19:12:44.Z",
      "2026-11-03T24:00:00Z", "2026-11-03T19:60:00Z", "2026-11-03T19:12:61Z",
      "2026-02-29T00:00:00Z",
      "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-11-00T00:00:00Z",
      "2026-11-03T19:12:44+0800",
      "2026-11-03T19:12:44+24:00", "2026-11-03T19:12:44+08:60", "2026-11-03T19:12:44Z ",
      " 2026-11-03T19:12:44Z", "2026-11-3T19:12:44Z", "26-11-03T19:12:44Z", "+2026-11-03T19:12:44Z",
      "2026-11-03T19:12:44,5Z", "20261103T191244Z", "2026-11-03_19:12:44Z", "２026-11-03T19:12:44Z",
      "0000-01-01T00:00:00+00:01", "9998-12-31T23:59:59-00:01", "9999-01-01T00:00:00Z",
      "10000-01-01T00:00:00Z",
      "yesterday",
    ])
  func refusing(_ text: String) {
    #expect(Instant(text) == nil)
  }

  @Test("every instant reads back from its text, in order")
  func roundTrip() {
    var generator = SeededGenerator(seed: Seed.ofRun)
    print("instants: LARDER_SEED=\(Seed.ofRun)")
    for _ in 0..<3000 {
      let milliseconds = Int64.random(
        in: -62_167_219_200_000...253_370_764_799_999, using: &generator)
      let instant = Instant(milliseconds: milliseconds)
      #expect(Instant(instant.description) == instant)
      #expect(instant < instant.next && instant.next.milliseconds == milliseconds + 1)
    }
  }
}

@Suite("Days")
struct DayTests {
  /// The calendar told month by month, from a day whose weekday everybody can look up.
  @Test("the days from 1900 to 2100 follow each other as the calendar says")
  func calendar() throws {
    let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    var expected = -25_567  // 1900-01-01, a Monday
    var weekday = 1
    for year in 1900...2100 {
      let isLeap = year.isMultiple(of: 400) || (year.isMultiple(of: 4) && !year.isMultiple(of: 100))
      for month in 1...12 {
        for day in 1...(lengths[month - 1] + (month == 2 && isLeap ? 1 : 0)) {
          let found = try #require(Day(year: year, month: month, day: day))
          guard found.daysSinceEpoch == expected, found.weekday == weekday,
            found.civil == (year, month, day), Day(found.description) == found
          else {
            Issue.record("\(year)-\(month)-\(day) is \(found), weekday \(found.weekday)")
            return
          }
          expected += 1
          weekday = weekday % 7 + 1
        }
        let over = lengths[month - 1] + (month == 2 && isLeap ? 2 : 1)
        #expect(Day(year: year, month: month, day: over) == nil)
      }
    }
  }

  @Test("known days have the weekday they had")
  func weekdays() throws {
    #expect(try #require(Day("1970-01-01")).weekday == 4)
    #expect(try #require(Day("2026-11-21")).weekday == 6)
    #expect(try #require(Day("2000-02-29")).weekday == 2)
    #expect(Day("1970-01-01")?.daysSinceEpoch == 0)
  }

  @Test(
    "months are added to the last day of a shorter one",
    arguments: [
      ("2026-01-31", 1, "2026-02-28"), ("2028-01-31", 1, "2028-02-29"),
      ("2026-12-31", 2, "2027-02-28"), ("2026-03-31", -1, "2026-02-28"),
      ("2026-01-15", -1, "2025-12-15"), ("2026-01-15", -13, "2024-12-15"),
      ("2024-02-29", 12, "2025-02-28"), ("2026-11-21", 0, "2026-11-21"),
    ])
  func months(_ start: String, _ months: Int, _ end: String) {
    #expect(Day(start)?.adding(months: months).description == end)
  }

  @Test(
    "what is no day of the calendar is refused",
    arguments: [
      "2026-02-29", "1900-02-29", "2026-04-31", "2026-13-01", "2026-00-10", "2026-01-00",
      "2026-1-01",
      "2026-01-1", "20260101", "2026/01/01", "2026-01-01T00:00:00Z", "2026-01-01 ", "-001-01-01",
      "",
    ])
  func refusing(_ text: String) {
    #expect(Day(text) == nil)
  }

  @Test("the first and the last day are written with four digits")
  func range() {
    #expect(Day("0000-02-29")?.description == "0000-02-29")
    #expect(Day("9999-12-31")?.description == "9999-12-31")
    #expect(Day(year: 10_000, month: 1, day: 1) == nil)
    #expect(Day(year: -1, month: 1, day: 1) == nil)
  }
}

@Suite("Numbers and units")
struct NumberTests {
  @Test("a tenth and two tenths are three tenths")
  func tenths() throws {
    let sum = try #require(Number("0.1")) + #require(Number("0.2"))
    #expect(sum == Number("0.3"))
    #expect(sum.description == "0.3")
  }

  @Test(
    "numbers are read in any spelling and written plainly",
    arguments: [
      ("0", "0"), ("-0", "0"), ("-0.0", "0"), ("1.50", "1.5"), ("1e2", "100"), ("1.5E-3", "0.0015"),
      ("12e-1", "1.2"), ("0.000001", "0.000001"), ("-0.000001", "-0.000001"),
      ("999999999999999", "999999999999999"), ("999999999.999999", "999999999.999999"),
      ("-999999999.999999", "-999999999.999999"), ("0.100000", "0.1"), ("1.0000000", "1"),
    ])
  func reading(_ text: String, _ canonical: String) {
    #expect(Number(text)?.description == canonical)
  }

  @Test(
    "more digits, more decimals and other spellings are refused",
    arguments: [
      "1000000000000000", "1e15", "0.0000001", "1234567890.123456", "1e-7", "", "-", "+1", ".5",
      "1.",
      "01", "0x1", "1,5", " 1", "1 ", "NaN", "Infinity", "1e999999999", "١",
    ])
  func refusing(_ text: String) {
    #expect(Number(text) == nil)
  }

  @Test(
    "a conversion is rounded half to even at the sixth decimal",
    arguments: [
      ("0.0005", "0"), ("0.0015", "0.000002"), ("0.0025", "0.000002"), ("0.0035", "0.000004"),
      ("0.000501", "0.000001"), ("-0.0005", "0"), ("-0.0015", "-0.000002"),
      ("-0.0025", "-0.000002"), ("-0.000501".replacing("01", with: ""), "0"), ("1000.0005", "1"),
      ("1000.0015", "1.000002"), ("999.9995", "1"), ("-0.000501", "-0.000001"),
    ])
  func rounding(_ grams: String, _ kilograms: String) throws {
    let quantity = Quantity(try #require(Number(grams)), .gram)
    #expect(quantity.converted(to: .kilogram)?.rounded.description == kilograms)
    let exact = Fraction(decimal: grams) * Fraction(1, 1000)
    #expect(exact.text == kilograms)
  }

  @Test("random sums and roundings are what fractions say")
  func random() throws {
    print("numbers: LARDER_SEED=\(Seed.ofRun)")
    var generator = SeededGenerator(seed: Seed.ofRun)
    for _ in 0..<2000 {
      let texts = (0..<2).map { _ in
        let millionths = Int.random(in: -5_000_000_000...5_000_000_000, using: &generator)
        return Fraction(Int128(millionths), 1_000_000).text
      }
      let numbers = try texts.map { try #require(Number($0)) }
      #expect(
        (numbers[0] + numbers[1]).description
          == (Fraction(decimal: texts[0]) + Fraction(decimal: texts[1])).text)
      #expect(
        (numbers[0] < numbers[1]) == (Fraction(decimal: texts[0]) < Fraction(decimal: texts[1])))
      let kilograms = Quantity(numbers[0], .gram).converted(to: .kilogram)?.rounded
      #expect(kilograms?.description == (Fraction(decimal: texts[0]) * Fraction(1, 1000)).text)
    }
  }

  @Test("the ledger rounds once, at the end, not at every step")
  func roundedOnce() throws {
    let changes = (1...3).map {
      #"{"id": #\#($0), "at": @2, "delta": 0.0004, "unit": "gram", "why": "add", "by": "a"}"#
    }
    let entity = try entity(
      .stockItem,
      #""unit": "kilogram", "updatedAt": @2, "changes": [\#(changes.joined(separator: ", "))]"#)
    #expect(entity.quantity.value == Number("0.000001"))
  }

  @Test("grams and kilograms convert, millilitres and litres do, nothing else does")
  func conversions() throws {
    let families: [[LarderModel.Unit]] = [
      [.piece], [.gram, .kilogram], [.milliliter, .liter], [.pack], [.own("tin")],
      [.own("roll")],
    ]
    for unit in families.joined() {
      for other in families.joined() {
        let isFamily = families.contains { $0.contains(unit) && $0.contains(other) }
        #expect(unit.converts(to: other) == isFamily)
        #expect((Quantity(Number(1), unit).converted(to: other) != nil) == isFamily)
      }
    }
    #expect(try amount("1.5", .liter).converted(to: .milliliter) == Number(1500))
    #expect(try amount("1", .gram).converted(to: .kilogram) == Number("0.001"))
  }

  @Test(
    "a unit of one's own is a word of small letters in any script, with another name than a known one"
  )
  func own() throws {
    for name in ["tin", "dose", "flasche", "пакет", "瓶", String(repeating: "a", count: 24)] {
      #expect(LarderModel.Unit(rawValue: name) == .own(name))
      #expect(LarderModel.Unit(written: name)?.rawValue == name)
    }
    let others = [
      "", "Tin", "kg", "litre", "dozen", "cl", "fl oz", "6er", "a-b", "µg",
      String(repeating: "a", count: 25), "\u{200B}tin", "🥫",
    ]
    for name in others { #expect(LarderModel.Unit(rawValue: name) == nil, "\(name)") }
    #expect(LarderModel.Unit(written: "TIN") == .own("tin"))
    #expect(LarderModel.Unit(written: "KG") == .kilogram)
  }

  @Test("English words for packages have their plural behind a number")
  func plurals() throws {
    #expect(try amount("2", .own("tin")).description == "2 tins")
    #expect(try amount("1", .own("loaf")).description == "1 loaf")
    #expect(try amount("2", .own("flasche")).description == "2 flasche")
    #expect(try amount("0.5", .pack).description == "0.5 packs")
  }
}

@Suite("Quotients")
struct QuotientTests {
  @Test(
    "a quotient is rounded half to even at the sixth decimal",
    arguments: [
      ("1", "3", "0.333333"), ("2", "3", "0.666667"), ("-2", "3", "-0.666667"),
      ("2", "-3", "-0.666667"), ("0.000001", "2", "0"), ("0.000003", "2", "0.000002"),
      ("-0.000003", "2", "-0.000002"), ("0.000005", "10", "0"), ("0.000015", "10", "0.000002"),
      ("999999999999999", "0.000001", "999999999999999000000"), ("0", "7", "0"),
      ("10.2", "6", "1.7"),
    ])
  func quotient(_ one: String, _ other: String, _ quotient: String) throws {
    let (left, right) = (try #require(Number(one)), try #require(Number(other)))
    #expect(left.divided(by: right)?.description == quotient)
  }

  @Test("nothing is divided by zero")
  func zero() { #expect(Number(1).divided(by: .zero) == nil) }

  @Test(
    "a number is rounded half to even at any decimal",
    arguments: [
      ("2.5", 0, "2"), ("3.5", 0, "4"), ("-2.5", 0, "-2"), ("0.125", 2, "0.12"),
      ("0.135", 2, "0.14"), ("0.1251", 2, "0.13"), ("-0.135", 2, "-0.14"), ("7.05", 1, "7"),
      ("0.000001", 6, "0.000001"),
    ])
  func rounding(_ number: String, _ decimals: Int, _ rounded: String) throws {
    #expect(try #require(Number(number)).rounded(decimals: decimals).description == rounded)
  }
}
