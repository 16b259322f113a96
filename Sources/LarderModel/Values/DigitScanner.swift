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
