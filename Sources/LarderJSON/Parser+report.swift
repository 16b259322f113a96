extension Parser {
  /// The text for a line's end in mistakes.
  static let lineEnd = "the end of the line"

  /// Whether the parser reached the end of the text or the maximum number of mistakes.
  var hasStopped: Bool { offset >= bytes.count }

  /// Notes a mistake, unless it follows from an earlier one.
  ///
  /// Stops after `mostMistakes`.
  ///
  /// The bytes from `start` to `end` are the wrong ones. If they have an encoding mistake, that is
  /// reported already.
  @inline(never)
  mutating func report(_ kind: JSONMistake.Kind, at start: Int, to end: Int = -1) {
    guard findings.count < Parser.mostMistakes else { return }
    switch kind {
    case .unexpected, .unexpectedEnd, .trailingContent:
      if start == forgivenOffset || start == findings.last?.offset { return }
    default: break
    }
    let wrong = start..<max(end, start + 1)
    if encodingFindings.contains(where: { wrong.contains($0.offset) }) { return }
    findings.append((kind, start))
    if findings.count == Parser.mostMistakes { offset = bytes.count }
  }

  /// Reports the token at the offset as unexpected.
  mutating func reportUnexpected(expected: String) {
    let range = token()
    report(
      .unexpected(found: excerpt(range), expected: expected), at: offset, to: range.upperBound)
  }

  /// Reports the end of the text, unless the structure of brackets is lost already.
  mutating func endEarly(expected: String) {
    offset = bytes.count
    if !hasLostStructure { report(.unexpectedEnd(expected: expected), at: bytes.count) }
    hasLostStructure = true
  }

  /// Treats the next token as a consequence of the mistake just reported.
  mutating func forgiveNextToken() {
    skipWhitespace()
    forgivenOffset = offset
  }

  /// The token at the offset, which is before the end: a bracket, a string or a word.
  private func token() -> Range<Int> {
    var copy = self
    switch bytes[offset] {
    case Byte.quote:
      copy.skipQuoted()
      return offset..<copy.offset
    case Byte.slash where offset + 1 < bytes.count && bytes[offset + 1] == Byte.slash:
      return offset..<offset + 2
    case Byte.slash where offset + 1 < bytes.count && bytes[offset + 1] == Byte.asterisk:
      return offset..<offset + 2
    default:
      return offset..<wordEnd(from: offset)
    }
  }

  /// Returns the end of the word at an offset, or of the single byte if there is no word.
  ///
  /// A word in single quotes extends to the second quote, if that is on the same line.
  func wordEnd(from start: Int) -> Int {
    var end = start
    if bytes[start] == Byte.apostrophe {
      end += 1
      while end < bytes.count, bytes[end] != Byte.lineFeed, bytes[end] != Byte.apostrophe {
        end += 1
      }
      if end < bytes.count, bytes[end] == Byte.apostrophe { return end + 1 }
      end = start
    }
    while end < bytes.count, Byte.isWord(bytes[end]) { end += 1 }
    return max(end, start + 1)
  }

  /// Returns the text of a range for a message: cut after forty bytes, control characters escaped.
  func excerpt(_ range: Range<Int>) -> String {
    var end = min(range.upperBound, range.lowerBound + 40)
    while end < range.upperBound, end > range.lowerBound, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    var shown = ""
    for scalar in text(range.lowerBound..<end).unicodeScalars {
      if scalar.value < 0x20 || 0x7F..<0xA0 ~= scalar.value {
        let digits = String(scalar.value, radix: 16)
        shown += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
      } else {
        shown.unicodeScalars.append(scalar)
      }
    }
    return end < range.upperBound ? shown + "…" : shown
  }
}
