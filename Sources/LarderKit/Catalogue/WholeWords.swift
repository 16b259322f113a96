internal import LarderModel

/// Words to look for in names, as whole words; a plural's `s` does not matter.
struct WholeWords {
  private let words: [String]
  /// Letters that every match contains, in the singular and the plural; they rule out most names
  /// quickly.
  private let stem: String

  init(_ text: String) {
    words = Self.words(of: fold(text))
    stem = words.first.map { $0.count > 1 ? String($0.dropLast()) : $0 } ?? ""
  }

  /// Whether a name contains the words, one after the other.
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
