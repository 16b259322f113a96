internal import LarderText

/// Returns a path that is safe for a terminal, with control characters as escapes, so different
/// paths stay different.
package func safePath(_ path: String) -> String {
  path.unicodeScalars.map { $0.isObeyed ? $0.jsonEscape : String($0) }.joined()
}

extension Unicode.Scalar {
  /// The scalar, which is in the first plane, as a JSON escape.
  package var jsonEscape: String {
    let digits = String(value, radix: 16)
    return "\\u" + String(repeating: "0", count: max(4 - digits.count, 0)) + digits
  }
}

/// Returns a number with its noun, such as `1 file` or `3 files`.
package func counted(_ count: Int, _ noun: String, _ plural: String? = nil) -> String {
  count == 1 ? "1 \(noun)" : "\(count) \(plural ?? noun + "s")"
}

extension [String] {
  /// The texts in their order, each once.
  package var unique: [String] {
    var known: Set<String> = []
    return filter { known.insert($0).inserted }
  }
}

/// Returns all of up to three texts, otherwise two and the number of the others.
package func inShort(_ texts: [String]) -> String {
  guard texts.count > 3 else { return texts.joined(separator: ", ") }
  return texts.prefix(2).joined(separator: ", ") + " and \(texts.count - 2) more"
}

/// Returns the question about words that may be meant; nil without words.
package func didYouMean(_ words: [String]) -> String? {
  guard let last = words.last else { return nil }
  let others = words.dropLast().map { "'\($0)'" }.joined(separator: ", ")
  return others.isEmpty ? "did you mean '\(last)'?" : "did you mean \(others) or '\(last)'?"
}

/// Returns a name as one word of a command, for a sentence.
///
/// The name is cleaned first. Sentences put whole commands into single quotes. Whether somebody pastes
/// the command with these quotes or without, the shell acts on nothing in the name: what is between
/// double quotes has no single quote, and elsewhere each character that a shell acts on has its
/// backslash.
package func shellWord(_ text: String) -> String {
  let clean = sanitize(text)
  if clean.isEmpty { return "\"\"" }
  let scalars = clean.unicodeScalars
  if scalars.allSatisfy({ $0.isPlainInShell || $0 == ":" }) { return clean }
  guard scalars.contains(where: { "'\"$`\\!".unicodeScalars.contains($0) }) else {
    return "\"\(clean)\""
  }
  var quoted = String.UnicodeScalarView()
  for scalar in scalars {
    if !scalar.isPlainInShell { quoted.append("\\") }
    quoted.append(scalar)
  }
  return String(quoted)
}

extension Unicode.Scalar {
  /// Whether no shell acts on the character, wherever it is in a word.
  package var isPlainInShell: Bool {
    isASCII
      ? properties.isAlphabetic || properties.numericType != nil
        || "-_./,@%+".unicodeScalars.contains(self)
      : !properties.isWhitespace
  }
}
