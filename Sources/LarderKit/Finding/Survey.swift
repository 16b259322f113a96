public import LarderCloud
public import LarderModel

/// A household with what commands look up in it: names, totals, and its own calendar.
public struct Survey {
  public let household: Household
  public let naming: Naming
  public let calendar: HouseholdCalendar
  /// What the cloud has, where lists are to show it.
  public var cloud: CloudState?

  public init(_ household: Household, now: Instant) {
    self.household = household
    calendar = HouseholdCalendar(of: household, now: now)
    naming = Naming(household, calendar: calendar)
  }

  public var stock: Stock { naming.stock }

  /// What there is of an item, loose and in batches.
  public func total(of item: Entity) -> Quantity {
    Quantity(stock.total(of: item), item.unit)
  }

  /// What is missing to the full stock; zero where nothing is.
  public func missing(of item: Entity) -> Number {
    stock.missing(of: item)
  }

  /// The batches of an item that there is something of, the first to take from first.
  public func batches(of item: Entity) -> [Entity] {
    stock.firstExpiredFirst(of: item)
  }

  /// All batches that there is something of, the first to expire first.
  public var activeBatches: [Entity] {
    Stock.firstExpiredFirst(household.all(.inventoryItem).filter(stock.isOurs))
  }

  /// The name of the place that a batch is in.
  public func place(of batch: Entity) -> String? {
    batch.locationID.flatMap { household[.storageLocation, $0]?.title }
  }
}
