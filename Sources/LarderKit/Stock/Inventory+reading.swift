internal import LarderStore
public import LarderModel

extension Inventory {
  /// Returns the whole household now: locations, catalogue, items and everything else, including
  /// edits by hand.
  ///
  /// It is a value that never changes. Use it for everything that has no method here.
  public func household() throws(InventoryError) -> Household {
    do throws(StoreError) {
      return try store.read().household
    } catch {
      throw .store(error)
    }
  }

  /// The day in the household's time zone.
  public func today() throws(InventoryError) -> Day { try view().today }

  /// Returns a batch by its id, with any status; nil if the household has none.
  public func batch(_ id: String) throws(InventoryError) -> Batch? {
    let view = try view()
    guard let batch = view.household[.inventoryItem, id], view.stock.isOurs(batch) else {
      return nil
    }
    return Batch(entity: view.stock.withoutLack(batch))
  }

  /// Returns the batches of a product with something left, in the order of use.
  ///
  /// The earliest expiry comes first, undated batches last, and among equals the oldest first. For
  /// the id of an item, it returns the batches of all its products. With `includingPast`, used-up,
  /// discarded and archived batches follow, ordered by id.
  public func batches(of productOrItemID: String, includingPast: Bool = false)
    throws(InventoryError) -> [Batch]
  {
    let view = try view()
    let item = view.household[.stockItem, productOrItemID]
    let all =
      item.map { view.stock.batches(of: $0) }
      ?? view.stock.batches(ofProduct: productOrItemID)
    let past = includingPast ? all.filter { !$0.hasSomethingLeft } : []
    return view.batches(Stock.firstExpiredFirst(all) + past)
  }

  /// Returns the batches with something left that have expired, the earliest first.
  ///
  /// A batch that expires today is not included, nor what is only past its best: see ``pastBest()``.
  public func expired() throws(InventoryError) -> [Batch] {
    let view = try view()
    return view.batches(view.stock.expired(on: view.today))
  }

  /// Returns the batches with something left whose best-before day, or guessed day, is over, the
  /// earliest first.
  public func pastBest() throws(InventoryError) -> [Batch] {
    let view = try view()
    return view.batches(view.stock.pastBest(on: view.today))
  }

  /// Returns the batches with something left that expire from today to `days` days later, both
  /// included, the earliest first.
  ///
  /// The default is the household's `expiringWithinDays`, which is 14 if nobody has set it. The
  /// result is empty for a number below zero; a number above 36500 counts as 36500.
  public func expiring(withinDays days: Int? = nil) throws(InventoryError) -> [Batch] {
    let view = try view()
    let days = days ?? view.household.own?.expiringWithinDays ?? 14
    return view.batches(view.stock.due(from: view.today, days: min(days, 36_500)))
  }

  /// Returns the totals of a product's batches, or of an item with all its products and its loose
  /// stock.
  ///
  /// Nil if there is no such item and there was never a batch of such a product.
  public func summary(of productOrItemID: String) throws(InventoryError) -> StockSummary? {
    try view().stock.summary(ofProduct: productOrItemID)
  }

  /// The household with its current day.
  private struct View {
    let household: Household
    let stock: Stock
    let today: Day

    func batches(_ entities: [Entity]) -> [Batch] {
      entities.map { Batch(entity: $0) }
    }
  }

  private func view() throws(InventoryError) -> View {
    let household = try household()
    let today = Day(store.context.now(), in: household.own?.timeZone ?? "UTC")
    return View(household: household, stock: Stock(household), today: today)
  }
}
