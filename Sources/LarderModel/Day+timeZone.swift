internal import Foundation

extension Day {
  /// The day that a moment falls on in a time zone, named as the time zone database does; in UTC
  /// where there is no such zone.
  public init(_ instant: Instant, in timeZone: String) {
    let date = Date(timeIntervalSince1970: Double(instant.milliseconds.flooredDivision(by: 1000)))
    let offset = TimeZone(identifier: timeZone)?.secondsFromGMT(for: date) ?? 0
    let local = instant.milliseconds + Int64(offset) * 1000
    self.init(daysSinceEpoch: Int(local.flooredDivision(by: 86_400_000)))
  }
}
