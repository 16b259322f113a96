import Foundation
import LarderKit
import Seeded
import TestSupport
import Testing

@Suite("What receipts count, in any language")
struct CountedThingsTests {
  private static let today = Day("2026-11-23") ?? Day(daysSinceEpoch: 0)

  private func read(_ text: String, in currency: String = "EUR") -> ReadReceipt {
    ReceiptTextReader(on: Self.today, currency: currency).read(text)
  }

  /// Returns the lines that are saved, as `2 l | name`; nil if a person is asked.
  private func saved(_ text: String, in currency: String = "EUR") -> [String]? {
    let read = read(text, in: currency)
    guard ReadingDoubt(read, on: Self.today, hasShop: true, hasDay: true) == nil else { return nil }
    return read.lines.map { line in
      "\(line.quantity)\(line.unit?.symbol.map { " \($0)" } ?? "") | \(line.name)"
    }
  }

  /// Words for a piece, of shops in Europe, Asia and America.
  private static let words = [
    "Stk", "Stk.", "Stück", "st", "st.", "pcs", "pc", "pce", "pièces", "ea", "each", "Ea.", "ud",
    "uds", "unid", "un", "UND", "pz", "pza", "szt", "szt.", "ks", "db", "kpl", "KPL", "buc", "vnt.",
    "tk", "gab", "kos", "kom", "adet", "бр", "шт", "τεμ", "buah", "個",
  ]

  /// The places of a quantity with its price, and whether it has a sign of multiplication.
  private static let places: [(name: String, text: @Sendable (String, String) -> String)] = [
    ("on the row", { "Wasser \($0)   \($1)" }), ("above", { "\($0)\nWasser   \($1)" }),
    ("below", { "Wasser   \($1)\n   \($0)" }),
    ("below a wrapped name", { "Wasser\nmit Perlen\n\($0)   \($1)" }),
    ("on a row of its own", { "Wasser\n\($1)\n\($0)" }),
  ]

  @Test("a number counts what its price makes the amount of, whatever word stands at it")
  func everyWord() {
    #expect(Self.words.count == 37)
    var (tried, asked) = (0, 0)
    for word in Self.words {
      let stated = ["6\(word)*1,79", "6 \(word) x 1,79", "6\(word) @ 1,79", "6 \(word) à 1,79"]
      let columns = ["6\(word)    1,79", "6 \(word)    1,79"]
      let texts =
        Self.places.flatMap { place in stated.map { place.text($0, "10,74") } }
        + columns.map { "Wasser    \($0)    10,74" }
      for text in texts {
        for all in ["\(text)\nBrot   2,00", "Brot   2,00\n\(text)"] {
          tried += 1
          let receipt = "Laden am Eck\n12.10.2026 17:05\n\(all)\nSumme   12,74"
          guard let lines = saved(receipt) else {
            asked += 1
            continue
          }
          #expect(
            lines.count == 2 && lines.contains("1 | Brot")
              && lines.contains { $0.hasPrefix("6 | ") && !$0.contains("1,79") }, "\(all): \(lines)"
          )
        }
      }
    }
    print("quantities with any word: \(tried) tried, \(asked) asked about")
    #expect(asked * 20 <= tried)
  }

  @Test("a number that no price explains is asked about, wherever it stands")
  func unexplained() {
    for word in Self.words {
      for count in ["5\(word)", "5 \(word)"] {
        let texts =
          Self.places.flatMap { place in
            [place.text("\(count)*1,79", "10,74"), place.text("\(count) x 1,79", "10,74")]
          } + ["Wasser   10,74\n\(count)", "Wasser    \(count)    10,74"]
        for text in texts {
          let receipt = "Laden\n12.10.2026\nBrot   2,00\n\(text)\nTee 1,00\nSumme   13,74"
          #expect(saved(receipt) == nil, "\(text): \(saved(receipt) ?? [])")
        }
      }
    }
  }

  @Test("a random quantity at a random word is read right, or asked about")
  func random() {
    var random = SeededGenerator(seed: 11)
    let signs = ["*", "x", " x ", " * ", " @ ", "@", " à ", " "]
    for _ in 0..<1500 {
      let letters = (0..<random.number(1...6)).map { _ in random.pick(Array("abcdeghkmnoprstuvz")) }
      let word = String(letters.compactMap(\.self))
      guard !["g", "kg", "l", "cl", "dl", "ml", "lb", "oz", "gr", "kr", "c"].contains(word) else {
        continue
      }
      let (count, cents) = (random.number(2...40), random.number(11...999))
      func money(_ cents: Int) -> String {
        "\(cents / 100),\(cents % 100 < 10 ? "0" : "")\(cents % 100)"
      }
      let sign = random.pick(signs) ?? "*"
      let detail = "\(count)\(random.pick(["", " "]) ?? "")\(word)\(sign)\(money(cents))"
      guard let place = random.pick(Self.places) else { continue }
      let text = place.text(detail, money(count * cents))
      let receipt =
        "Laden am Eck\n12.10.2026\nBrot   2,00\n\(text)\nTee   1,00\n"
        + "Summe   \(money(count * cents + 300))"
      guard let lines = saved(receipt) else { continue }
      #expect(lines.contains { $0.hasPrefix("\(count) | ") }, "\(text): \(lines)")
    }
  }

  @Test("a unit of measure is the one that is printed and that the price is for, and never another")
  func measures() {
    let ginger: [(String, String, String?)] = [
      ("Root   1.51\n0.76 lb@ $1.99/ lb", "USD", "344.730201 g | Root"),
      ("0.76LB@1.99/LB\nRoot   1.51", "USD", "344.730201 g | Root"),
      ("Root 0.76lb@1.99   1.51", "CAD", "344.730201 g | Root"),
      ("Root   1.51\n0.76 # @ 1.99", "USD", "344.730201 g | Root"),
      ("0.76#@1.99\nRoot   1.51", "USD", "344.730201 g | Root"),
      ("Root   1.51\n0.76 @ 1.99/lb", "USD", "344.730201 g | Root"),
      ("Root   1.51\n0.76 @ 1.99", "USD", nil), ("Root   1.51\n0.76 lb @ 1.99/kg", "USD", nil),
      ("Root   1.51\n0.76 kg @ 1.99/kg", "USD", "0.76 kg | Root"),
      ("Root 0,252kg*5,99   1,51", "EUR", "0.252 kg | Root"),
      ("Root   1,51\n0,252 x 5,99", "EUR", "0.252 kg | Root"),
      ("Root\n1,51\n0,252 KG\n5,99 €/KG", "EUR", "0.252 kg | Root"),
      ("Root   1,51\n0,252 KG", "EUR", nil), ("Root   1,51\n0,352 kg x 5,99", "EUR", nil),
    ]
    for (text, currency, line) in ginger {
      let total = currency == "EUR" ? "Tee   1,00\nSumme   2,51" : "Tee   1.00\nTOTAL   2.51"
      let lines = saved("MARKET\n2026-10-12 15:34\n\(text)\n\(total)", in: currency)
      #expect(lines == line.map { [$0, "1 | Tee"] }, "\(text)")
    }
    let eggs: [(String, String?)] = [
      ("Eggs 120g\n4.56\n24 Ct 0.19 $/Ct", "24 | Eggs 120g"),
      ("Eggs\n4.56\n24 @\n0.19", "24 | Eggs"),
      ("Eggs   4.56\n24 @", nil), ("Eggs   4.56\n2 Ea. @ 1/ 2.28", "2 | Eggs"),
      ("Eggs   4.56\n3 @ 4 for 6.08", "3 | Eggs"), ("24 @ 2/0.38\nEggs   4.56", "24 | Eggs"),
    ]
    for (text, line) in eggs {
      let lines = saved("MARKET\n2026-10-12 15:34\n\(text)\nTea   1.00\nTOTAL   5.56", in: "USD")
      #expect(lines == line.map { [$0, "1 | Tea"] }, "\(text)")
    }
  }

  @Test("delivered of ordered counts what was delivered")
  func delivered() {
    let text = "Farm\n2026-10-12\nMilk    2/2    3.00\nBread    1/2    1.50\nTOTAL   4.50"
    #expect(saved(text) == ["2 | Milk", "1 | Bread"])
    #expect(saved("Farm\n2026-10-12\nMilk 2/3  1.50  3.00\nTOTAL 3.00") == ["2 | Milk"])
    #expect(saved("Farm\n2026-10-12\nMilk    2/2    3.00\nTOTAL   3.00") == nil)
    #expect(saved("Farm\n2026-10-12\n1/2 Melon   3.00\nTOTAL   3.00") == ["1 | 1/2 Melon"])
  }

  @Test("a time with the letter of a half of the day, or with a point beside the day, is read")
  func times() {
    func minutes(_ line: String) -> Int? {
      read("SHOP\nTEA 1,00\nTOTAL 1,00\n\(line)").minutes
    }
    for line in ["10-15-26 9:55P 222/10", "10-15-26 9:55 P", "10-15-26 09:55p.", "10-15-26 9:55PM"]
    {
      #expect(minutes(line) == 21 * 60 + 55, "\(line)")
    }
    #expect(minutes("10-15-26 9:55A") == 9 * 60 + 55)
    #expect(minutes("10-15-26 12:05A") == 5)
    #expect(minutes("10-15-26 12:05P") == 12 * 60 + 5)
    #expect(minutes("10-15-26 9:55 Pos 4") == 9 * 60 + 55)
    for line in ["15.24 31.10.2026", "31.10.2026 15.24", "31.10.2026 klo 15.24"] {
      #expect(minutes(line) == 15 * 60 + 24, "\(line)")
    }
    let swiss = read("SHOP\nTEA 1.00\nTOTAL 1.00\n31.10.2026 15.24", in: "CHF")
    #expect(swiss.minutes == nil)
  }

  @Test("a number of positions contradicts no quantity, a number of pieces does")
  func positions() {
    func text(_ count: String) -> String {
      "LADEN\n12.10.2026\n3 x Kohl 3,00\nTee 1,00\nSumme 4,00\n\(count)"
    }
    for count in ["Posten: 2", "Posten: 7", "2 Positionen"] {
      #expect(saved(text(count)) == ["3 | Kohl", "1 | Tee"], "\(count)")
    }
    #expect(saved(text("4 Artikel")) == ["3 | Kohl", "1 | Tee"])
    #expect(saved(text("7 Artikel")) == nil)
  }

  @Test("no row is left out so that a total fits")
  func leftOut() {
    let rows = [
      "Fisch 400g   2,99", "Mais   0,79", "Wasser 12x0,7l   6,49", "Pfand   3,30",
      "Leergut   -3,30", "Liefergebühr   3,90",
    ]
    let ways = [
      rows,
      rows.map { row in
        row.replacing(#/\ {3}(-?)([0-9,]+)/#) { " \($0.1)1 \($0.2) € \($0.1)\($0.2) € A" }
      },
    ]
    for rows in ways {
      func text(_ rows: [String]) -> String {
        "Markt\n12.10.2026\n\(rows.joined(separator: "\n"))\nSumme   14,17"
      }
      #expect(saved(text(rows))?.count == 6, "\(rows)")
      for place in rows.indices {
        var lost = rows
        lost.remove(at: place)
        #expect(saved(text(lost)) == nil, "\(rows[place])")
        for digit in rows[place].indices where rows[place][digit].isNumber {
          var wrong = rows
          wrong[place].replaceSubrange(digit...digit, with: rows[place][digit] == "8" ? "1" : "8")
          guard let lines = saved(text(wrong)) else { continue }
          #expect(lines.count == 6, "\(wrong[place]): \(lines)")
        }
      }
    }
  }

  @Test("a discount without a minus, and a thing with one, are asked about")
  func signs() {
    func reasons(_ row: String, _ total: String) -> [ReadingDoubt.Reason] {
      let read = read("Laden\n12.10.2026\nMilch 2,00\nBrot Roggen 3,00\n\(row)\nSumme \(total)")
      return ReadingDoubt(read, on: Self.today, hasShop: true, hasDay: true)?.reasons ?? []
    }
    for row in ["Rabatt 0,50", "COUPON 0,50", "Aktion Milch 0,50"] {
      #expect(reasons(row, "4,50") == [.signs(1)], "\(row)")
      #expect(reasons(row, "5,50") == [.signs(1)], "\(row)")
      #expect(reasons(row, "5,00") == [.signs(1)], "\(row)")
    }
    for row in ["Butter -0,50", "Milch -0,50", "Storno Käse -0,50", "Bio Butter 250g -0,50"] {
      #expect(reasons(row, "4,50") == [.signs(1)], "\(row)")
    }
    for row in [
      "Rabatt -0,50", "Treuerabatt -0,50",
      "Stammkunde 10% -0,50", "Brezel 2 für 1,50 -0,50", "Leergut -0,50",
      "Kartenpreis Roggen -0,50",
    ] {
      #expect(reasons(row, "4,50").isEmpty, "\(row)")
    }
    let between = read("Laden\n12.10.2026\nMilch 2,00\nZwischensumme 2,00\nRabatt 0,50\nSumme 1,50")
    #expect(ReadingDoubt(between, on: Self.today, hasShop: true, hasDay: true) == nil)
  }

  @Test("look-up codes, and letters and codes of taxes, are no part of a name")
  func names() {
    let legend = "A 19% 0,32 2,00\nB  7% 0,13 2,00"
    let cases: [(String, String)] = [
      ("Brot A   2,00\nTee B   2,00", legend), ("Brot   A   2,00\nTee   B   2,00", ""),
      ("Brot F 2,00\nTee T 2,00", ""), ("A Brot 2,00\nB Tee 2,00", ""),
      ("Brot   2,00 A\nTee   2,00 B", ""), ("Brot   TX   2,00\nTee   T1   2,00", ""),
      ("Brot   2,00 A\n   1 x 2,00\nTee   2,00 B", ""), ("Brot   2,00 19%\nTee   2,00 7%", ""),
      ("Brot   (A)   2,00\nTee   *B   2,00", ""),
      ("4011 Brot 2,00\nPLU 4012 Tee 2,00", ""), ("Brot #4011 2,00\nTee PLU94011 2,00", ""),
      ("Brot 4011   2,00\nTee   2,00", ""),
    ]
    for (rows, legend) in cases {
      let text = "Laden\n12.10.2026\n\(rows)\nSumme 4,00\n\(legend)"
      #expect(saved(text) == ["1 | Brot", "1 | Tee"], "\(rows)")
    }
    let kept = "Laden\n12.10.2026\nVitamin C 2,00\nMilch 3,5% 1,00\nKuchen 1,00\nSumme 4,00"
    #expect(saved(kept) == ["1 | Vitamin C", "1 | Milch 3,5%", "1 | Kuchen"])
  }

  @Test("many numbers on many lines are read soon")
  func quick() {
    let row = (1...15).map { "\($0)st" }.joined(separator: " ")
    let lines = (0..<400).map { "Ding \($0) \(row) 1,23\n\($0) st x 0,50\n7 st" } + ["SUMME 9,99"]
    let began = ContinuousClock.now
    _ = read(lines.joined(separator: "\n"))
    #expect(ContinuousClock.now - began < .seconds(30))
  }
}
