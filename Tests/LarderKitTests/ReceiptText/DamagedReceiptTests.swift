import Foundation
import LarderKit
import Seeded
import TestSupport
import Testing

/// Receipts with one digit or one line wrong, as text recognition makes them.
@Suite("Receipts that are damaged")
struct DamagedReceiptTests {
  private static let today = Day("2026-11-23") ?? Day(daysSinceEpoch: 0)

  /// A receipt that is read rightly, and the damage that a digit of one of its numbers can have.
  private struct Sound {
    let receipt: PrintedReceipt
    let read: ReadReceipt
    let lines: [String]
    /// The lines with things, and those right above and below them.
    var things: ClosedRange<Int> {
      let all = read.lines.map { $0.line - 1 }
      return max(0, (all.min() ?? 0) - 1)...min(lines.count - 1, (all.max() ?? 0) + 1)
    }

    init?(_ receipt: PrintedReceipt) {
      (self.receipt, read) = (receipt, receipt.read())
      lines = receipt.text.components(separatedBy: "\n")
      if DamagedReceiptTests.isRefused(read) || read.lines.isEmpty { return nil }
    }
  }

  @Test("a wrong digit in a count, a weight or a price of one is seen by the amount")
  func quantities() throws {
    let (tried, through) = try damage { line in
      line.ranges(
        of: /[0-9]+(?:[.,][0-9]{3})? ?(?:kg|Stk|lb|EA)?\.? ?[x×@*] *[€$£]?[0-9]+[.,][0-9]{2}/)
    }
    print("damaged quantities and prices: \(through.count) of \(tried) are saved")
    #expect(tried > 100)
    #expect(through.count * 100 <= tried * 3, "\(through.joined(separator: "\n"))")
  }

  @Test("a wrong digit in an amount is seen by the total")
  func amounts() throws {
    let (tried, through) = try damage { line in
      line.ranges(of: /[0-9]+[.,][0-9]{2}(?= ?[A-Z€]?$)/)
    }
    print("damaged amounts: \(through.count) of \(tried) are saved")
    #expect(tried > 100)
    #expect(through.count * 100 <= tried * 3, "\(through.joined(separator: "\n"))")
  }

  @Test("a lost or a repeated line is seen by the total")
  func lines() throws {
    var random = SeededGenerator(seed: 7)
    var through: [String] = []
    var tried = 0
    for sound in try Self.sound() {
      guard let line = random.pick(sound.read.lines.map { $0.line - 1 }) else { continue }
      var (lost, repeated) = (sound.lines, sound.lines)
      lost.remove(at: line)
      repeated.insert(sound.lines[line], at: line)
      for text in [lost, repeated] {
        tried += 1
        let read = sound.receipt.read(text.joined(separator: "\n"))
        // The total before a rounding is right, too.
        guard !Self.isRefused(read), !Self.isSame(read, sound.read),
          !sound.read.lines.contains(where: { $0.kind == .rounding })
        else { continue }
        through.append("\(sound.receipt.name): \(sound.lines[line])")
      }
    }
    print("lost or repeated lines: \(through.count) of \(tried) are saved")
    #expect(tried > 200)
    #expect(through.count * 100 <= tried * 3, "\(through.joined(separator: "\n"))")
  }

  /// Changes one digit of a number in each receipt, and returns what is saved wrongly without a
  /// question.
  private func damage(
    _ numbers: (String) -> [Range<String.Index>]
  ) throws -> (tried: Int, through: [String]) {
    var random = SeededGenerator(seed: 5)
    var through: [String] = []
    var tried = 0
    for sound in try Self.sound() {
      let found = sound.things.flatMap { line in
        numbers(sound.lines[line]).map { (line: line, range: $0) }
      }
      for _ in 0..<2 {
        guard let (line, range) = random.pick(found) else { continue }
        let printed = sound.lines[line]
        let digits = printed[range].indices.filter { printed[$0].isNumber }
        // The last digits of a weight change its amount by less than a cent.
        guard let place = random.pick(Array(digits.prefix(2))),
          let digit = printed[place].wholeNumberValue
        else { continue }
        var wrong = sound.lines
        let other = String((digit + random.number(1...9)) % 10)
        wrong[line] = printed.replacingCharacters(in: place...place, with: other)
        tried += 1
        let read = sound.receipt.read(wrong.joined(separator: "\n"))
        if !Self.isRefused(read), !Self.isSame(read, sound.read) {
          through.append("\(sound.receipt.name): \(wrong[line])")
        }
      }
    }
    return (tried, through)
  }

  private static func sound() throws -> [Sound] {
    try (PrintedReceipt.all(in: "known") + PrintedReceipt.all(in: "unseen")).compactMap(Sound.init)
  }

  private static func isRefused(_ read: ReadReceipt) -> Bool {
    ReadingDoubt(read, on: today, hasShop: true, hasDay: true) != nil
  }

  private static func isSame(_ one: ReadReceipt, _ other: ReadReceipt) -> Bool {
    one.total == other.total && one.lines.count == other.lines.count
      && zip(one.lines, other.lines).allSatisfy {
        $0.amount == $1.amount && $0.quantity == $1.quantity && $0.unit == $1.unit
      }
  }
}
