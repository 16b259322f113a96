public import LarderModel

/// A month of the calendar, written `2026-11`.
public struct Month: Hashable, Comparable, Sendable {
  /// The number of months since January of year 0.
  private let index: Int

  /// The month of a day.
  public init(of day: Day) {
    let (year, month, _) = day.civil
    index = year * 12 + month - 1
  }

  private init(index: Int) { self.index = index }

  public var year: Int { index / 12 }

  /// The number of the month, from 1 to 12.
  public var number: Int { index % 12 + 1 }

  public var firstDay: Day {
    Day(year: year, month: number, day: 1) ?? Day(daysSinceEpoch: 0)
  }

  public static func < (left: Month, right: Month) -> Bool { left.index < right.index }

  public func adding(_ months: Int) -> Month { Month(index: index + months) }

  /// Returns the months from this one to another, both included; none if the other is earlier.
  public func through(_ last: Month) -> [Month] {
    index <= last.index ? (index...last.index).map { Month(index: $0) } : []
  }
}

extension Month: CustomStringConvertible {
  public var description: String {
    let digits = String(year)
    return String(repeating: "0", count: max(4 - digits.count, 0)) + digits
      + (number < 10 ? "-0" : "-") + String(number)
  }
}
