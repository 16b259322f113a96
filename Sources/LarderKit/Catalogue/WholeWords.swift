internal import LarderModel

/// Words that are looked for in names, as whole words; a plural's `s` does not matter.
struct WholeWords {
  private let words: [String]
  /// The letters that a name must have, in the singular or the plural; most names are ruled out by them.
  private let stem: String

  init(_ text: String) {
    words = Self.words(of: fold(text))
    stem = words.first.map { $0.count > 1 ? String($0.dropLast()) : $0 } ?? ""
  }

  /// Whether a name has the words, one after the other.
  func areIn(_ name: String) -> Bool {
    let folded = fold(name)
    guard !words.isEmpty, folded.contains(stem) else { return false }
    let others = Self.words(of: folded)
    guard words.count <= others.count else { return false }
    return (0...others.count - words.count).contains { start in
      others[start...].prefix(words.count).elementsEqual(words)
    }
  }

  private static func words(of folded: String) -> [String] {
    folded.split { !$0.isLetter && !$0.isNumber }.map { singular(String($0)) }
  }
}
