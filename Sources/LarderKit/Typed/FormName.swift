/// Returns a name as forms show it: on one line with single spaces, without characters that control
/// a terminal or reorder the text.
func formName(_ name: String) -> String {
  if name.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) { return name }
  var scalars = String.UnicodeScalarView()
  for scalar in name.unicodeScalars {
    switch scalar.value {
    case 0x09...0x0D, 0x85, 0x2028, 0x2029: scalars.append(" ")
    case 0...0x1F, 0x7F...0x9F, 0x200E, 0x200F, 0x061C, 0x202A...0x202E, 0x2066...0x2069: break
    default: scalars.append(scalar)
    }
  }
  return spaced(String(scalars))
}

/// Text in double quotes, which forms write around a name that would be read differently.
///
/// It goes from the first quote to the last one, so a name may have quotes in it. It is found by
/// Unicode scalars, because a combining accent behind a quote is not part of the quote.
struct QuotedName {
  let before: String
  let name: String
  let behind: String

  /// Reads a text; nil without two quotes.
  init?(_ text: String) {
    let scalars = text.unicodeScalars
    guard let first = scalars.firstIndex(of: "\""), let last = scalars.lastIndex(of: "\""),
      first != last
    else { return nil }
    before = spaced(String(scalars[..<first]))
    name = spaced(String(scalars[scalars.index(after: first)..<last]))
    behind = spaced(String(scalars[scalars.index(after: last)...]))
  }

  /// Returns a name in quotes.
  static func text(_ name: String) -> String { "\"\(name)\"" }
}

/// Returns a text on one line, with single spaces.
func spaced(_ text: String) -> String {
  let words = text.unicodeScalars.split { $0.properties.isWhitespace }
  return words.map { String(String.UnicodeScalarView($0)) }.joined(separator: " ")
}
