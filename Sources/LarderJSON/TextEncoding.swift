/// The checks of a text's encoding, before any grammar: byte order marks, bad UTF-8, U+0000.
enum TextEncoding {
  /// Returns the first encoding mistake of a text.
  static func firstMistake(in bytes: UnsafeBufferPointer<UInt8>) -> Finding? {
    if markLength(bytes) > 0 { return Finding(.byteOrderMark, at: 0) }
    var offset = 0
    while true {
      offset = plainEnd(in: bytes, from: offset)
      guard offset < bytes.count else { return nil }
      if bytes[offset] == 0 { return Finding(.nullCharacter, at: offset) }
      guard let length = sequenceLength(in: bytes, at: offset) else {
        return Finding(.invalidUTF8, at: offset)
      }
      offset += length
    }
  }

  /// Returns the length of a UTF-8 byte order mark at the start of a text: 3 or 0.
  static func markLength(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF ? 3 : 0
  }

  /// Whether a text starts with a UTF-16 byte order mark; such a text is not read at all.
  static func isUTF16(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard bytes.count >= 2 else { return false }
    return (bytes[0], bytes[1]) == (0xFF, 0xFE) || (bytes[0], bytes[1]) == (0xFE, 0xFF)
  }

  /// Returns the offset of the next byte that is zero or not ASCII.
  private static func plainEnd(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    let raw = UnsafeRawBufferPointer(bytes)
    var offset = start
    while offset + 8 <= bytes.count {
      let word = raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      // A zero byte borrows into its high bit; a byte over 0x7F has this bit already.
      if ((word &- 0x0101_0101_0101_0101) | word) & 0x8080_8080_8080_8080 != 0 { break }
      offset += 8
    }
    while offset < bytes.count, bytes[offset] &- 1 < 0x7F { offset += 1 }
    return offset
  }

  /// Returns the length of the UTF-8 sequence at a lead byte; nil for a bad one (The Unicode
  /// Standard, table 3-7).
  private static func sequenceLength(
    in bytes: UnsafeBufferPointer<UInt8>, at offset: Int
  ) -> Int? {
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch bytes[offset] {
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: length = 4
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: return nil
    }
    for index in 1..<length {
      let allowed = index == 1 ? second : 0x80...0xBF
      guard offset + index < bytes.count, allowed.contains(bytes[offset + index]) else {
        return nil
      }
    }
    return length
  }
}

/// The ASCII bytes that JSON's grammar names, and the classes the parser sorts bytes into.
enum Byte {
  static var backspace: UInt8 { 0x08 }
  static var tab: UInt8 { 0x09 }
  static var lineFeed: UInt8 { 0x0A }
  static var formFeed: UInt8 { 0x0C }
  static var carriageReturn: UInt8 { 0x0D }
  static var space: UInt8 { 0x20 }
  static var quote: UInt8 { 0x22 }
  static var hash: UInt8 { 0x23 }
  static var apostrophe: UInt8 { 0x27 }
  static var asterisk: UInt8 { 0x2A }
  static var plus: UInt8 { 0x2B }
  static var comma: UInt8 { 0x2C }
  static var minus: UInt8 { 0x2D }
  static var dot: UInt8 { 0x2E }
  static var slash: UInt8 { 0x2F }
  static var zero: UInt8 { 0x30 }
  static var colon: UInt8 { 0x3A }
  static var less: UInt8 { 0x3C }
  static var equals: UInt8 { 0x3D }
  static var greater: UInt8 { 0x3E }
  static var openBracket: UInt8 { 0x5B }
  static var backslash: UInt8 { 0x5C }
  static var closeBracket: UInt8 { 0x5D }
  static var openBrace: UInt8 { 0x7B }
  static var bar: UInt8 { 0x7C }
  static var closeBrace: UInt8 { 0x7D }

  @inline(__always)
  static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  @inline(__always)
  static func isWhitespace(_ byte: UInt8) -> Bool {
    byte == space || byte == lineFeed || byte == carriageReturn || byte == tab
  }

  /// The value of a hexadecimal digit, or nil for any other byte.
  static func hexadecimal(_ byte: UInt8) -> UInt32? {
    switch byte {
    case 0x30...0x39: UInt32(byte - 0x30)
    case 0x41...0x46: UInt32(byte - 0x41 + 10)
    case 0x61...0x66: UInt32(byte - 0x61 + 10)
    default: nil
    }
  }

  /// Whether a byte can continue a word: a literal, a number, or text that lacks its quotes.
  @inline(__always)
  static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case space, lineFeed, carriageReturn, tab, quote, comma, colon, slash, hash: false
    case openBracket, closeBracket, openBrace, closeBrace: false
    default: true
    }
  }
}
