internal import LarderModel

/// The order of day and month in a table's dates such as `05/04/2026`.
public enum DayOrder: String, CaseIterable, Sendable {
  case dayMonth = "day-month"
  case monthDay = "month-day"
}

/// The dates of a table, in which day and month have one order.
///
/// The rows whose numbers can be only one of both decide it. If none does, or if they contradict each
/// other, no date that may be two days is read.
struct TableDays {
  /// The order; nil if nothing says it.
  private(set) var order: DayOrder?
  /// A date that says the order by itself; nil if somebody said the order.
  private(set) var witness: String?
  /// A date that contradicts another one, and the place of its cell; nil if none does.
  private(set) var contradiction: (text: String, other: String, offset: Int)?
  /// Whether dates have been read that this order decided.
  private(set) var hasDecided = false

  private static let fields: [FieldName] = [.expiry, .opened, .timestamp]

  /// Creates the dates of a file, in an order that somebody said or that its rows say.
  init(_ file: CSVFile, order said: DayOrder?) {
    order = said
    guard said == nil, file.columns.contains(where: { $0.map(Self.fields.contains) ?? false })
    else { return }
    var reader = CSVReader(file.text, separator: file.separator, from: file.start)
    var witnesses: [DayOrder: String] = [:]
    while let fields = reader.next(), witnesses.count < 2 {
      let row = ImportRow(fields, file.columns)
      for cell in Self.fields.compactMap({ row.cell($0) }) {
        guard let order = Numbers(cell.text)?.order, witnesses[order] == nil else { continue }
        if let other = witnesses.values.first { contradiction = (cell.text, other, cell.offset) }
        witnesses[order] = cell.text
      }
    }
    guard witnesses.count == 1, let found = witnesses.first else { return }
    (order, witness) = (found.key, found.value)
  }

  /// Returns a date with year, month and day in this order, if it is one of those that need it.
  mutating func sorted(_ text: String) -> String {
    guard let order, let numbers = Numbers(text) else { return text }
    if numbers.order == nil, numbers.first != numbers.second { hasDecided = true }
    return numbers.written(order)
  }

  /// The numbers of a date whose first two may be day and month in either order.
  private struct Numbers {
    let first: Int
    let second: Int
    private let year: Substring?
    private let before: Substring
    private let rest: Substring

    init?(_ text: String) {
      let form =
        /((?:[A-Za-z]+ )?)([0-9]{1,2})([\/-])([0-9]{1,2})(?:[\/-]([0-9]{4}))?((?:[ T,].*)?)/
      // The usual ones begin with the year.
      guard text.utf8.count <= 200, !text.utf8.prefix(4).allSatisfy({ (48...57).contains($0) }),
        let found = text.wholeMatch(of: form),
        let first = Int(found.2), let second = Int(found.4),
        // `12-24` is a month and its day.
        found.5 != nil || found.3 == "/"
      else { return nil }
      (self.first, self.second) = (first, second)
      (before, year, rest) = (found.1, found.5, found.6)
    }

    /// The order that the numbers say; nil if both are possible, or none.
    var order: DayOrder? {
      switch (1...12).contains(first) {
      case true where (13...31).contains(second): .monthDay
      case false where (13...31).contains(first) && (1...12).contains(second): .dayMonth
      default: nil
      }
    }

    func written(_ order: DayOrder) -> String {
      let (day, month) = order == .dayMonth ? (first, second) : (second, first)
      let numbers = [month, day].map { $0 < 10 ? "0\($0)" : "\($0)" }
      return before + ([year.map(String.init)].compactMap(\.self) + numbers).joined(separator: "-")
        + rest
    }
  }
}
