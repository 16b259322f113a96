internal import LarderModel

extension Naming {
  /// Returns the words with their day in the form of names: `milk 2026-12-24` for `milk 24 dec`.
  ///
  /// A day without a year gives two results, with the next such day and with the last one. Only
  /// batches and receipts have days in their names.
  func withWrittenDay(_ text: String, _ kind: Kind) -> [String] {
    guard kind == .inventoryItem || kind == .receipt else { return [] }
    let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    let directions: [HouseholdCalendar.Direction] =
      kind == .receipt ? [.back, .ahead] : [.ahead, .back]
    // The longest text is tried first: in 'dec 24 2025', 'dec 24' is a day too.
    for count in stride(from: min(words.count, 4), through: 1, by: -1) {
      let found = (0...words.count - count).flatMap { start in
        let written = words[start..<start + count].joined(separator: " ")
        return directions.compactMap { direction in
          calendar.day(typed: written, direction).map { day in
            (words[..<start] + [day.description] + words[(start + count)...])
              .joined(separator: " ")
          }
        }
      }
      if !found.isEmpty { return found }
    }
    return []
  }
}
