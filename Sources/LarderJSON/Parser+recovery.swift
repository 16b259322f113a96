/// Recovery after grammar mistakes.
///
/// Each method reports what is at the offset, then moves on or leaves it to an enclosing object or
/// array that can use it. Each method advances or stops, so the total time is linear.
extension Parser {
  /// Handles anything else at the place of a value.
  mutating func missingValue() -> JSON {
    guard offset < bytes.count else {
      endEarly(expected: Expected.value)
      return .null
    }
    if openObjects + openArrays == 0 { hasLostStructure = true }
    switch bytes[offset] {
    case Byte.plus, Byte.dot:
      return badNumber()
    case Byte.comma, Byte.closeBrace, Byte.closeBracket:
      // Left for the separator.
      reportUnexpected(expected: Expected.value)
    default:
      reportUnexpected(expected: Expected.value)
      skipToSeparator()
    }
    return .null
  }

  /// Handles anything else at the place of a key.
  mutating func misplacedKey() -> KeyStart {
    while skipForeign(expected: Expected.key) { skipWhitespace() }
    guard offset < bytes.count else {
      endEarly(expected: Expected.key)
      return .end
    }
    let byte = bytes[offset]
    if byte == Byte.quote { return .key }
    reportUnexpected(expected: Expected.key)
    guard !hasStopped else { return .end }
    switch byte {
    case Byte.closeBrace:
      offset += 1
      return .end
    case Byte.closeBracket:
      close(atWrongBracket: Byte.closeBracket)
      return .end
    case Byte.comma: return .nothing
    case Byte.colon: return .keyless
    case Byte.openBrace, Byte.openBracket: return .value
    default: break
    }
    offset = wordEnd(from: offset)
    skipWhitespace()
    if offset < bytes.count, bytes[offset] == Byte.colon { return .keyless }
    skipToSeparator()
    return .nothing
  }

  /// Handles anything else at the place of a colon; returns true if a value follows.
  @inline(never)
  mutating func misplacedColon() -> Bool {
    while skipForeign(expected: Expected.colon) { skipWhitespace() }
    guard offset < bytes.count else {
      endEarly(expected: Expected.colon)
      return false
    }
    if bytes[offset] == Byte.colon {
      offset += 1
      return true
    }
    if offset == forgivenOffset { return false }
    reportUnexpected(expected: Expected.colon)
    guard !hasStopped else { return false }
    switch bytes[offset] {
    case Byte.equals:
      while offset < bytes.count, bytes[offset] == Byte.equals || bytes[offset] == Byte.greater {
        offset += 1
      }
      return true
    case Byte.comma, Byte.closeBrace, Byte.closeBracket:
      return false
    case let byte where Byte.startsValue(byte):
      return true
    default:
      skipToSeparator()
      return false
    }
  }

  /// Handles anything else at the place of a comma or closing bracket.
  ///
  /// Returns true if another element follows.
  @inline(never)
  mutating func misplacedSeparator(closing: UInt8) -> Bool {
    let expected = Expected.separator(closing: closing)
    while true {
      skipWhitespace()
      guard offset < bytes.count else {
        endEarly(expected: expected)
        return false
      }
      switch bytes[offset] {
      case Byte.comma:
        offset += 1
        return true
      case closing:
        offset += 1
        return false
      case Byte.closeBrace, Byte.closeBracket:
        let wrong = bytes[offset]
        if !hasLostStructure { reportUnexpected(expected: expected) }
        close(atWrongBracket: wrong)
        return false
      default: break
      }
      if skipForeign(expected: expected) { continue }
      let isForgiven = offset == forgivenOffset
      reportUnexpected(expected: expected)
      guard !hasStopped else { return false }
      let startsNext = closing == Byte.closeBrace ? bytes[offset] == Byte.quote : isValueStart
      if startsNext { return true }
      if isForgiven { skipLine() } else { skipToSeparator() }
    }
  }

  /// Closes an array at a `}`, or an object at a `]`.
  ///
  /// If the wrong bracket closes an outer container, it is kept for that one; otherwise it counts
  /// as the right bracket.
  private mutating func close(atWrongBracket bracket: UInt8) {
    hasLostStructure = true
    let isOpen = bracket == Byte.closeBrace ? openObjects > 0 : openArrays > 0
    if !isOpen, !hasStopped { offset += 1 }
  }

  private var isValueStart: Bool {
    let byte = bytes[offset]
    guard Byte.startsValue(byte) else { return false }
    let word = excerpt(offset..<wordEnd(from: offset))
    return byte < UInt8(ascii: "a") || byte == Byte.openBrace
      || ["true", "false", "null"].contains(word)
  }

  /// Reports an object or array that is nested too deep, and skips it.
  @inline(never)
  mutating func tooDeep() -> JSON {
    report(.tooDeep, at: offset)
    skipBalanced { _ in false }
    if offset >= bytes.count { hasLostStructure = true }
    return .null
  }

  /// Skips to the next comma or bracket of the enclosing object or array, or to the end of the
  /// line.
  ///
  /// After the end of a line, the next token is not reported.
  private mutating func skipToSeparator() {
    skipBalanced { $0 == Byte.comma || $0 == Byte.lineFeed }
    if offset < bytes.count, Byte.isWhitespace(bytes[offset]) { forgiveNextToken() }
  }

  /// Skips strings and balanced brackets, up to a byte outside of them for which `isEnd` is true,
  /// or to a closing bracket that was opened before.
  ///
  /// Without these, it stops after the outermost bracket.
  private mutating func skipBalanced(until isEnd: (UInt8) -> Bool) {
    var nested = 0
    while offset < bytes.count {
      let byte = bytes[offset]
      if nested == 0, isEnd(byte) { return }
      switch byte {
      case Byte.quote:
        skipQuoted()
        if offset < bytes.count, Byte.isWhitespace(bytes[offset]), nested == 0 { return }
        continue
      case Byte.openBrace, Byte.openBracket:
        nested += 1
      case Byte.closeBrace, Byte.closeBracket:
        if nested == 0 { return }
        nested -= 1
        if nested == 0 {
          offset += 1
          return
        }
      default: break
      }
      offset += 1
    }
  }

  private mutating func skipLine() {
    while offset < bytes.count, bytes[offset] != Byte.lineFeed { offset += 1 }
    forgiveNextToken()
  }

  /// Reports and skips a comment or a git conflict marker.
  ///
  /// Returns false if there is neither at the offset.
  @inline(never)
  mutating func skipForeign(expected: String) -> Bool {
    guard offset < bytes.count else { return false }
    switch bytes[offset] {
    case Byte.less, Byte.equals, Byte.bar, Byte.greater:
      return skipConflictMarker()
    case Byte.hash:
      reportUnexpected(expected: expected)
      skipPlainLine()
      return true
    case Byte.slash where offset + 1 < bytes.count && bytes[offset + 1] == Byte.slash:
      reportUnexpected(expected: expected)
      skipPlainLine()
      return true
    case Byte.slash where offset + 1 < bytes.count && bytes[offset + 1] == Byte.asterisk:
      reportUnexpected(expected: expected)
      offset = min(offset + 2, bytes.count)
      while offset < bytes.count {
        offset += 1
        if bytes[offset - 1] == Byte.slash, bytes[offset - 2] == Byte.asterisk { break }
      }
      return true
    default:
      return false
    }
  }

  private mutating func skipPlainLine() {
    while offset < bytes.count, bytes[offset] != Byte.lineFeed { offset += 1 }
  }

  /// Reports a conflict once, at its start, and continues with our side of it.
  ///
  /// Our side was a file once; both sides together were not.
  private mutating func skipConflictMarker() -> Bool {
    guard let marker = conflictMarker else { return false }
    if isInConflict, marker != Byte.less {
      while offset < bytes.count, conflictMarker != Byte.greater {
        skipPlainLine()
        offset = min(offset + 1, bytes.count)
      }
      isInConflict = false
    } else {
      report(.conflictMarker, at: offset)
      isInConflict = marker == Byte.less
    }
    skipPlainLine()
    return true
  }

  /// The character of the conflict marker at the offset, if the marker starts its line.
  private var conflictMarker: UInt8? {
    guard offset + 7 <= bytes.count, offset == 0 || bytes[offset - 1] == Byte.lineFeed else {
      return nil
    }
    let first = bytes[offset]
    guard [Byte.less, Byte.equals, Byte.bar, Byte.greater].contains(first) else { return nil }
    return bytes[offset..<offset + 7].allSatisfy { $0 == first } ? first : nil
  }
}
