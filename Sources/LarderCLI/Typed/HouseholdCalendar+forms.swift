import LarderKit

extension HouseholdCalendar {
  /// The message for a day that can't be read.
  static let dayForms =
    "write a day like 2026-12-01, 01.12.2026, 12-01, 12/2026, dec 2026, today, 10d, 2w, 1m or fri"
  /// The message for a moment that can't be read.
  static let instantForms =
    "write a moment like '2026-11-20 18:30', 18:30, 'yesterday 18:30' or 2026-11-20"
}
