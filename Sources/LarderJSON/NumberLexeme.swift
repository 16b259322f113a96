/// The parts of a number's lexeme: its sign, its digits and the power of ten.
struct NumberLexeme {
  /// The largest number of digits that an exponent may lead to.
  static let mostDigits = 400

  private(set) var isNegative = false
  /// ASCII digits without zeros at either end; empty for zero.
  private(set) var digits: [UInt8] = []
  /// The power of ten by which the digits, read as an integer, are multiplied.
  private(set) var power = 0
  /// The number of digits before the exponent in the lexeme.
  private(set) var writtenDigits = 0
  private(set) var hasExponent = false

  /// Takes a lexeme apart; nil if it is not a number by RFC 8259.
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let (end, hasExponent) = Self.end(in: bytes, from: 0), end == bytes.count else {
      return nil
    }
    self.hasExponent = hasExponent
    isNegative = bytes[0] == Byte.minus
    var offset = isNegative ? 1 : 0
    var isFraction = false
    while offset < end, bytes[offset] | 0x20 != UInt8(ascii: "e") {
      if bytes[offset] == Byte.dot {
        isFraction = true
      } else {
        digits.append(bytes[offset])
        if isFraction { power -= 1 }
      }
      offset += 1
    }
    writtenDigits = digits.count
    power += Self.exponent(bytes, from: offset + 1)
    stripZeros()
  }

  /// The number of digits that the number has without an exponent.
  var plainDigits: Int {
    if digits.isEmpty { return 1 }
    return power >= 0 ? digits.count + power : max(digits.count, 1 - power)
  }

  /// Whether the exponent alone makes the plain form longer than `mostDigits`.
  var isExponentTooLarge: Bool {
    hasExponent && plainDigits > max(Self.mostDigits, writtenDigits)
  }

  /// The number without an exponent, needless zeros or a needless sign.
  var plain: String {
    if digits.isEmpty { return "0" }
    var text: [UInt8] = isNegative ? [Byte.minus] : []
    let whole = digits.count + power
    if power >= 0 {
      text += digits
      text += repeatElement(Byte.zero, count: power)
    } else if whole > 0 {
      text += digits[..<whole]
      text.append(Byte.dot)
      text += digits[whole...]
    } else {
      text += [Byte.zero, Byte.dot]
      text += repeatElement(Byte.zero, count: -whole)
      text += digits
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the end of the number that starts at an offset, by RFC 8259, section 6.
  @inline(__always)
  static func end(
    in bytes: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> (end: Int, hasExponent: Bool)? {
    let count = bytes.count
    var offset = start
    if offset < count, bytes[offset] == Byte.minus { offset += 1 }
    guard offset < count, Byte.isDigit(bytes[offset]) else { return nil }
    if bytes[offset] == Byte.zero {
      offset += 1
    } else {
      while offset < count, Byte.isDigit(bytes[offset]) { offset += 1 }
    }
    if offset < count, bytes[offset] == Byte.dot {
      offset += 1
      guard offset < count, Byte.isDigit(bytes[offset]) else { return nil }
      while offset < count, Byte.isDigit(bytes[offset]) { offset += 1 }
    }
    guard offset < count, bytes[offset] | 0x20 == UInt8(ascii: "e") else { return (offset, false) }
    offset += 1
    if offset < count, bytes[offset] == Byte.plus || bytes[offset] == Byte.minus { offset += 1 }
    guard offset < count, Byte.isDigit(bytes[offset]) else { return nil }
    while offset < count, Byte.isDigit(bytes[offset]) { offset += 1 }
    return (offset, true)
  }

  /// Returns the exponent, clamped to a billion either way: a text under 16 MiB has too few digits
  /// to balance more.
  private static func exponent(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var offset = start
    guard offset < bytes.count else { return 0 }
    let isNegative = bytes[offset] == Byte.minus
    if isNegative || bytes[offset] == Byte.plus { offset += 1 }
    var value = 0
    while offset < bytes.count {
      value = min(value * 10 + Int(bytes[offset] - Byte.zero), 1_000_000_000)
      offset += 1
    }
    return isNegative ? -value : value
  }

  private mutating func stripZeros() {
    while digits.last == Byte.zero {
      digits.removeLast()
      power += 1
    }
    if let first = digits.firstIndex(where: { $0 != Byte.zero }), first > 0 {
      digits.removeFirst(first)
    }
  }
}
