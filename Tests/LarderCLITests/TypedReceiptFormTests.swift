import LarderKit
import Seeded
import TestSupport
import Testing

@Suite("The form of a receipt")
struct TypedReceiptFormTests {
  private static let words = [
    "Milk", "Oat", "eggs", "7", "Up", "2", "1/2", "½", "half", "all", "a", "x", "2x", "l", "kg",
    "tins", "@", "@home", "\"", "6\"", "#", "#1", "Shop:", "Paid: 1", "amount:", "-", "*", "•", ",",
    "1,000", "@@", "and", "of", "Käse", "\u{301}e", "🍞", "5032987400110", "3.58", "-1", "'", "=",
    "\u{FEFF}",
  ]

  /// A household with some of the names.
  private func survey() throws -> Survey {
    let now = try #require(Instant("2026-11-21T12:00:00Z"))
    var edit = Edit(Household())
    for (index, name) in ["Milk", "7 Up", "Half cream", "A 2 @ 3"].enumerated() {
      let id = "0192f0c4-0000-7000-8000-00000000000\(index)"
      var item = NewItem(name)
      item.unit = index == 0 ? .liter : .own("crate")
      try edit.add(item, by: Writer(now: now, device: "laptop", userID: id, newID: { id }))
    }
    return Survey(edit.after, now: now)
  }

  private func name(_ random: inout SeededGenerator) -> String {
    let words = (0...random.number(0...3)).compactMap { _ in random.pick(Self.words) }
    return words.joined(separator: " ")
  }

  private func number(_ random: inout SeededGenerator, from least: Int) throws -> Number {
    let decimals = random.pick(["", ".5", ".25", ".125", ".000001"]) ?? ""
    return try #require(Number("\(random.number(least...12_000))\(decimals)"))
  }

  private func line(_ random: inout SeededGenerator) throws -> TypedLine {
    let units: [LarderModel.Unit?] = [
      nil, .gram, .kilogram, .liter, .milliliter, .pack, .own("tin"), .own("crate"), .own("blob"),
    ]
    var line = TypedLine(name(&random))
    if random.happens(80) {
      line.quantity = TypedQuantity(
        value: try number(&random, from: 0), unit: random.pick(units) ?? nil)
    }
    if random.happens(60) {
      line.price = try number(&random, from: -20)
      line.isEach = random.happens(40)
    }
    return line
  }

  @Test("that is written is read back, whatever the things are called", arguments: 0..<100)
  func readBack(_ run: Int) throws {
    var random = SeededGenerator(seed: (Seed.single ?? Seed.ofRun) + UInt64(run))
    let survey = try survey()
    for _ in 0..<10 {
      var form = ReceiptForm(shop: name(&random))
      form.lines = try (0..<random.number(0...6)).map { _ in try line(&random) }
      if random.happens(80) {
        form.paid = Instant(milliseconds: Int64(random.number(0...60_000_000)) * 60_000)
      }
      if random.happens(70) {
        form.amount = TypedMoney(
          try number(&random, from: 0), random.pick(["EUR", "JPY", nil] as [String?]) ?? nil)
      }
      let text = form.text(in: survey, remarks: ["Shop: x", "1 Bread"], offers: form.lines)
      let read = try ReceiptForm(text, in: survey)
      #expect(read == form, "\(text)")
    }
  }

  @Test(
    "takes things as people write them",
    arguments: [
      ("2 l Milk @ 3.58", "Milk", "2 l", "3.58"), ("Milk 2l @ 3,58", "Milk", "2 l", "3.58"),
      ("12 Eggs @@ 2.99€", "Eggs", "12", "2.99"), ("- 500 g Oat milk", "Oat milk", "500 g", nil),
      ("2x Bread@4", "Bread", "2", "4"), ("Jam", "Jam", nil, nil), ("7 Up @ 1", "7 Up", nil, "1"),
      ("All purpose flour @ 2", "All purpose flour", nil, "2"), ("2 7 Up", "7 Up", "2", nil),
      ("Discount @ -1.50", "Discount", nil, "-1.5"), ("2 \"6\" pipe\" @ 3", "6\" pipe", "2", "3"),
      ("\"Coffee @ home\"", "Coffee @ home", nil, nil),
      ("Tomatoes, tinned 400 g @ 0.99", "Tomatoes, tinned", "400 g", "0.99"),
    ])
  func things(_ text: String, _ name: String, _ quantity: String?, _ price: String?) throws {
    let form = try ReceiptForm("Shop: X\n\(text)\n", in: try survey())
    let line = try #require(form.lines.first)
    #expect(line.name == name)
    #expect(line.quantity == (try quantity.map { try TypedQuantity($0) }))
    #expect(line.price == price.flatMap { Number($0) })
  }

  @Test("tells all that is wrong with it, each with its line")
  func mistakes() throws {
    let text = """
      Paid: someday
      Amount: lots
      Amount: 3
      # 2 l Milk

      2 l
      1,000 g Flour
      -2 Eggs
      Bread @ free
      "" @ 3
      @ 3
      """
    let survey = try survey()
    let error = #expect(throws: ReceiptForm.Mistakes.self) { try ReceiptForm(text, in: survey) }
    let all = try #require(error).all
    #expect(all.map(\.number) == [1, 2, 3, 6, 7, 8, 9, 10, 11, nil])
    #expect(all.first?.text == "Paid: someday")
    #expect(
      all.map(\.reason) == [
        .noMoment, .badAmount(.noNumber), .fieldTwice, .badLine(.noName),
        .badLine(.badQuantity(.comma(decimal: "1", thousands: "1000"))), .badLine(.belowZero),
        .badLine(.badPrice(.noNumber)), .badLine(.noName), .badLine(.noName), .noShop,
      ])
  }

  @Test("that says nothing is empty, and line endings of other systems are fine")
  func empty() throws {
    #expect(ReceiptForm.isEmpty(""))
    #expect(ReceiptForm.isEmpty("\n # Shop: X\r\n\t\n"))
    #expect(!ReceiptForm.isEmpty("Shop:\n"))
    let form = try ReceiptForm(
      "\u{FEFF}shop: X\r\nPAID: 18:30\r\n\r\n2 Bread\r\n", in: try survey())
    #expect(form.shop == "X")
    #expect(form.paid?.description == "2026-11-21T18:30:00.000Z")
    #expect(form.lines == [TypedLine("Bread", quantity: TypedQuantity(value: Number(2)))])
  }
}
