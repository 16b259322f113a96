public import LarderJSON

/// An exact decimal number, stored in billionths.
///
/// Files have at most 15 digits, six of them decimals. Three more decimals keep a conversion from
/// gram to kilogram exact until a sum is rounded, once, half to even (FORMAT.md, section 7).
public struct Number: Hashable, Comparable, Sendable {
  public let billionths: Int128

  public static let zero = Number(billionths: 0)

  init(billionths: Int128) {
    self.billionths = billionths
  }

  public init(_ whole: Int) {
    self.init(billionths: Int128(whole) * Number.scale)
  }

  /// Creates a fraction, cut at the ninth decimal; the denominator must not be 0.
  public init(_ numerator: Int, over denominator: Int) {
    self.init(billionths: Int128(numerator) * Number.scale / Int128(denominator))
  }

  private static let scale: Int128 = 1_000_000_000

  public static func < (left: Number, right: Number) -> Bool {
    left.billionths < right.billionths
  }

  public static func + (left: Number, right: Number) -> Number {
    Number(billionths: left.billionths + right.billionths)
  }

  public static func - (left: Number, right: Number) -> Number {
    Number(billionths: left.billionths - right.billionths)
  }

  public static prefix func - (number: Number) -> Number {
    Number(billionths: -number.billionths)
  }

  /// Returns the product, cut at the ninth decimal; nil if it is too large.
  public func multiplied(by other: Number) -> Number? {
    let (product, isOver) = billionths.multipliedReportingOverflow(by: other.billionths)
    return isOver ? nil : Number(billionths: product / Number.scale)
  }

  func multiplied(by factor: Int128) -> Number { Number(billionths: billionths * factor) }

  /// Divides exactly, for a number of at most six decimals and a divisor of 1000.
  func divided(by divisor: Int128) -> Number { Number(billionths: billionths / divisor) }

  /// Returns the quotient, rounded half to even at the sixth decimal.
  ///
  /// Nil if the divisor is zero, or if the quotient is too large.
  public func divided(by other: Number) -> Number? {
    let (scaled, isOver) = billionths.multipliedReportingOverflow(by: 1_000_000)
    guard !isOver, other != .zero else { return nil }
    let (quotient, remainder) = scaled.quotientAndRemainder(dividingBy: other.billionths)
    let (twice, size) = (2 * remainder.magnitude, other.billionths.magnitude)
    let isUp = twice > size || (twice == size && quotient % 2 != 0)
    let sign = billionths.signum() * other.billionths.signum()
    let (millionths, isTooLarge) = (quotient + (isUp ? sign : 0))
      .multipliedReportingOverflow(by: 1000)
    return isTooLarge ? nil : Number(billionths: millionths)
  }

  public var isWhole: Bool { billionths % Number.scale == 0 }

  /// The number rounded half to even at the sixth decimal.
  public var rounded: Number { rounded(decimals: 6) }

  /// Returns the number rounded half to even at a decimal, from 0 to 9.
  public func rounded(decimals: Int) -> Number {
    var step: Int128 = 1
    for _ in decimals..<9 { step *= 10 }
    let (quotient, remainder) = billionths.quotientAndRemainder(dividingBy: step)
    let twice = 2 * remainder.magnitude
    let isUp = twice > step || (twice == step && quotient % 2 != 0)
    return Number(billionths: (quotient + (isUp ? billionths.signum() : 0)) * step)
  }

  /// Returns the smallest multiple of a step, which must be above zero, that is not below the
  /// number.
  func roundedUp(to step: Number) -> Number {
    let (steps, rest) = billionths.quotientAndRemainder(dividingBy: step.billionths)
    return Number(billionths: (steps + (rest > 0 ? 1 : 0)) * step.billionths)
  }

  /// Returns this number as a fraction of another, for charts; nil if the other is not above zero.
  public func fraction(of whole: Number) -> Double? {
    whole > .zero ? Double(billionths) / Double(whole.billionths) : nil
  }
}

extension Number {
  /// Reads a JSON number, in any form that a person may write.
  ///
  /// Nil for anything else, for more than six decimals, and for more than `digits` digits in total.
  public init?(_ text: String, digits limit: Int = 15) {
    if text.utf8.count <= min(limit, 12), let first = text.utf8.first,
      (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(first), let whole = Int(text)
    {
      self.init(whole)
      return
    }
    guard let plain = JSON.canonicalNumber(text) else { return nil }
    var magnitude: Int128 = 0
    var digits = 0
    var decimals: Int?
    for byte in plain.utf8 where byte != UInt8(ascii: "-") {
      if byte == UInt8(ascii: ".") {
        decimals = 0
        continue
      }
      if digits > 0 || byte != UInt8(ascii: "0") { digits += 1 }
      if let count = decimals { decimals = count + 1 }
      guard digits <= limit, decimals ?? 0 <= 6 else { return nil }
      magnitude = magnitude * 10 + Int128(byte - UInt8(ascii: "0"))
    }
    for _ in (decimals ?? 0)..<9 { magnitude *= 10 }
    self.init(billionths: plain.utf8.first == UInt8(ascii: "-") ? -magnitude : magnitude)
  }

  public var json: JSON { .number(description) }
}

extension Number: CustomStringConvertible {
  /// The plain form: no exponent, no trailing zeros, no `-0`.
  public var description: String {
    if let small = Int64(exactly: billionths), small % 1_000_000_000 == 0 {
      return String(small / 1_000_000_000)
    }
    let magnitude = billionths.magnitude
    let whole = (magnitude / 1_000_000_000).description
    let sign = billionths < 0 ? "-" : ""
    let rest = magnitude % 1_000_000_000
    guard rest > 0 else { return sign + whole }
    var decimals = Int64(rest)
    var width = 9
    while decimals % 10 == 0 {
      decimals /= 10
      width -= 1
    }
    return sign + whole + "." + decimals.padded(width)
  }
}

/// A reader of the fixed-width numbers in RFC 3339 dates.
///
/// It is valid only while its bytes are.
struct DigitScanner {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var place = 0

  /// Returns what a function reads from a text.
  static func scan<Value>(_ text: String, _ body: (inout DigitScanner) -> Value?) -> Value? {
    var text = text
    return text.withUTF8 { bytes in
      var scanner = DigitScanner(bytes: bytes)
      return body(&scanner)
    }
  }

  private init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  var isAtEnd: Bool { place == bytes.count }

  private var first: UInt8? { isAtEnd ? nil : bytes[place] }

  mutating func take(anyOf characters: StaticString) -> Bool {
    guard let first, characters.withUTF8Buffer({ $0.contains(first) }) else { return false }
    place += 1
    return true
  }

  mutating func number(digits: Int) -> Int64? {
    var value: Int64 = 0
    for _ in 0..<digits {
      guard let digit = digit() else { return nil }
      value = value * 10 + digit
    }
    return value
  }

  /// Reads the digits after a decimal point as milliseconds.
  ///
  /// Needs at least one digit; digits after the third are ignored.
  mutating func fraction() -> Int64? {
    guard var value = digit() else { return nil }
    var count = 1
    while let next = digit() {
      if count < 3 { value = value * 10 + next }
      count += 1
    }
    while count < 3 {
      value *= 10
      count += 1
    }
    return value
  }

  /// Reads `Z` or `±hh:mm` as minutes east of UTC.
  mutating func offsetMinutes() -> Int64? {
    if take(anyOf: "Zz") { return 0 }
    let isWest = first == UInt8(ascii: "-")
    guard take(anyOf: "+-"), let hours = number(digits: 2), hours < 24, take(anyOf: ":"),
      let minutes = number(digits: 2), minutes < 60
    else { return nil }
    return (hours * 60 + minutes) * (isWest ? -1 : 1)
  }

  private mutating func digit() -> Int64? {
    guard let first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { return nil }
    place += 1
    return Int64(first - UInt8(ascii: "0"))
  }
}
