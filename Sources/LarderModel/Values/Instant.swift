/// A moment in time, in whole milliseconds since 1970-01-01T00:00:00Z.
///
/// Written as RFC 3339 in UTC with exactly three decimals; years 0000 to 9998.
public struct Instant: Hashable, Comparable, Sendable {
  public var milliseconds: Int64

  public init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  public static func < (left: Instant, right: Instant) -> Bool {
    left.milliseconds < right.milliseconds
  }

  /// Returns a later or earlier moment, clamped to the range that can be written.
  public func adding(milliseconds: Int64) -> Instant {
    let (sum, overflow) = self.milliseconds.addingReportingOverflow(milliseconds)
    let moment = Instant(milliseconds: overflow ? (milliseconds < 0 ? .min : .max) : sum)
    return min(max(moment, Self.earliest), Self.latest)
  }

  /// Creates the moment of a number of seconds since 1970, clamped to the range that can be
  /// written.
  public init(clampingSeconds seconds: Int64) {
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    let milliseconds = overflow ? (seconds < 0 ? Int64.min : Int64.max) : product
    let nearest = min(max(milliseconds, Self.earliest.milliseconds), Self.latest.milliseconds)
    self.init(milliseconds: nearest)
  }

  /// The moment one millisecond later: the smallest stamp that wins against this one.
  ///
  /// At the end of the year 9998 it is the same moment, and joins decide by the values.
  public var next: Instant { adding(milliseconds: 1) }
}

extension Instant {
  /// Reads any RFC 3339 date-time.
  ///
  /// Other offsets are converted, and digits after the millisecond are cut.
  ///
  /// A leap second (`:60`) reads as second 59 of its minute. Nil for anything else.
  public init?(_ text: String) {
    guard let instant = Instant.canonical(text) ?? DigitScanner.scan(text, Instant.init(scanning:))
    else { return nil }
    self = instant
  }

  private init?(scanning scanner: inout DigitScanner) {
    guard let day = Day(scanning: &scanner), scanner.take(anyOf: "Tt "),
      let hour = scanner.number(digits: 2), hour < 24, scanner.take(anyOf: ":"),
      let minute = scanner.number(digits: 2), minute < 60, scanner.take(anyOf: ":"),
      let second = scanner.number(digits: 2), second <= 60
    else { return nil }
    var millisecond: Int64 = 0
    if scanner.take(anyOf: ".") {
      guard let fraction = scanner.fraction() else { return nil }
      millisecond = fraction
    }
    guard let offset = scanner.offsetMinutes(), scanner.isAtEnd else { return nil }
    let minutes = (Int64(day.daysSinceEpoch) * 24 + hour) * 60 + minute - offset
    self.init(milliseconds: (minutes * 60 + min(second, 59)) * 1000 + millisecond)
    guard (Self.earliest...Self.latest).contains(self) else { return nil }
  }

  /// Reads only the canonical form, which nearly all instants in files have.
  static func canonical(_ text: String) -> Instant? {
    var copy = text
    let instant = copy.withUTF8 { Instant.milliseconds(canonical: $0) }
      .map(Instant.init(milliseconds:))
    return instant.flatMap { $0 <= latest ? $0 : nil }
  }

  private static func milliseconds(canonical text: UnsafeBufferPointer<UInt8>) -> Int64? {
    let form: StaticString = "0000-00-00T00:00:00.000Z"
    guard text.count == 24 else { return nil }
    for index in 0..<24 {
      let isDigit = text[index] &- UInt8(ascii: "0") < 10
      let expected = form.utf8Start[index]
      guard expected == UInt8(ascii: "0") ? isDigit : text[index] == expected else { return nil }
    }
    func number(_ range: Range<Int>) -> Int {
      range.reduce(0) { $0 * 10 + Int(text[$1] - UInt8(ascii: "0")) }
    }
    let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
    guard hour < 24, minute < 60, second < 60,
      let day = Day(year: number(0..<4), month: number(5..<7), day: number(8..<10))
    else { return nil }
    let seconds = ((day.daysSinceEpoch * 24 + hour) * 60 + minute) * 60 + second
    return Int64(seconds * 1000 + number(20..<23))
  }

  static let earliest = Instant(milliseconds: -62_167_219_200_000)
  /// The end of the year 9998.
  ///
  /// Later times are clamped to it, so that everything written can be read.
  package static let latest = Instant(milliseconds: 253_370_764_799_999)
}

extension Instant: CustomStringConvertible {
  /// The canonical form, such as `2026-11-03T19:12:44.120Z`.
  public var description: String {
    let day = Day(daysSinceEpoch: Int(milliseconds.flooredDivision(by: 86_400_000)))
    let inDay = Int(milliseconds) - day.daysSinceEpoch * 86_400_000
    return String(unsafeUninitializedCapacity: 24) { bytes in
      day.write(to: bytes)
      bytes.write("T", at: 10)
      bytes.write(inDay / 3_600_000, digits: 2, at: 11)
      bytes.write(":", at: 13)
      bytes.write(inDay / 60_000 % 60, digits: 2, at: 14)
      bytes.write(":", at: 16)
      bytes.write(inDay / 1000 % 60, digits: 2, at: 17)
      bytes.write(".", at: 19)
      bytes.write(inDay % 1000, digits: 3, at: 20)
      bytes.write("Z", at: 23)
      return 24
    }
  }
}

extension Int64 {
  func flooredDivision(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }

  func padded(_ width: Int) -> String {
    let digits = String(self)
    return String(repeating: "0", count: Swift.max(0, width - digits.utf8.count)) + digits
  }
}
