internal import LarderStore
public import LarderModel

extension Inventory {
  /// The whole household as it is now: places, catalogue, items and all, edits by hand included.
  ///
  /// A value that never changes, for whatever the other methods don't tell.
  public func household() throws(InventoryError) -> Household {
    do throws(StoreError) {
      return try store.read().household
    } catch {
      throw .store(error)
    }
  }

  /// The day in the household's time zone.
  public func today() throws(InventoryError) -> Day { try view().today }

  /// A batch by its id, whatever its status; nil where the household has none.
  public func batch(_ id: String) throws(InventoryError) -> Batch? {
    let view = try view()
    guard let batch = view.household[.inventoryItem, id], view.stock.isOurs(batch) else {
      return nil
    }
    return Batch(entity: batch)
  }

  /// The batches of a product with something left, in the order in which they are to be used: the
  /// earliest expiry first, undated ones last, ties by age.
  ///
  /// The id of an item of the stock gives those of all its products. With `includingPast`, those used
  /// up, discarded and archived follow, in the order of their ids.
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

  /// The batches with something left whose day is over, the earliest first (the inventory plan's 4.5).
  ///
  /// What expires today is not over yet.
  public func expired() throws(InventoryError) -> [Batch] {
    let view = try view()
    return view.batches(view.stock.expired(on: view.today))
  }

  /// The batches with something left that expire from today to so many days after, both included, the
  /// earliest first (the inventory plan's 4.6).
  ///
  /// Without a number, as many days as the household's `expiringWithinDays` says, which is 14 unless
  /// people have set it; a number below zero gives none, one above 36500 counts as that.
  public func expiring(withinDays days: Int? = nil) throws(InventoryError) -> [Batch] {
    let view = try view()
    let days = days ?? view.household.own?.expiringWithinDays ?? 14
    return view.batches(view.stock.due(from: view.today, days: min(days, 36_500)))
  }

  /// What there is of a product, or of an item with all its products and what lies loose (the
  /// inventory plan's 4.7).
  ///
  /// Nil where there is no such item and never was a batch of such a product.
  public func summary(of productOrItemID: String) throws(InventoryError) -> StockSummary? {
    try view().stock.summary(ofProduct: productOrItemID)
  }

  /// The household with the day it is there.
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
