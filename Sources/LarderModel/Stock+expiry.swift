/// What expires when, and what there is of a product (the inventory plan's queries).
extension Stock {
  /// The batches with something left whose day is over, the earliest first.
  ///
  /// `today` is the day in the household's time zone; what expires today is not over yet.
  public func expired(on today: Day) -> [Entity] {
    dated { $0 < today }
  }

  /// The batches with something left that expire from today to `days` days after, both included,
  /// the earliest first.
  public func due(from today: Day, days: Int) -> [Entity] {
    let last = today.adding(days: days)
    return dated { today <= $0 && $0 <= last }
  }

  private func dated(_ isWanted: (Day) -> Bool) -> [Entity] {
    Stock.firstExpiredFirst(
      household.all(.inventoryItem).filter { batch in
        isOurs(batch) && batch.expiryDay.map(isWanted) ?? false
      })
  }

  /// What there is of an item: its loose stock and all of its products.
  public func summary(of item: Entity) -> StockSummary {
    StockSummary(
      total: Quantity(total(of: item), item.unit), loose: item.quantity, batches: batches(of: item))
  }

  /// What there is of a product: its batches alone or, for an item's own id, all of the item.
  ///
  /// Nil for a product that there never was a batch of.
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

/// What there is of an item or a product.
public struct StockSummary: Hashable, Sendable {
  /// Loose stock and active batches, in one unit; batches that don't convert to it are left out.
  public let total: Quantity
  /// What lies loose, without a batch.
  public let loose: Quantity
  /// How many batches there are, used up and discarded ones among them.
  public let batchCount: Int
  /// How many have something left.
  public let activeBatchCount: Int
  /// The first day on which something that is left expires.
  public let earliestExpiry: Day?

  init(total: Quantity, loose: Quantity, batches: [Entity]) {
    self.total = total
    self.loose = loose
    let active = batches.filter(\.hasSomethingLeft)
    batchCount = batches.count
    activeBatchCount = active.count
    earliestExpiry = active.compactMap(\.expiryDay).min()
  }
}
