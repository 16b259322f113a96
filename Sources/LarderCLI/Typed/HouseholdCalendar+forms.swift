import LarderKit
import LarderModel

extension HouseholdCalendar {
  /// The message for a day that can't be read.
  private static let dayForms =
    "write a day like 2026-12-01, 01.12.2026, 12-01, 12/2026, dec 2026, today, 10d, 2w, 1m or fri"
  /// The message for a moment that can't be read.
  static let instantForms =
    "write a moment like '2026-11-20 18:30', 18:30, 'yesterday 18:30' or 2026-11-20"

  /// Returns the words for a day that can't be read.
  static func reason(_ mistake: DayMistake) -> String {
    reason(mistake, forms: dayForms)
  }

  /// Returns the words for a moment that can't be read.
  static func momentReason(_ mistake: DayMistake) -> String {
    reason(mistake, forms: instantForms)
  }

  private static func reason(_ mistake: DayMistake, forms: String) -> String {
    switch mistake {
    case .noDay: forms
    case .noSuchDay(2, nil): "February has at most 29 days"
    case .noSuchDay(let month, let year):
      [monthNames[month - 1], year.map(String.init), "has \(length(of: month, year)) days"]
        .compactMap(\.self).joined(separator: " ")
    case .noSuchMonth(let month): "there is no month \(month)"
    case .dayOrMonth(let days) where days.isEmpty:
      "the day or the month may be first; write a day like 2026-03-04"
    case .dayOrMonth(let days):
      "this may be \(days.map(\.description).joined(separator: " or ")); write it so"
    }
  }

  private static func length(of month: Int, _ year: Int?) -> Int {
    Day(year: year ?? 2001, month: month, day: 1)?.adding(months: 1).adding(days: -1).civil.day ?? 0
  }
}

extension Invocation {
  /// Reads a typed day; `whole` is what it is a part of, for messages.
  func day(
    _ text: String, for name: String, _ calendar: HouseholdCalendar,
    _ direction: HouseholdCalendar.Direction = .ahead, in whole: String? = nil
  ) throws(UsageError) -> Day {
    do throws(DayMistake) {
      let day = try calendar.day(reading: text, direction)
      if let completed = calendar.completed(text, direction) { output.warn(completed.words) }
      return day
    } catch {
      throw unreadable(
        whole ?? text, for: name, HouseholdCalendar.reason(error), topic: WrittenForms.dates)
    }
  }
}

extension CompletedDay {
  /// The words that tell which day was taken, and how to get the nearer one.
  var words: String {
    "'\(written)' without its year is \(day); write \(nearer) if that day is meant"
  }
}
