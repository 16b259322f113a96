import LarderCloud
import LarderJSON
import LarderModel

/// A household with what commands look up in it: names, totals, and its own calendar.
struct Survey {
  let household: Household
  let naming: Naming
  let calendar: HouseholdCalendar
  /// What the cloud has, where lists are to show it.
  var cloud: CloudState?

  init(_ household: Household, now: Instant, root: String) {
    self.household = household
    calendar = HouseholdCalendar(of: household, now: now)
    naming = Naming(household, root: root, calendar: calendar)
  }

  var stock: Stock { naming.stock }

  /// What there is of an item, loose and in batches.
  func total(of item: Entity) -> Quantity {
    Quantity(stock.total(of: item), item.unit)
  }

  /// What is missing to the full stock; zero where nothing is.
  func missing(of item: Entity) -> Number {
    max((item.fullStock - stock.total(of: item)).rounded, .zero)
  }

  /// The batches of an item that there is something of, the first to take from first.
  func batches(of item: Entity) -> [Entity] {
    stock.firstExpiredFirst(of: item)
  }

  /// All batches that there is something of, the first to expire first.
  var activeBatches: [Entity] {
    Stock.firstExpiredFirst(household.all(.inventoryItem).filter(stock.isOurs))
  }

  /// The name of the place that a batch is in.
  func place(of batch: Entity) -> String? {
    batch.locationID.flatMap { household[.storageLocation, $0]?.title }
  }

  /// What tells a batch from others: `lot of 2026-11-28, L7, fridge, open`.
  func words(for batch: Entity) -> String {
    let code = batch.lotCode
    let lot = (batch.expiryDay?.description ?? code).map { "lot of \($0)" } ?? "undated lot"
    return [
      lot, batch.expiryDay == nil ? nil : code, place(of: batch),
      batch.openedAt == nil ? nil : "open",
    ].compactMap { $0 }.joined(separator: ", ")
  }
}
