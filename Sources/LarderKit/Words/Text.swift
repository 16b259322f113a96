/// Returns a text that is safe for a terminal and a reader: one line without control characters.
///
/// C0 and C1 controls, and characters that reorder text (U+202A–E, U+2066–9), are removed; tabs and line
/// breaks become a space. Each character is judged by itself, so that nothing in a name has an effect
/// on the sentence around it: what followed an escape stays, to be seen. Letters of any script,
/// joiners and emoji stay.
package func sanitize(_ text: String) -> String {
  if plainWidth(text) != nil { return text }
  var clean = String.UnicodeScalarView()
  var isAfterReturn = false
  for scalar in text.unicodeScalars {
    defer { isAfterReturn = scalar == "\r" }
    switch scalar.value {
    case 0x0A where isAfterReturn: break
    case 0x09, 0x0A, 0x0D, 0x85, 0x2028, 0x2029: clean.append(" ")
    case _ where scalar.isObeyed: break
    default: clean.append(scalar)
    }
  }
  return String(clean)
}

/// Returns a path that is safe for a terminal, with control characters as escapes, so different
/// paths stay different.
package func safePath(_ path: String) -> String {
  path.unicodeScalars.map { $0.isObeyed ? $0.jsonEscape : String($0) }.joined()
}

extension Unicode.Scalar {
  /// Whether a terminal or a reader acts on the character instead of showing it: C0 and C1
  /// controls, and characters that reorder text.
  package var isObeyed: Bool {
    switch value {
    case 0x00...0x1F, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// The scalar, which is in the first plane, as a JSON escape.
  package var jsonEscape: String {
    let digits = String(value, radix: 16)
    return "\\u" + String(repeating: "0", count: max(4 - digits.count, 0)) + digits
  }
}

/// Returns the number of columns of a text of printable letters up to U+02FF alone, which take one
/// each and can be shown as they are; nil for any other text.
package func plainWidth(_ text: String) -> Int? {
  var text = text
  return text.withUTF8 { utf8 in
    var width = 0
    var last: UInt8 = 0
    for byte in utf8 {
      switch byte {
      case 0x20..<0x7F, 0xC2...0xCB: width += 1
      // Behind 0xC2, these are the C1 controls, and the soft hyphen.
      case 0x80...0xBF where last != 0xC2 || byte >= 0xA0 && byte != 0xAD: break
      default: return nil
      }
      last = byte
    }
    return width
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
