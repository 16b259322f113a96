import Foundation
import LarderKit
import Seeded
import TestSupport
import Testing

@Suite("Amounts that are drawn at random")
struct TypedAmountLawTests {
  static var seeds: [UInt64] {
    if let seed = Seed.single { return [seed] }
    return (0..<100).map { Seed.ofRun + $0 }
  }

  @Test("what is written in any form is read back", arguments: seeds)
  func readBack(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<20 {
      let decimals = random.number(0...999_999) / (random.happens(50) ? 1 : 1000)
      let number = try #require(Number("\(random.number(0...9999)).\(decimals)"))
      let unit = random.pick(
        [nil, .gram, .kilogram, .liter, .pack, .own("tin")] as [LarderModel.Unit?])
      for text in forms(of: number, unit ?? nil) {
        #expect(
          try TypedQuantity(text) == TypedQuantity(value: number, unit: unit ?? nil), "\(text)")
      }
    }
  }

  /// Every way to write a quantity that has one meaning.
  private func forms(of number: Number, _ unit: LarderModel.Unit?) -> [String] {
    let point = number.description
    let decimals = point.split(separator: ".").dropFirst().first?.count ?? 0
    let comma = point.split(separator: ".").joined(separator: ",")
    let mayBeThousands = decimals == 3 && !point.hasPrefix("0.")
    let numbers = [point, "+" + point, " \(point) "] + (mayBeThousands ? [] : [comma])
    guard let unit else { return numbers + [point + "x", "1 x " + point] }
    let words = [
      unit.rawValue, unit.symbol ?? unit.noun(for: Number(2)), unit.rawValue.uppercased(),
    ]
    return numbers.flatMap { number in words.flatMap { ["\(number) \($0)", "\(number)\($0)"] } }
  }

  @Test("a text of an amount's signs has one meaning, or none", arguments: seeds)
  func oneMeaning(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var understood = 0
    for _ in 0..<100 {
      let signs = ["1", "2", "0", "5", ".", ",", "/", "x", " ", "½"]
      let number = (0..<random.number(1...8)).compactMap { _ in random.pick(signs) }.joined()
      let text = number + (random.pick(["", "g", " kg"]) ?? "")
      guard number.last != "x" || text == number, !number.contains("xx"),
        let read = try? TypedQuantity(text)
      else { continue }
      understood += 1
      let meant = try #require(plainMeaning(of: text), "\(text) is read as \(read)")
      #expect(meant.unit == read.unit, "\(text)")
      let value = try #require(Double(read.value.description))
      #expect(abs(value - meant.value) <= 0.000_001 * max(1, meant.value), "\(text)")
    }
    #expect(understood > 0, "seed \(seed)")
  }

  /// The meaning of a text by another reader than the program's; nil if it has none.
  private func plainMeaning(of text: String) -> (value: Double, unit: LarderModel.Unit?)? {
    var rest = text.replacing("½", with: " 1/2 ").split(separator: " ").joined(separator: " ")
    var unit: LarderModel.Unit?
    for (symbol, meant) in [("kg", LarderModel.Unit.kilogram), ("g", .gram)]
    where rest.hasSuffix(symbol) {
      unit = meant
      rest = String(rest.dropLast(symbol.count))
      break
    }
    var factors = rest.split(separator: "x", omittingEmptySubsequences: false)
      .map { $0.trimmingCharacters(in: .whitespaces) }
    if factors.count > 1, factors.first == "", rest.first == "x" { factors.removeFirst() }
    if factors.count > 1, factors.last == "" { factors.removeLast() }
    let values = factors.map(plainNumber)
    guard !values.contains(nil) else { return nil }
    return (values.compactMap(\.self).reduce(1, *), unit)
  }

  private func plainNumber(_ text: String) -> Double? {
    if let match = text.wholeMatch(of: /(?:([0-9]+) )?([0-9]+)\/([0-9]+)/) {
      guard let above = Double(match.2), let below = Double(match.3), below > 0 else { return nil }
      return (match.1.flatMap { Double($0) } ?? 0) + above / below
    }
    guard text.wholeMatch(of: /[0-9]*[.,]?[0-9]+/) != nil,
      text.wholeMatch(of: /[0-9]*[1-9][0-9]*,[0-9]{3}/) == nil
    else { return nil }
    return Double(text.replacing(",", with: "."))
  }
}
