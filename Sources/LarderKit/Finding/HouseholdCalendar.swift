internal import Foundation
public import LarderModel

/// Days and clock times as the household's people have them: in its own time zone, wherever the
/// device is.
public struct HouseholdCalendar: Sendable {
  private let timeZone: TimeZone
  public let now: Instant

  /// A zone that this system doesn't know counts as UTC.
  public init(timeZone name: String, now: Instant) {
    timeZone = TimeZone(identifier: name) ?? .gmt
    self.now = now
  }

  public init(of household: Household, now: Instant) {
    self.init(timeZone: household.own?.timeZone ?? "UTC", now: now)
  }

  public var today: Day { day(of: now) }

  /// The day that a moment falls on.
  public func day(of instant: Instant) -> Day {
    Day(daysSinceEpoch: Int(local(instant).flooredDays))
  }

  /// The moment of a clock time on a day; one that the clocks skip is moved on by what they skip.
  public func instant(of day: Day, minutes: Int = 0, seconds: Int = 0) -> Instant {
    let wanted =
      (Int64(day.daysSinceEpoch) * 1440 + Int64(minutes)) * 60_000 + Int64(seconds) * 1000
    // The offset before a change of the clocks leads behind it, and is then looked up once more.
    let guess = Instant(milliseconds: wanted - offset(at: Instant(milliseconds: wanted)))
    return Instant(milliseconds: wanted - offset(at: guess))
  }

  /// A moment for people: `2026-11-20 18:30`.
  public func text(of instant: Instant) -> String {
    let day = day(of: instant)
    let minutes = (local(instant) - Int64(day.daysSinceEpoch) * 86_400_000) / 60_000
    return "\(day) \(twoDigits(minutes / 60)):\(twoDigits(minutes % 60))"
  }

  /// Milliseconds of the wall clock since the wall clock's 1970.
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
  /// Whole days in so many milliseconds, rounded down.
  fileprivate var flooredDays: Int64 {
    let day: Int64 = 86_400_000
    return self >= 0 ? self / day : -((day - 1 - self) / day)
  }
}
