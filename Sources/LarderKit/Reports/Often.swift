public import LarderModel

/// How often an item is bought.
public struct Often: Hashable, Sendable {
  /// The median number of days from one purchase to the next, at least 1.
  public let days: Int
  /// The last day on which it was bought.
  public let last: Day
  /// The median of what was bought in a day, in the item's unit; nil if no line converts to it.
  public let quantity: Quantity?
}

extension Purchases {
  /// The smallest number of days on which a thing was bought often.
  private static let fewestDays = 3

  /// Returns how often each item is bought that was bought on three or more days, by item id.
  ///
  /// Of two middle ones the smaller is the median, so that it is an amount that was bought.
  public func often() -> [String: Often] {
    var bought: [String: Bought] = [:]
    for receipt in receipts {
      for line in receipt.lines {
        guard let item = line.thing.itemID else { continue }
        bought[item, default: Bought(unit: line.thing.unit)].add(line.quantity, on: receipt.day)
      }
    }
    return bought.compactMapValues { $0.days.count < Self.fewestDays ? nil : $0.often }
  }

  /// The amounts of an item that were bought on each day, in its unit.
  private struct Bought {
    let unit: Unit
    private(set) var days: [Day: Number] = [:]

    init(unit: Unit) { self.unit = unit }

    mutating func add(_ quantity: Quantity, on day: Day) {
      days[day] = (days[day] ?? .zero) + (quantity.converted(to: unit) ?? .zero)
    }

    var often: Often? {
      let all = days.keys.sorted()
      let gaps = zip(all, all.dropFirst()).map { $1.daysSinceEpoch - $0.daysSinceEpoch }
      guard let last = all.last, let gap = gaps.median else { return nil }
      let amount = days.values.filter { $0 > .zero }.median
      return Often(days: gap, last: last, quantity: amount.map { Quantity($0.rounded, unit) })
    }
  }
}

extension Array where Element: Comparable {
  /// The middle one by size, the smaller of two; nil if there is none.
  fileprivate var median: Element? { isEmpty ? nil : sorted()[(count - 1) / 2] }
}
