/// A mistake and the bytes that are wrong, before its line and column are counted.
struct Finding: Error {
  let kind: JSONMistake.Kind
  let range: Range<Int>

  init(_ kind: JSONMistake.Kind, _ range: Range<Int>) {
    self.kind = kind
    self.range = range
  }

  init(_ kind: JSONMistake.Kind, at offset: Int) { self.init(kind, offset..<offset + 1) }
}

extension Parser {
  /// The mistake of what is at the offset, in the place of something else.
  @inline(never)
  func unexpected(for expected: String) -> Finding {
    if offset >= bytes.count { return Finding(.unexpectedEnd(expected: expected), at: bytes.count) }
    if isAtConflictMarker { return Finding(.conflictMarker, at: offset) }
    return Finding(.unexpected(found: excerpt(token), expected: expected), token)
  }

  /// The mistake of a word in the place of a number.
  var badNumber: Finding {
    let range = offset..<wordEnd(from: offset)
    return Finding(.badNumber(excerpt(range)), range)
  }

  /// Whether a comment, which JSON has not, starts at the offset.
  var isAtComment: Bool {
    bytes[offset] == Byte.hash
      || bytes[offset] == Byte.slash && offset + 1 < bytes.count
        && [Byte.slash, Byte.asterisk].contains(bytes[offset + 1])
  }

  /// Whether a git conflict marker is at the offset, at the start of its line.
  var isAtConflictMarker: Bool {
    guard offset + 7 <= bytes.count, offset == 0 || bytes[offset - 1] == Byte.lineFeed else {
      return false
    }
    let first = bytes[offset]
    return [Byte.less, Byte.equals, Byte.bar, Byte.greater].contains(first)
      && bytes[offset..<offset + 7].allSatisfy { $0 == first }
  }

  /// The token at the offset, which is before the end: a bracket, a string or a word.
  private var token: Range<Int> {
    if bytes[offset] == Byte.quote {
      var copy = self
      copy.skipQuoted()
      return offset..<copy.offset
    }
    if bytes[offset] == Byte.slash, isAtComment { return offset..<offset + 2 }
    return offset..<wordEnd(from: offset)
  }

  /// Returns the end of the word at an offset, or of the single byte if there is no word.
  ///
  /// A word in single quotes extends to the second quote, if that is on the same line.
  private func wordEnd(from start: Int) -> Int {
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
