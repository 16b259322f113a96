public import LarderCloud
public import LarderModel

/// A household with everything for looking things up: names, totals and its calendar.
public struct Survey: Sendable {
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

  /// Returns the part of an item's total that has not expired.
  public func usableTotal(of item: Entity) -> Quantity {
    Quantity(stock.holding(of: item).usableTotal(on: calendar.today), item.unit)
  }

  /// Returns the quantity that is missing to the full stock; zero if nothing is.
  public func missing(of item: Entity) -> Number {
    stock.missing(of: item, on: calendar.today)
  }

  /// Returns the batches of an item with something left, in the order in which they are used.
  public func batches(of item: Entity) -> [Entity] {
    stock.firstExpiredFirst(of: item)
  }

  /// All batches that count, also those below zero, the first to expire first.
  public var countingBatches: [Entity] {
    Stock.inUseOrder(stock.all(.inventoryItem).filter(\.makesDifference))
  }

  /// All batches with something left, the first to expire first.
  public var activeBatches: [Entity] {
    Stock.firstExpiredFirst(stock.all(.inventoryItem))
  }

  /// Returns the name of a batch's location.
  public func place(of batch: Entity) -> String? {
    batch.locationID.flatMap { household[.storageLocation, $0]?.title }
  }
}

/// Typed views of what is there; what is deleted or of another household is left out.
extension Survey {
  /// The items of the stock, ordered by name.
  public var items: [StockItem] { all(StockItem.self) }

  /// The entries of the shopping list, ordered by name.
  public var shoppingList: [ShoppingListEntry] { all(ShoppingListEntry.self) }

  /// The storage locations, ordered by name.
  public var locations: [StorageLocation] { all(StorageLocation.self) }

  /// The products of the catalogue, ordered by title.
  public var products: [Product] { all(Product.self) }

  /// The receipts, ordered by shop.
  public var receipts: [Receipt] { all(Receipt.self) }

  /// The batches of an item with something left, in the order to use them.
  public func batches(of item: StockItem) -> [Batch] {
    batches(of: item.entity).map { Batch(entity: $0) }
  }

  /// The quantity of an item, loose and in batches.
  public func total(of item: StockItem) -> Quantity { stock.total(of: item) }

  /// The name that people use for an entity; an entry of an item has the item's.
  public func title(of view: some EntityView) -> String { naming.title(of: view.entity) }

  /// The one entity that words name: by its name or a part of it, a barcode, a path or an id.
  public func find<View: EntityView>(
    _ view: View.Type, _ words: String
  ) throws(NamingError) -> View {
    View(entity: try naming.find(words, View.kind))
  }

  /// The things of any kind, ordered by the name that people use.
  public func all<View: EntityView>(_ view: View.Type) -> [View] {
    stock.all(View.kind).filter { !$0.isTombstone }
      .sorted(byText: { naming.title(of: $0) }, thenID: \.id)
      .map { View(entity: $0) }
  }
}
