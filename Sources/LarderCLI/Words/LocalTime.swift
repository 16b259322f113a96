import LarderModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Moments as people of a household read them: by the clock on their wall.
struct LocalTime: Sendable {
  private let zone: TimeZone?

  /// The clock of a time zone by its name; an unknown one reads as UTC and says so.
  init(zone name: String) {
    zone = TimeZone(identifier: name)
  }

  /// The clock of the household, or UTC where there is none.
  init(of household: Household) {
    self.init(zone: household.own?.timeZone ?? "UTC")
  }

  /// The day that a moment falls on.
  func day(of instant: Instant) -> Day {
    Day(daysSinceEpoch: Int(shifted(instant).flooredSeconds / 86_400))
  }

  /// Weekday, day and time to the minute: `Fri 2026-11-20 19:12`.
  func text(of instant: Instant) -> String {
    let local = shifted(instant)
    let day = Day(daysSinceEpoch: Int(local.flooredSeconds / 86_400))
    let minutes = local.flooredSeconds % 86_400 / 60
    let names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    let time = "\(twoDigits(minutes / 60)):\(twoDigits(minutes % 60))"
    return "\(names[day.weekday - 1]) \(day) \(time)" + (zone == nil ? " UTC" : "")
  }

  private func shifted(_ instant: Instant) -> Instant {
    let date = Date(timeIntervalSince1970: Double(instant.milliseconds) / 1000)
    return instant.adding(milliseconds: Int64(zone?.secondsFromGMT(for: date) ?? 0) * 1000)
  }

  private func twoDigits(_ number: Int64) -> String { (number < 10 ? "0" : "") + String(number) }
}

extension Instant {
  /// Whole seconds since the year 0000, so that remainders are never negative, less that offset's days.
  fileprivate var flooredSeconds: Int64 {
    let seconds = milliseconds / 1000
    return milliseconds % 1000 < 0 ? seconds - 1 : seconds
  }
}
