import LarderKit
import LarderModel

/// Moments of the past as people of a household read them: by the clock on their wall.
struct LocalTime: Sendable {
  private let calendar: HouseholdCalendar

  /// The clock of a time zone by its name; an unknown one reads as UTC.
  init(zone name: String) {
    calendar = HouseholdCalendar(timeZone: name, now: Instant(milliseconds: 0))
  }

  /// The clock of the household, or UTC where there is none.
  init(of household: Household) {
    self.init(zone: household.own?.timeZone ?? "UTC")
  }

  /// Weekday, day and time to the minute: `Fri 2026-11-20 19:12`.
  func text(of instant: Instant) -> String {
    let names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    let weekday = names[calendar.day(of: instant).weekday - 1]
    return "\(weekday) \(calendar.text(of: instant))"
  }
}
