/// Returns a text that is safe for a terminal and a reader: one line without control characters.
///
/// C0 and C1 controls, and characters that reorder text (U+202A–E, U+2066–9), are removed; tabs and line
/// breaks become a space. Each character is judged by itself, so that nothing in a name has an effect
/// on the sentence around it: what followed an escape stays, to be seen. Letters of any script,
/// joiners and emoji stay.
func sanitize(_ text: String) -> String {
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
func safePath(_ path: String) -> String {
  path.unicodeScalars.map { $0.isObeyed ? $0.jsonEscape : String($0) }.joined()
}

extension Unicode.Scalar {
  /// Whether a terminal or a reader acts on the character instead of showing it: C0 and C1
  /// controls, and characters that reorder text.
  var isObeyed: Bool {
    switch value {
    case 0x00...0x1F, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// The scalar, which is in the first plane, as a JSON escape.
  var jsonEscape: String {
    let digits = String(value, radix: 16)
    return "\\u" + String(repeating: "0", count: max(4 - digits.count, 0)) + digits
  }
}

/// Escapes control characters in JSON, so it has the same meaning but does nothing on a terminal.
func escapingControls(_ json: [UInt8]) -> [UInt8] {
  // In UTF-8, all of these characters begin with DEL or one of these bytes.
  guard json.contains(where: { $0 == 0x7F || $0 == 0xC2 || $0 == 0xE2 }) else { return json }
  var escaped = ""
  escaped.reserveCapacity(json.count)
  for scalar in String(decoding: json, as: UTF8.self).unicodeScalars {
    // In JSON, line breaks are only between values.
    if scalar.isObeyed, scalar != "\n" {
      escaped += scalar.jsonEscape
    } else {
      escaped.unicodeScalars.append(scalar)
    }
  }
  return Array(escaped.utf8)
}
