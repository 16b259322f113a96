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
}

extension String {
  fileprivate var trimmed: String { String(drop { $0 == " " }) }
}
