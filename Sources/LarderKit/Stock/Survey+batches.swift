public import LarderModel

/// The batches of a product or an item, by their ids.
///
/// An item is an entry of the stock; its batches are quantities with one expiry in one location. An
/// entity of another household is never returned or counted, and days are those of the household's
/// time zone.
extension Survey {
  /// Returns a batch by its id, with any status; nil if the household has none.
  public func batch(_ id: String) -> Batch? {
    guard let batch = household[.inventoryItem, id], stock.isOurs(batch) else { return nil }
    return Batch(entity: stock.withoutLack(batch))
  }

  /// Returns the batches of a product with something left, in the order of use.
  ///
  /// The earliest expiry comes first, undated batches last, and among equals the oldest first. For
  /// the id of an item, it returns the batches of all its products. With `includingPast`, used-up,
  /// discarded and archived batches follow, ordered by id.
  public func batches(of productOrItemID: String, includingPast: Bool = false) -> [Batch] {
    let item = household[.stockItem, productOrItemID]
    let all =
      item.map { stock.batches(of: $0) } ?? stock.batches(ofProduct: productOrItemID)
    let past = includingPast ? all.filter { !$0.hasSomethingLeft } : []
    return views(Stock.firstExpiredFirst(all) + past)
  }

  /// Returns the batches with something left that have expired, the earliest first.
  ///
  /// A batch that expires today is not included, nor what is only past its best: see ``pastBest()``.
  public func expired() -> [Batch] { views(stock.expired(on: calendar.today)) }

  /// Returns the batches with something left whose best-before day, or guessed day, is over, the
  /// earliest first.
  public func pastBest() -> [Batch] { views(stock.pastBest(on: calendar.today)) }

  /// Returns the batches with something left that expire from today to `days` days later, both
  /// included, the earliest first.
  ///
  /// The default is the household's `expiringWithinDays`, which is 14 if nobody has set it. The
  /// result is empty for a number below zero; a number above 36500 counts as 36500.
  public func expiring(withinDays days: Int? = nil) -> [Batch] {
    let days = days ?? household.own?.expiringWithinDays ?? 14
    return views(stock.due(from: calendar.today, days: min(days, 36_500)))
  }

  /// Returns the totals of a product's batches, or of an item with all its products and its loose
  /// stock.
  ///
  /// Nil if there is no such item and there was never a batch of such a product.
  public func summary(of productOrItemID: String) -> StockSummary? {
    stock.summary(ofProduct: productOrItemID)
  }

  private func views(_ batches: [Entity]) -> [Batch] { batches.map { Batch(entity: $0) } }
}
