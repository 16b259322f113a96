public import LarderModel

/// A day whose year was not written, so that another one may be meant.
public struct CompletedDay: Hashable, Sendable {
  /// The text without the year.
  public let written: String
  /// The day that was taken.
  public let day: Day
  /// The nearest day that the text may mean too.
  public let nearer: Day
}

extension HouseholdCalendar {
  /// Returns how a day or a moment without a year was completed, if it is so more than nine months
  /// away; a day that has just passed is nearer then.
  public func completed(_ text: String, _ direction: Direction = .ahead) -> CompletedDay? {
    let written = withoutClock(text)
    let word = fold(written)
    guard let date = try? WrittenDate(word), date.year == nil,
      !direction.takesStretch || stretch(word) == nil,
      let day = day(typed: written, direction),
      day > today.adding(months: 9) || day < today.adding(months: -9)
    else { return nil }
    let year = today.civil.year
    let distance = { (day: Day) in abs(day.daysSinceEpoch - today.daysSinceEpoch) }
    let days = (year - 1...year + 1).compactMap { try? date.day(in: $0) }
    guard let nearer = days.min(by: { distance($0) < distance($1) }), nearer != day else {
      return nil
    }
    return CompletedDay(written: written, day: day, nearer: nearer)
  }

  /// Returns a text without the clock time at its end.
  private func withoutClock(_ text: String) -> String {
    let trimmed = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard trimmed.contains(":"), let gap = trimmed.lastIndex(where: { " Tt".contains($0) }) else {
      return trimmed
    }
    return String(trimmed[..<gap])
  }
}
