public import LarderModel

/// The stock of one item over time, from the ledgers of the item and its batches.
public struct StockCourse: Sendable {
  public let item: Entity
  /// The quantities at the ends of days, the oldest first, in the item's unit.
  public let points: [(day: Day, quantity: Number)]
}

extension Survey {
  /// Returns an item's stock at the end of each day in the household's time zone; for today, its
  /// stock now.
  ///
  /// Days before the first entry of its ledgers are left out, because their stock is not known.
  public func stockCourse(of item: Entity, on days: [Day]) -> StockCourse {
    let holders = [item] + stock.batches(of: item)
    let sources = holders.map { StockSource($0) }
    let start = Ledger.start(of: holders.map(\.ledger)).map { calendar.day(of: $0) }
    let points = days.filter { day in start.map { $0 <= day } ?? false }.map { day in
      let end = min(calendar.instant(of: day.adding(days: 1)), calendar.now.next)
      let sum = sources.reduce(Number.zero) { $0 + $1.quantity(before: end, in: item.unit) }
      return (day: day, quantity: sum.rounded)
    }
    return StockCourse(item: item, points: points)
  }
}

/// The counting entries of an item's loose stock or of a batch.
private struct StockSource {
  private let entries: [LedgerEntry]
  /// The time at which a batch was discarded or archived.
  private let end: Instant?

  init(_ entity: Entity) {
    entries = entity.ledger.counting
    let isGone = entity.kind == .inventoryItem && !entity.isActive
    end = isGone ? entity.register(.status)?.stamp : nil
  }

  /// Returns the quantity just before a moment, without entries that don't convert to the unit.
  func quantity(before moment: Instant, in unit: Unit) -> Number {
    guard end.map({ moment <= $0 }) ?? true else { return .zero }
    let known = entries.prefix { $0.at < moment }
    var total = Number.zero
    for entry in known {
      guard let number = entry.quantity?.converted(to: unit) else { continue }
      if case .set = entry.event { total = number } else { total = total + number }
    }
    return total
  }
}
