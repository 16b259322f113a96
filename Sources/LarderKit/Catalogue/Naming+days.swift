internal import LarderModel

extension Naming {
  /// Returns the words with their day as names have it, such as `milk 2026-12-24` for `milk 24 dec`.
  ///
  /// Of a day without a year they are the next one and the last one. No day names other kinds than
  /// batches and receipts.
  func withWrittenDay(_ text: String, _ kind: Kind) -> [String] {
    guard kind == .inventoryItem || kind == .receipt else { return [] }
    let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    let directions: [HouseholdCalendar.Direction] =
      kind == .receipt ? [.back, .ahead] : [.ahead, .back]
    // More words may be a day that some of them are not: 'dec 24 2025'.
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
