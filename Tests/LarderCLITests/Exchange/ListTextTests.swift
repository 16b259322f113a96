import Seeded
import TestSupport
import Testing

/// Lists and tables of other apps, drawn at random, mean what they say.
@Suite("Lists of other apps")
struct ListTextTests: SpreadsheetSuite {
  private static let bullets = [
    "", "- ", "* ", "• ", "☐ ", "[ ] ", "- [ ] ", "+ ", "– ", "7. ", "3) ",
  ]
  private static let ticks = [
    "☑ *", "- [x] *", "[X] *", "✔ *", "✅ *", "x *", "~~*~~", "- ~~*~~", "* ✓", "- * [x]",
  ]
  private static let amounts = [
    "N (#)", "N #", "N, #", "N: #", "N | #", "# | N", "N - #", "N x#", "#x N", "# N", "N [#]",
    "N (# pieces)", "N\t#", "N (x#)",
  ]
  private static let names = ["Bananas", "oat milk", "Crème", "Brot", "Äpfel", "Toilet paper"]

  private func line(of name: String, _ number: Int, _ random: inout SeededGenerator) -> String {
    let form = Self.amounts.randomElement(using: &random) ?? "N #"
    return form.replacing("#", with: "\(number)").replacing("N", with: name)
  }

  @Test("with any bullet, box, tick and form of the amount")
  func lines() throws {
    var random = SeededGenerator(seed: Seed.ofRun)
    for _ in 0..<6 {
      let nest = try Nest()
      var text = "Groceries\n- Salt\n"
      var wanted = ["Salt 1 open"]
      for name in Self.names.shuffled(using: &random) {
        let number = Int.random(in: 2...30, using: &random)
        let line = line(of: name, number, &random)
        let isTicked = random.happens(40)
        if isTicked {
          text += (Self.ticks.randomElement(using: &random) ?? "x *").replacing("*", with: line)
        } else {
          text += (Self.bullets.randomElement(using: &random) ?? "") + line
        }
        text += "\n"
        wanted.append("\(name) \(number) \(isTicked ? "done" : "open")")
      }
      try nest.larder.folder.write(text, to: "list.txt")
      let taken = try nest("import todo.txt ../list.txt")
      #expect(taken.code == 0, "\(text)\(taken.errors)")
      #expect(taken.errors.contains("Groceries"))
      let list = try nest("shop --plain").records.map { "\($0[1]) \($0[2]) \($0[0])" }
      #expect(list.sorted() == wanted.sorted(), "seed \(Seed.ofRun): \(text)")
      #expect(try nest("import todo.txt ../list.txt").errors.contains("nothing changed"))
    }
  }

  /// A table of batches, one for each day in February 2027 or later, with the wanted rows.
  private func table(_ days: [(day: Int, month: Int)], isDayFirst: Bool, _ separator: String)
    -> (text: String, wanted: [String])
  {
    var text = "name,quantity,expiry\n"
    var wanted: [String] = []
    for (index, date) in days.enumerated() {
      let first = isDayFirst ? date.day : date.month
      let second = isDayFirst ? date.month : date.day
      text +=
        "Milk,\(index + 1),\([first, second, 2027].map(String.init).joined(separator: separator))\n"
      let numbers = [date.month, date.day].map { $0 < 10 ? "0\($0)" : "\($0)" }
      wanted.append("\(index + 1) 2027-" + numbers.joined(separator: "-"))
    }
    return (text, wanted.sorted())
  }

  @Test("have their dates in one order, whichever row says it", arguments: [true, false])
  func dates(_ isDayFirst: Bool) throws {
    var random = SeededGenerator(seed: Seed.ofRun)
    for separator in ["/", "-"] {
      let nest = try Nest()
      try nest.prepare("stock new Milk")
      let months = Array(1...12).shuffled(using: &random)
      var days = months.prefix(5).map { month in
        (day: Int.random(in: 1...12, using: &random), month: month)
      }
      days.append((day: Int.random(in: 13...28, using: &random), month: months[5]))
      days.shuffle(using: &random)
      let (text, wanted) = table(days, isDayFirst: isDayFirst, separator)
      let taken = try take(text, in: nest)
      #expect(taken.code == 0, "seed \(Seed.ofRun): \(text)\(taken.errors)")
      let found = try nest("stock list --batches --plain").records.map { "\($0[1]) \($0[3])" }
      #expect(found.sorted() == wanted, "seed \(Seed.ofRun): \(text)")
      let unclear = table(
        days.filter { $0.day <= 12 && $0.day != $0.month }, isDayFirst: isDayFirst, separator)
      let refused = try take(unclear.text, in: nest)
      #expect(refused.code == 5)
      #expect(refused.errors.contains("--days"))
      let order = isDayFirst ? "day-month" : "month-day"
      let said = try Nest()
      try said.prepare("stock new Milk")
      #expect(try take(unclear.text, in: said, "--days \(order)").code == 0)
      let read = try said("stock list --batches --plain").records.map { "\($0[1]) \($0[3])" }
      #expect(read.sorted() == unclear.wanted, "seed \(Seed.ofRun): \(unclear.text)")
    }
  }
}
