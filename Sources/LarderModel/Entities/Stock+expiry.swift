/// Queries about expiry and about the quantity of a product.
extension Stock {
  /// Returns the batches with something left that expired before today, the earliest first.
  ///
  /// `today` is the day in the household's time zone. A batch that expires today has not expired
  /// yet.
  public func expired(on today: Day) -> [Entity] { past(.expired, on: today) }

  /// Returns the batches with something left that are past their best but have not expired, the
  /// earliest first.
  public func pastBest(on today: Day) -> [Entity] { past(.pastBest, on: today) }

  private func past(_ meaning: PassedDay, on today: Day) -> [Entity] {
    Stock.firstExpiredFirst(
      all(.inventoryItem).filter { $0.hasSomethingLeft && $0.passedDay(on: today) == meaning })
  }

  /// Returns the batches with something left that expire from today to `days` days later, both
  /// included, the earliest first.
  public func due(from today: Day, days: Int) -> [Entity] {
    let last = today.adding(days: days)
    return Stock.firstExpiredFirst(
      all(.inventoryItem).filter { batch in
        batch.lastDay.map { today <= $0 && $0 <= last } ?? false
      })
  }

  /// Returns the summary of an item: its loose stock and the batches of all its products.
  public func summary(of item: Entity) -> StockSummary {
    let holding = holding(of: item)
    return StockSummary(
      total: Quantity(holding.total, item.unit), loose: holding.item.quantity,
      batches: holding.batches)
  }

  /// Returns the summary of a product: its batches only or, for an item's own id, the whole item.
  ///
  /// Nil if the product never had a batch.
  public func summary(ofProduct product: String) -> StockSummary? {
    if let item = household[.stockItem, product] { return summary(of: item) }
    let batches = batches(ofProduct: product)
    guard let unit = item(ofProduct: product)?.unit ?? batches.min(by: Stock.isOlder)?.unit else {
      return nil
    }
    let sum = batches.filter(\.isActive).reduce(Number.zero) { sum, batch in
      sum + (batch.quantity.converted(to: unit) ?? .zero)
    }
    return StockSummary(
      total: Quantity(sum.rounded, unit), loose: Quantity(.zero, unit), batches: batches)
  }
}

/// What it means that the last day of a batch has passed.
public enum PassedDay: Sendable {
  /// An expiry or a use-by day has passed.
  case expired
  /// A best-before day has passed, or a day that is only guessed: the thing may still be good.
  case pastBest
}

extension Entity {
  /// Returns what it means for a batch that its last day was before a day; nil if it was not.
  public func passedDay(on day: Day) -> PassedDay? {
    guard kind == .inventoryItem, let lastDay, lastDay < day, let last = batchDay else {
      return nil
    }
    return last.kind == .bestBefore || last.isGuess ? .pastBest : .expired
  }

  /// Whether something is left of a batch that expired before a day.
  ///
  /// A batch that is past its best has not expired.
  public func isExpired(on day: Day) -> Bool {
    hasSomethingLeft && passedDay(on: day) == .expired
  }
}

/// The quantities of an item or a product.
public struct StockSummary: Hashable, Sendable {
  /// Loose stock and active batches, in one unit; batches that don't convert to it are left out.
  public let total: Quantity
  /// The loose stock, without batches.
  public let loose: Quantity
  /// The number of batches, including used up and discarded ones.
  public let batchCount: Int
  /// The number of batches with something left.
  public let activeBatchCount: Int
  /// The earliest expiry day of the batches with something left.
  public let earliestExpiry: Day?

  init(total: Quantity, loose: Quantity, batches: [Entity]) {
    self.total = total
    self.loose = loose
    let active = batches.filter(\.hasSomethingLeft)
    batchCount = batches.count
    activeBatchCount = active.count
    earliestExpiry = active.compactMap(\.lastDay).min()
  }
}
