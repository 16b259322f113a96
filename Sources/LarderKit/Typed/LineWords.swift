/// The largest line that somebody may write in a list, a sheet or a form, in bytes.
///
/// Longer ones come from a wrong file, and would take long to read.
public let longestLine = 10_000

/// Returns the words of a written line.
///
/// Text in quotes is one word, which may have white space in it. A quote counts only if it begins a
/// word and another quote ends a word: `6" nails` and `Ben's tea` have none. A byte order mark is
/// not part of a word.
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

/// The closing sign of each opening sign.
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
