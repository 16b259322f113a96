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
