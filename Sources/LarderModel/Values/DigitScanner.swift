/// A reader of the fixed-width numbers in RFC 3339 dates.
struct DigitScanner {
  private var rest: Substring.UTF8View

  init(_ text: String) {
    rest = text[...].utf8
  }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func take(anyOf characters: StaticString) -> Bool {
    guard let first = rest.first,
      characters.withUTF8Buffer({ $0.contains(first) })
    else { return false }
    rest.removeFirst()
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
    let isWest = rest.first == UInt8(ascii: "-")
    guard take(anyOf: "+-"), let hours = number(digits: 2), hours < 24, take(anyOf: ":"),
      let minutes = number(digits: 2), minutes < 60
    else { return nil }
    return (hours * 60 + minutes) * (isWest ? -1 : 1)
  }

  private mutating func digit() -> Int64? {
    guard let first = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
      return nil
    }
    rest.removeFirst()
    return Int64(first - UInt8(ascii: "0"))
  }
}
