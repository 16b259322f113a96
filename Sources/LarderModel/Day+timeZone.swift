internal import Foundation

extension Day {
  /// Creates the day of a moment in a time zone, named as in the time zone database.
  ///
  /// In UTC if the name is unknown.
  public init(_ instant: Instant, in timeZone: String) {
    let date = Date(timeIntervalSince1970: Double(instant.milliseconds.flooredDivision(by: 1000)))
    let offset = TimeZone(identifier: timeZone)?.secondsFromGMT(for: date) ?? 0
    let local = instant.milliseconds + Int64(offset) * 1000
    self.init(daysSinceEpoch: Int(local.flooredDivision(by: 86_400_000)))
  }
}
