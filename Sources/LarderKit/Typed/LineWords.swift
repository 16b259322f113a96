/// Returns the words of a written line; what is in quotes is one word, with white space in it.
///
/// A quote counts only where a word begins, if there is another one where a word ends: `6" nails` and
/// `Ben's tea` have none. A byte order mark is no part of a word.
public func lineWords(_ line: String) -> [String] {
  var rest = Substring(line.first == "\u{FEFF}" ? line.dropFirst() : line[...])
  var words: [String] = []
  while true {
    rest = rest.drop(while: \.isWhitespace)
    guard let first = rest.first else { return words }
    let inside = rest.dropFirst()
    if let mark = closing[first], let end = quoteEnd(mark, in: inside) {
      words.append(inside[..<end].split(whereSeparator: \.isWhitespace).joined(separator: " "))
      rest = inside[inside.index(after: end)...]
    } else {
      let word = rest.prefix { !$0.isWhitespace }
      words.append(String(word))
      rest = rest[word.endIndex...]
    }
  }
}

/// The signs that end what each sign begins.
private let closing: [Character: Character] = [
  "\"": "\"", "'": "'", "“": "”", "„": "“", "«": "»", "‘": "’",
]

/// Returns the place of the first closing sign that ends a word.
private func quoteEnd(_ mark: Character, in text: Substring) -> Substring.Index? {
  text.indices.first { index in
    guard text[index] == mark, index > text.startIndex else { return false }
    return text[text.index(after: index)...].first.map { $0.isWhitespace || $0 == "," } ?? true
  }
}
