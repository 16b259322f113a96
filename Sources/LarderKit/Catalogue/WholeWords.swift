internal import LarderModel

/// Words that are looked for in names, as whole words; a plural's `s` does not matter.
struct WholeWords {
  private let words: [String]

  init(_ text: String) {
    words = Self.words(of: text)
  }

  /// Whether a name has the words, one after the other.
  func areIn(_ name: String) -> Bool {
    let others = Self.words(of: name)
    guard !words.isEmpty, words.count <= others.count else { return false }
    return (0...others.count - words.count).contains { start in
      others[start...].prefix(words.count).elementsEqual(words)
    }
  }

  private static func words(of text: String) -> [String] {
    fold(text).split { !$0.isLetter && !$0.isNumber }.map { singular(String($0)) }
  }
}
