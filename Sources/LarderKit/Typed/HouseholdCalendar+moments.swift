public import LarderModel

extension HouseholdCalendar {
  /// Reads a written moment; nil if the text is not a moment.
  public func instant(typed text: String) -> Instant? {
    try? instant(reading: text)
  }

  /// Reads a written moment.
  ///
  /// The forms are an RFC 3339 instant, a clock time of today, a day with a clock time, and a day
  /// alone. Without a clock time, today means now, and any other day means its noon.
  public func instant(reading text: String) throws(DayMistake) -> Instant {
    let trimmed = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    if let instant = Instant(trimmed) { return instant }
    if fold(trimmed) == "now" { return now }
    if let clock = clock(trimmed[...]) {
      return instant(of: today, minutes: clock.minutes, seconds: clock.seconds)
    }
    // A name of a day may also have a `t`, but no clock time follows it.
    for isSeparator: (Character) -> Bool in [{ $0 == " " }, { $0 == "T" || $0 == "t" }] {
      guard let index = trimmed.lastIndex(where: isSeparator),
        let clock = clock(trimmed[trimmed.index(after: index)...])
      else { continue }
      let day = try day(reading: String(trimmed[..<index]), .back)
      return instant(of: day, minutes: clock.minutes, seconds: clock.seconds)
    }
    let day = try day(reading: trimmed, .back)
    return day == today ? now : instant(of: day, minutes: 12 * 60)
  }

  /// Reads `18:30` or `18:30:15`.
  private func clock(_ text: Substring) -> (minutes: Int, seconds: Int)? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in
      (1...2).contains(part.utf8.count) && part.utf8.allSatisfy { (48...57).contains($0) }
        ? Int(part) : nil
    }
    guard (2...3).contains(parts.count), numbers.count == parts.count, numbers[0] < 24,
      numbers[1] < 60, numbers.count == 2 || numbers[2] < 60
    else { return nil }
    return (numbers[0] * 60 + numbers[1], numbers.count == 3 ? numbers[2] : 0)
  }
}
