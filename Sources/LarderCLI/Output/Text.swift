import LarderKit
internal import LarderText

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

/// Returns the number of columns of a text on a terminal.
///
/// It counts by grapheme cluster: East Asian wide letters and emoji, including joined ones and
/// flags, take two columns; combining marks and control characters take none.
func displayWidth(_ text: String) -> Int {
  plainWidth(text) ?? text.reduce(0) { $0 + displayWidth($1) }
}

/// Returns the number of columns of one character on a terminal.
func displayWidth(_ character: Character) -> Int {
  let scalars = character.unicodeScalars
  guard let first = scalars.first else { return 0 }
  if first.isASCII, scalars.dropFirst().isEmpty { return columns(of: first) }
  if isEmoji(character) { return 2 }
  // Letters that are joined into one character, as in Devanagari, are drawn side by side.
  return scalars.reduce(0) { $0 + columns(of: $1) }
}

/// Whether a character is drawn as a picture instead of text.
private func isEmoji(_ character: Character) -> Bool {
  let scalars = character.unicodeScalars
  if scalars.contains(where: { $0.properties.isEmojiPresentation }) { return true }
  // U+FE0F asks for the picture of a character that is also text, such as U+2764 or a keycap's
  // digit.
  return scalars.first?.properties.isEmoji == true && scalars.contains("\u{FE0F}")
}

private func columns(of scalar: Unicode.Scalar) -> Int {
  if scalar.isASCII { return scalar.value >= 0x20 && scalar.value != 0x7F ? 1 : 0 }
  if isMedialHangul(scalar.value) { return 0 }
  switch scalar.properties.generalCategory {
  case .nonspacingMark, .enclosingMark, .control, .lineSeparator, .paragraphSeparator: return 0
  // The soft hyphen is the only format character that terminals draw.
  case .format: return scalar == "\u{AD}" ? 1 : 0
  default: return isWide(scalar.value) ? 2 : 1
  }
}

/// Whether it is a vowel or final consonant of conjoining Hangul, drawn into the block of its first
/// consonant.
private func isMedialHangul(_ value: UInt32) -> Bool {
  (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value)
}

private func isWide(_ value: UInt32) -> Bool {
  guard value >= 0x1100 else { return false }
  var low = 0
  var high = wideRanges.count
  while low < high {
    let middle = (low + high) / 2
    if wideRanges[middle].upperBound < value { low = middle + 1 } else { high = middle }
  }
  return low < wideRanges.count && wideRanges[low].contains(value)
}

/// The wide and full-width blocks of Unicode's EastAsianWidth.txt, including unassigned gaps; emoji
/// have their own property.
private let wideRanges: [ClosedRange<UInt32>] = [
  0x1100...0x115F, 0x2329...0x232A, 0x2630...0x2637, 0x268A...0x268F, 0x2E80...0x303E,
  0x3041...0x3247, 0x3250...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
  0xF900...0xFAFF, 0xFE10...0xFE1F, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
  0x16FE0...0x18DF2, 0x1AFF0...0x1B2FB, 0x1D300...0x1D376, 0x1F200...0x1F265,
  0x1F300...0x1F320, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
]

/// Breaks a text into lines of at most `width` columns, each indented by `indent` spaces.
///
/// An empty line separates paragraphs. Lines that begin with a space are kept unchanged.
func wrap(_ text: String, width: Int, indent: Int = 0) -> [String] {
  if text.isEmpty { return [] }
  let margin = String(repeating: " ", count: indent)
  let room = max(width - indent, 10)
  var lines: [String] = []
  var current = ""
  func finish() {
    if !current.isEmpty { lines.append(margin + current) }
    current = ""
  }
  for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
    if line.isEmpty || line.hasPrefix(" ") {
      finish()
      lines.append(line.isEmpty ? "" : margin + line)
      continue
    }
    for word in line.split(separator: " ") {
      if !current.isEmpty, displayWidth(current) + 1 + displayWidth(String(word)) > room {
        finish()
      }
      current += current.isEmpty ? String(word) : " \(word)"
    }
  }
  finish()
  return lines
}

/// Breaks a sentence into lines of at most `width` columns; all but the first are indented.
///
/// A command in single quotes is not broken, because somebody may paste it.
func folded(_ sentence: String, width: Int) -> String {
  guard displayWidth(sentence) > width else { return sentence }
  var lines: [String] = []
  var line = ""
  for word in unbroken(sentence) {
    if !line.isEmpty, displayWidth(line) + 1 + displayWidth(word) > width {
      lines.append(line)
      line = "  " + word
    } else {
      line += lines.isEmpty && line.isEmpty ? word : " \(word)"
    }
  }
  return (lines + [line]).joined(separator: "\n")
}

/// Returns the words of a sentence; a command in single quotes is one word.
private func unbroken(_ sentence: String) -> [String] {
  var words: [String] = []
  var command: [String] = []
  for word in sentence.split(separator: " ", omittingEmptySubsequences: false) {
    let begins = command.isEmpty && (word.hasPrefix("'larder") || word.hasPrefix("'git"))
    guard begins || !command.isEmpty else {
      words.append(String(word))
      continue
    }
    command.append(String(word))
    // A quote in a name has a backslash before it.
    if (begins ? word.dropFirst() : word).replacing("\\'", with: "").contains("'") {
      words.append(command.joined(separator: " "))
      command = []
    }
  }
  return command.isEmpty ? words : words + [command.joined(separator: " ")]
}

/// Returns two columns: terms on the left, their wrapped explanations on the right.
///
/// If a term is too long, its explanation begins on the next line.
func definitionList(_ entries: [(term: String, text: String)], width: Int) -> [String] {
  let widest = entries.map { displayWidth($0.term) }.filter { $0 <= 28 }.max() ?? 0
  let indent = 2 + widest + 2
  return entries.flatMap { entry -> [String] in
    let term = "  " + entry.term
    let explanation = wrap(entry.text, width: width, indent: indent)
    guard let first = explanation.first else { return [term] }
    if displayWidth(term) + 2 > indent { return [term] + explanation }
    let gap = String(repeating: " ", count: indent - displayWidth(term))
    return [term + gap + first.dropFirst(indent)] + explanation.dropFirst()
  }
}
