/// Returns a text that is safe for a terminal and a reader: one line without control characters.
///
/// Whole escape sequences, other C0 and C1 controls, and characters that reorder text (U+202A–E,
/// U+2066–9) are removed. Tabs and line breaks become a space. Letters of any script, joiners and
/// emoji stay.
func sanitize(_ text: String) -> String {
  if plainWidth(text) != nil { return text }
  var clean = String.UnicodeScalarView()
  let scalars = Array(text.unicodeScalars)
  var index = 0
  while index < scalars.count {
    let scalar = scalars[index]
    switch scalar.value {
    case 0x1B, 0x90, 0x98, 0x9B, 0x9D, 0x9E, 0x9F:
      index = endOfSequence(scalars, from: index)
      continue
    case 0x0D where index + 1 < scalars.count && scalars[index + 1] == "\n":
      break
    case 0x09, 0x0A, 0x0D, 0x85, 0x2028, 0x2029:
      clean.append(" ")
    case _ where scalar.isObeyed:
      break
    default:
      clean.append(scalar)
    }
    index += 1
  }
  return String(clean)
}

/// Returns a path that is safe for a terminal, with control characters as escapes, so different
/// paths stay different.
func safePath(_ path: String) -> String {
  path.unicodeScalars.map { $0.isObeyed ? $0.jsonEscape : String($0) }.joined()
}

/// Returns the index after the escape sequence that begins at an index (ECMA-48, sections 5.4 and
/// 8.3).
private func endOfSequence(_ scalars: [Unicode.Scalar], from start: Int) -> Int {
  var index = start + 1
  var introducer = scalars[start].value
  if introducer == 0x1B {
    guard index < scalars.count else { return index }
    let second = scalars[index].value
    // ESC and a capital letter are the C1 control with the same low bits.
    guard (0x40...0x5F).contains(second) else { return endOfShortSequence(scalars, from: index) }
    introducer = second + 0x40
    index += 1
  }
  switch introducer {
  case 0x9B:
    while index < scalars.count, (0x20...0x3F).contains(scalars[index].value) { index += 1 }
    let hasFinal = index < scalars.count && (0x40...0x7E).contains(scalars[index].value)
    return hasFinal ? index + 1 : index
  case 0x90, 0x98, 0x9D, 0x9E, 0x9F:
    return endOfString(scalars, from: index)
  default:
    return index
  }
}

/// Returns the index after `ESC`, intermediate characters and a final character.
private func endOfShortSequence(_ scalars: [Unicode.Scalar], from start: Int) -> Int {
  var index = start
  while index < scalars.count, (0x20...0x2F).contains(scalars[index].value) { index += 1 }
  let hasFinal = index < scalars.count && (0x30...0x7E).contains(scalars[index].value)
  return hasFinal ? index + 1 : index
}

/// Returns the index after the terminator of a control string; without one, only the introducer is
/// removed.
private func endOfString(_ scalars: [Unicode.Scalar], from start: Int) -> Int {
  var index = start
  while index < scalars.count {
    switch scalars[index].value {
    case 0x07, 0x9C: return index + 1
    case 0x1B where index + 1 < scalars.count && scalars[index + 1] == "\\": return index + 2
    default: index += 1
    }
  }
  return start
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
