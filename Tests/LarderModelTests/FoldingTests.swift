import TestSupport
import Testing

@testable import LarderModel

@Suite("Folded texts")
struct FoldingTests {
  @Test("each Latin letter folds alone as beside a letter of another script")
  func latin() throws {
    for value in UInt32(0x80)...0x24F {
      let letter = String(try #require(Unicode.Scalar(value)))
      for text in [letter, letter + "x", "x" + letter + letter, "A " + letter] {
        // Greek text is never folded by the table of Latin letters.
        #expect(fold(text + " α") == (fold(text) + " α").trimmed, "U+\(String(value, radix: 16))")
      }
    }
    #expect(fold("  Crème   Brûlée ") == "creme brulee")
    #expect(fold("Ŀ Ĳ ŉ") == "ŀ ĳ ʼn")
    #expect(fold("e\u{301}") == "e")
  }

  @Test("texts are sorted in the order of Swift's texts, with all that look the same together")
  func order() {
    let letters = "aAbzäÄéöß żłΩя牛 -1'9️⃣👍e\u{301}\u{212B}".map { String($0) }
    for seed in (0..<50).map({ Seed.ofRun &+ $0 }) {
      var generator = SeededGenerator(seed: seed)
      var texts: [String] = []
      for _ in 0..<60 {
        var text = Bool.random(using: &generator) ? "a text of seventeen " : ""
        for _ in 0..<4 { text += letters.randomElement(using: &generator) ?? "" }
        texts.append(text)
      }
      let sorted = texts.sorted(byText: { $0 })
      for (one, other) in zip(sorted, sorted.dropFirst()) {
        #expect(fold(one) <= fold(other), "seed \(seed)")
      }
      #expect(sorted.map { fold($0) } == texts.map { fold($0) }.sorted(), "seed \(seed)")
    }
  }
}

extension String {
  fileprivate var trimmed: String { String(drop { $0 == " " }) }
}
