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

extension Unicode.Scalar {
  /// Whether a terminal or a reader acts on the character instead of showing it: C0 and C1
  /// controls, and characters that reorder text.
  package var isObeyed: Bool {
    switch value {
    case 0x00...0x1F, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
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
