/// A moment in time, in whole milliseconds since 1970-01-01T00:00:00Z.
///
/// Written as RFC 3339 in UTC with exactly three decimals; years 0000 to 9999.
public struct Instant: Hashable, Comparable, Sendable {
  public var milliseconds: Int64

  public init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  public static func < (left: Instant, right: Instant) -> Bool {
    left.milliseconds < right.milliseconds
  }

  public func adding(milliseconds: Int64) -> Instant {
    Instant(milliseconds: self.milliseconds + milliseconds)
  }

  /// The moment one millisecond later: the least stamp that beats this one.
  public var next: Instant { adding(milliseconds: 1) }
}

extension Instant {
  /// Reads any RFC 3339 date-time; other offsets are converted and digits past the millisecond cut.
  ///
  /// A leap second (`:60`) reads as second 59 of its minute. Returns nil for anything else.
  public init?(_ text: String) {
    var scanner = DigitScanner(text)
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

  static let earliest = Instant(milliseconds: -62_167_219_200_000)
  static let latest = Instant(milliseconds: 253_402_300_799_999)
}

extension Instant: CustomStringConvertible {
  /// The canonical form, as in `2026-11-03T19:12:44.120Z`.
  public var description: String {
    let day = Day(daysSinceEpoch: Int(milliseconds.flooredDivision(by: 86_400_000)))
    let inDay = milliseconds - Int64(day.daysSinceEpoch) * 86_400_000
    let time = [
      (inDay / 3_600_000).padded(2), (inDay / 60_000 % 60).padded(2), (inDay / 1000 % 60).padded(2),
    ]
    return "\(day)T\(time.joined(separator: ":")).\((inDay % 1000).padded(3))Z"
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
