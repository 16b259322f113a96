import Seeded
import TestSupport
import Testing

@testable import LarderModel

@Suite("Sorted texts")
struct SortingTests {
  /// Texts that are alike in their first bytes, differ in letters, and come several times.
  private func texts(_ seed: UInt64) -> [String] {
    let letters = "aAbzäÄéöß żłΩя牛 -1'9️⃣👍e\u{301}\u{212B}".map { String($0) }
    var generator = SeededGenerator(seed: seed)
    var texts: [String] = []
    for _ in 0..<60 {
      var text = Bool.random(using: &generator) ? "a text of seventeen " : ""
      for _ in 0..<4 { text += letters.randomElement(using: &generator) ?? "" }
      texts.append(text)
    }
    return texts + texts.prefix(5)
  }

  @Test("texts are sorted in the order of Swift's texts, with all that look the same together")
  func order() {
    for seed in (0..<50).map({ Seed.ofRun &+ $0 }) {
      let texts = texts(seed)
      let sorted = texts.sorted(byText: { $0 })
      for (one, other) in zip(sorted, sorted.dropFirst()) {
        #expect(fold(one) <= fold(other), "seed \(seed)")
      }
      #expect(sorted.map { fold($0) } == texts.map { fold($0) }.sorted(), "seed \(seed)")
    }
  }

  @Test("elements are sorted by the bytes of a text; those with the same text stay in their order")
  func bytes() {
    for seed in (0..<50).map({ Seed.ofRun &+ $0 }) {
      let elements = texts(seed).enumerated().map { (place: $0, text: $1) }
      let expected = elements.sorted { one, other in
        let (left, right) = (Array(one.text.utf8), Array(other.text.utf8))
        return left == right ? one.place < other.place : left.lexicographicallyPrecedes(right)
      }
      #expect(
        elements.sorted(byBytesOf: \.text).map(\.place) == expected.map(\.place), "seed \(seed)")
    }
  }
}
