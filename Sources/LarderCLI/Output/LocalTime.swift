import LarderKit
import LarderModel

/// Past moments for people, in the household's time zone.
struct LocalTime: Sendable {
  private let calendar: HouseholdCalendar

  /// Creates the clock of a time zone by its name; an unknown zone counts as UTC.
  init(zone name: String) {
    calendar = HouseholdCalendar(timeZone: name, now: Instant(milliseconds: 0))
  }

  /// Creates the clock of the household, or of UTC if there is none.
  init(of household: Household) {
    self.init(zone: household.own?.timeZone ?? "UTC")
  }

  /// Returns weekday, day and time to the minute, such as `Fri 2026-11-20 19:12`.
  func text(of instant: Instant) -> String {
    let names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    let weekday = names[calendar.day(of: instant).weekday - 1]
    return "\(weekday) \(calendar.text(of: instant))"
  }
}
