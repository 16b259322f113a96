extension Parser {
  /// What stands for a line's end in mistakes.
  static let lineEnd = "the end of the line"

  /// Whether enough mistakes were found, or the end of the text.
  var hasStopped: Bool { offset >= bytes.count }

  /// Notes a mistake, unless it follows from one that is noted, and stops after the last one told.
  ///
  /// The bytes from `start` to `end` are what is wrong; bad encoding in there is told already.
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

  /// Reports what stands at the offset.
  mutating func reportUnexpected(expected: String) {
    let range = token()
    report(
      .unexpected(found: excerpt(range), expected: expected), at: offset, to: range.upperBound)
  }

  /// Reports that the text ends, if that isn't because of brackets that are lost anyway.
  mutating func endEarly(expected: String) {
    offset = bytes.count
    if !hasLostStructure { report(.unexpectedEnd(expected: expected), at: bytes.count) }
    hasLostStructure = true
  }

  /// Takes what stands next for a consequence of the mistake just made.
  mutating func forgiveNextToken() {
    skipWhitespace()
    forgivenOffset = offset
  }

  /// The token at the offset, which is before the end: a bracket, a string, a word.
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

  /// Where the word at an offset ends, or, if there is none, the single byte.
  ///
  /// A word in single quotes goes up to the second one, if that is on the line.
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

  /// The text of a range to show in a message: cut after forty bytes, control characters escaped.
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
