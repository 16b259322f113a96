public import LarderCloud
public import LarderModel

/// A household with everything for looking things up: names, totals and its calendar.
public struct Survey {
  public let household: Household
  public let naming: Naming
  public let calendar: HouseholdCalendar
  /// The cloud's state, for lists that show it.
  public var cloud: CloudState?

  public init(_ household: Household, now: Instant) {
    self.household = household
    calendar = HouseholdCalendar(of: household, now: now)
    naming = Naming(household, calendar: calendar)
  }

  public var stock: Stock { naming.stock }

  /// Returns an item's total, loose and in batches.
  public func total(of item: Entity) -> Quantity {
    Quantity(stock.total(of: item), item.unit)
  }

  /// Returns the quantity that is missing to the full stock; zero if nothing is.
  public func missing(of item: Entity) -> Number {
    stock.missing(of: item)
  }

  /// Returns the batches of an item with something left, in the order in which they are used.
  public func batches(of item: Entity) -> [Entity] {
    stock.firstExpiredFirst(of: item)
  }

  /// All batches with something left, the first to expire first.
  public var activeBatches: [Entity] {
    Stock.firstExpiredFirst(household.all(.inventoryItem).filter(stock.isOurs))
  }

  /// Returns the name of a batch's location.
  public func place(of batch: Entity) -> String? {
    batch.locationID.flatMap { household[.storageLocation, $0]?.title }
  }
}
