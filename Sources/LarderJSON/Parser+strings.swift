extension Parser {
  /// Reads the string whose opening quote is at the offset.
  mutating func string() throws(Finding) -> String {
    let start = offset + 1
    let end = plainEnd(from: start)
    if end < bytes.count, bytes[end] == Byte.quote {
      offset = end + 1
      return text(start..<end)
    }
    return try escapedString(from: start, to: end)
  }

  /// Reads the number that starts at the offset with a digit or a minus.
  mutating func number() throws(Finding) -> String {
    guard let (end, hasExponent) = NumberLexeme.end(in: bytes, from: offset),
      end == bytes.count || !Byte.isWord(bytes[end])
    else { throw badNumber }
    let range = offset..<end
    if hasExponent,
      NumberLexeme(UnsafeBufferPointer(rebasing: bytes[range]))?.isExponentTooLarge ?? true
    {
      throw Finding(.exponentTooLarge(excerpt(range)), at: offset)
    }
    offset = end
    return text(range)
  }

  /// Returns a hash by which keys are compared quickly: different keys rarely have the same hash.
  ///
  /// The key was read from the range. If both have the same length, they have the same bytes.
  @inline(__always)
  func fingerprint(of key: String, from start: Int, to end: Int) -> UInt64 {
    let count = key.utf8.count
    guard end - start == count else { return Array(key.utf8).withUnsafeBytes(Self.fingerprint) }
    return Self.fingerprint(UnsafeRawBufferPointer(rebasing: raw[start..<end]))
  }

  @inline(__always)
  private static func fingerprint(_ key: UnsafeRawBufferPointer) -> UInt64 {
    var print = UInt64(truncatingIfNeeded: key.count)
    if key.count >= 8 {
      let last = key.loadUnaligned(fromByteOffset: key.count - 8, as: UInt64.self)
      print ^= key.loadUnaligned(as: UInt64.self) ^ (last << 7 | last >> 57)
    } else {
      for byte in key { print = print << 8 | UInt64(byte) }
    }
    return print
  }

  @inline(__always)
  private var raw: UnsafeRawBufferPointer { UnsafeRawBufferPointer(bytes) }

  @inline(__always)
  func text(_ range: Range<Int>) -> String {
    String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
  }

  /// The offset of the next quote, backslash or control character.
  @inline(__always)
  private func plainEnd(from start: Int) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    var offset = start
    while offset + 8 <= bytes.count {
      let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      // In each of these, the lowest high bit that is set marks the first byte of its kind.
      let control = (word &- ones &* 0x20) & ~word
      let quote = word ^ (ones &* 0x22)
      let backslash = word ^ (ones &* 0x5C)
      let marks =
        (control | (quote &- ones) & ~quote | (backslash &- ones) & ~backslash) & (ones &* 0x80)
      if marks != 0 { return offset + marks.trailingZeroBitCount / 8 }
      offset += 8
    }
    while offset < bytes.count {
      let byte = bytes[offset]
      if byte < 0x20 || byte == Byte.quote || byte == Byte.backslash { break }
      offset += 1
    }
    return offset
  }

  /// Reads the rest of a string that has an escape, or throws its mistake.
  ///
  /// Its first run goes from `start` to `end`.
  @inline(never)
  private mutating func escapedString(from start: Int, to end: Int) throws(Finding) -> String {
    var unescaped = [UInt8](bytes[start..<end])
    offset = end
    while offset < bytes.count {
      let byte = bytes[offset]
      switch byte {
      case Byte.quote:
        offset += 1
        return String(decoding: unescaped, as: UTF8.self)
      case Byte.backslash:
        try readEscape(into: &unescaped)
      case Byte.lineFeed, Byte.carriageReturn:
        throw Finding(
          .unexpected(found: "the end of the line", expected: Parser.closingQuote), at: offset)
      case 1..<0x20:
        throw Finding(.controlCharacter, at: offset)
      case 0:
        // It is told as a mistake of the encoding.
        offset += 1
      default:
        let end = plainEnd(from: offset)
        unescaped.append(contentsOf: bytes[offset..<end])
        offset = end
      }
    }
    throw unexpected(for: Parser.closingQuote)
  }

  private static let closingQuote = "a closing quote"

  private mutating func readEscape(into unescaped: inout [UInt8]) throws(Finding) {
    let start = offset
    offset += 1
    guard offset < bytes.count else { return }
    let byte = bytes[offset]
    if byte == UInt8(ascii: "u") { return try readUnicodeEscape(into: &unescaped) }
    let plain: UInt8
    switch byte {
    case Byte.quote, Byte.backslash, Byte.slash: plain = byte
    case UInt8(ascii: "b"): plain = Byte.backspace
    case UInt8(ascii: "f"): plain = Byte.formFeed
    case UInt8(ascii: "n"): plain = Byte.lineFeed
    case UInt8(ascii: "r"): plain = Byte.carriageReturn
    case UInt8(ascii: "t"): plain = Byte.tab
    default: throw Finding(.badEscape, at: start)
    }
    unescaped.append(plain)
    offset += 1
  }

  /// Reads an escape, starting at its `u`.
  private mutating func readUnicodeEscape(into unescaped: inout [UInt8]) throws(Finding) {
    let start = offset - 1
    guard var code = hexadecimals(from: offset + 1) else { throw Finding(.badEscape, at: start) }
    offset += 5
    if code == 0 { throw Finding(.nullCharacter, at: start) }
    if code & 0xFC00 == 0xD800, offset + 1 < bytes.count, bytes[offset] == Byte.backslash,
      bytes[offset + 1] == UInt8(ascii: "u"), let low = hexadecimals(from: offset + 2),
      low & 0xFC00 == 0xDC00
    {
      code = 0x10000 + (code & 0x3FF) << 10 + (low & 0x3FF)
      offset += 6
    }
    guard let scalar = Unicode.Scalar(code) else {
      throw Finding(.loneSurrogate, at: start)
    }
    unescaped.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
  }

  private func hexadecimals(from start: Int) -> UInt32? {
    guard start + 4 <= bytes.count else { return nil }
    var code: UInt32 = 0
    for index in start..<start + 4 {
      guard let digit = Byte.hexadecimal(bytes[index]) else { return nil }
      code = code << 4 | digit
    }
    return code
  }

  /// Skips a string without reading it, to after its closing quote or to the end of its line.
  mutating func skipQuoted() {
    offset += 1
    while offset < bytes.count {
      switch bytes[offset] {
      case Byte.quote:
        offset += 1
        return
      case Byte.backslash where offset + 1 < bytes.count && bytes[offset + 1] > Byte.carriageReturn:
        offset += 2
      case Byte.lineFeed, Byte.carriageReturn:
        return
      default:
        offset += 1
      }
    }
  }
}
