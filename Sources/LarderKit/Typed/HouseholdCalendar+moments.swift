public import LarderModel

extension HouseholdCalendar {
  /// Reads a written moment; nil if the text is none.
  ///
  /// The forms are an RFC 3339 instant, a clock time of today, a day with a clock time, and a day
  /// alone: today means now, and another day means its noon.
  public func instant(typed text: String) -> Instant? {
    let trimmed = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    if let instant = Instant(trimmed) { return instant }
    if fold(trimmed) == "now" { return now }
    if let clock = clock(trimmed) {
      return instant(of: today, minutes: clock.minutes, seconds: clock.seconds)
    }
    if let day = day(typed: trimmed, .back) {
      return day == today ? now : instant(of: day, minutes: 12 * 60)
    }
    let parts = trimmed.split(maxSplits: 1) { $0 == " " || $0 == "T" || $0 == "t" }
    guard parts.count == 2 else { return dayWithLetter(trimmed) }
    return self.instant(day: String(parts[0]), clock: String(parts[1])) ?? dayWithLetter(trimmed)
  }

  /// Reads a day whose name has a `t`, as in `today 18:30`.
  private func dayWithLetter(_ text: String) -> Instant? {
    let parts = text.split(separator: " ")
    return parts.count == 2 ? instant(day: String(parts[0]), clock: String(parts[1])) : nil
  }

  private func instant(day: String, clock: String) -> Instant? {
    guard let day = self.day(typed: day, .back), let clock = self.clock(clock) else { return nil }
    return instant(of: day, minutes: clock.minutes, seconds: clock.seconds)
  }

  /// Reads `18:30` or `18:30:15`.
  private func clock(_ text: String) -> (minutes: Int, seconds: Int)? {
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
