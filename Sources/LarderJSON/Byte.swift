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
