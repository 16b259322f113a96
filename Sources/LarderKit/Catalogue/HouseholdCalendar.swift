internal import Foundation
public import LarderModel

/// Days and clock times in the household's time zone, independent of the device's.
public struct HouseholdCalendar: Sendable {
  private let timeZone: TimeZone
  public let now: Instant

  /// Creates a calendar for a time zone by name; a zone that this system does not know counts as
  /// UTC.
  public init(timeZone name: String, now: Instant) {
    timeZone = TimeZone(identifier: name) ?? .gmt
    self.now = now
  }

  public init(of household: Household, now: Instant) {
    self.init(timeZone: household.own?.timeZone ?? "UTC", now: now)
  }

  public var today: Day { day(of: now) }

  /// Returns the day of a moment.
  public func day(of instant: Instant) -> Day {
    Day(daysSinceEpoch: Int(local(instant).flooredDays))
  }

  /// Returns the moment of a clock time on a day; a time that the clocks skip moves forward by the
  /// skipped length.
  public func instant(of day: Day, minutes: Int = 0, seconds: Int = 0) -> Instant {
    let wanted =
      (Int64(day.daysSinceEpoch) * 1440 + Int64(minutes)) * 60_000 + Int64(seconds) * 1000
    // The offset before a clock change gives a moment after it, so the offset is looked up again.
    let guess = Instant(milliseconds: wanted - offset(at: Instant(milliseconds: wanted)))
    return Instant(milliseconds: wanted - offset(at: guess))
  }

  /// Returns a moment as text for people, such as `2026-11-20 18:30`.
  public func text(of instant: Instant) -> String {
    let day = day(of: instant)
    let minutes = (local(instant) - Int64(day.daysSinceEpoch) * 86_400_000) / 60_000
    return "\(day) \(twoDigits(minutes / 60)):\(twoDigits(minutes % 60))"
  }

  /// Returns the milliseconds since 1970 on the wall clock.
  private func local(_ instant: Instant) -> Int64 {
    instant.milliseconds + offset(at: instant)
  }

  private func offset(at instant: Instant) -> Int64 {
    let date = Date(timeIntervalSince1970: Double(instant.milliseconds) / 1000)
    return Int64(timeZone.secondsFromGMT(for: date)) * 1000
  }
}

private func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }

extension Int64 {
  /// The number of whole days in these milliseconds, rounded down.
  fileprivate var flooredDays: Int64 {
    let day: Int64 = 86_400_000
    return self >= 0 ? self / day : -((day - 1 - self) / day)
  }
}
