/// The assignment of batches to items, and the totals of batches and loose stock.
///
/// A batch belongs to the item whose id is its product id, otherwise to the item that lists the
/// product. If several items list it, which is a mistake, it belongs to the one with the smallest
/// id.
///
/// Entities of other households are never included.
public struct Stock: Sendable {
  let household: Household
  private let householdID: String?

  public init(_ household: Household) {
    self.household = household
    householdID = household.own?.id
  }

  /// Whether an entity belongs to this household; an entity without a household id does.
  public func isOurs(_ entity: Entity) -> Bool {
    switch entity.kind {
    case .inventoryItem, .storageLocation:
      guard let householdID, let claimed = entity.householdID else { return true }
      return claimed == householdID
    case .household, .stockItem, .product, .shoppingListEntry, .receipt: return true
    }
  }

  /// The products that several items claim, with the items' ids.
  public var contested: [String: [String]] { household.products.contested }

  /// Returns the item of a batch; nil if no item claims its product.
  public func item(of batch: Entity) -> Entity? {
    household[.stockItem, batch.productID] ?? item(ofProduct: batch.productID)
  }

  /// Returns the item that people mean by an entity: of a batch, or of an entry of the shopping
  /// list.
  public func item(meantBy entity: Entity) -> Entity? {
    switch entity.kind {
    case .inventoryItem: item(of: entity)
    case .shoppingListEntry: entity.itemID.flatMap { household[.stockItem, $0] }
    case .household, .stockItem, .storageLocation, .product, .receipt: nil
    }
  }

  /// Returns the name that people use for an entity; a batch or an entry of an item has the item's.
  public func title(of entity: Entity) -> String {
    item(meantBy: entity)?.title ?? entity.title
  }

  /// Returns the item that lists a product.
  public func item(ofProduct product: String) -> Entity? {
    household.products.items(claiming: product).min().flatMap { household[.stockItem, $0] }
  }

  /// Returns all batches of an item ordered by id, including used up, discarded and archived ones.
  public func batches(of item: Entity) -> [Entity] {
    var ids = household.products.batches(of: item.id)
    for product in item.productIDs { ids.formUnion(household.products.batches(of: product)) }
    return ids.sorted().compactMap { household[.inventoryItem, $0] }
      .filter { isOurs($0) && self.item(of: $0)?.id == item.id }
  }

  /// Returns all batches of a product ordered by id, independent of the item that claims it.
  public func batches(ofProduct product: String) -> [Entity] {
    household.products.batches(of: product).sorted()
      .compactMap { household[.inventoryItem, $0] }.filter { isOurs($0) }
  }

  /// Returns the quantity of an item in its unit: loose stock and active batches that convert,
  /// rounded.
  ///
  /// A batch below zero counts. So if two devices both take the last one, each from its own
  /// version, the total is still two less.
  public func total(of item: Entity) -> Number {
    var sum = item.quantity.value
    for batch in batches(of: item) where batch.isActive {
      sum = sum + (batch.quantity.converted(to: item.unit) ?? .zero)
    }
    return sum.rounded
  }

  /// Returns the latest time in an item and its batches.
  func latest(of item: Entity) -> Instant {
    batches(of: item).map(\.updatedAt).reduce(item.updatedAt, max)
  }

  /// Returns the batches of an item to take from, in the order of ``firstExpiredFirst(_:)``.
  public func firstExpiredFirst(of item: Entity) -> [Entity] {
    Stock.firstExpiredFirst(batches(of: item).filter { $0.unit.converts(to: item.unit) })
  }

  /// Returns the active batches with something left, first expired first: by expiry, those without
  /// one last, then by creation, then id.
  public static func firstExpiredFirst(_ batches: [Entity]) -> [Entity] {
    batches.filter(\.hasSomethingLeft).sorted(by: isUsedBefore)
  }

  /// Whether a batch is used before another; loose stock comes after all batches.
  static func isUsedBefore(_ left: Entity, _ right: Entity) -> Bool {
    switch (left.expiryDay, right.expiryDay) {
    case _ where left.kind != right.kind: left.kind == .inventoryItem
    case (let day?, let other?) where day != other: day < other
    case (.some, nil): true
    case (nil, .some): false
    default: isOlder(left, right)
    }
  }

  /// Whether a batch is before another by creation, then id.
  static func isOlder(_ left: Entity, _ right: Entity) -> Bool {
    left.createdAt == right.createdAt ? left.id < right.id : left.createdAt < right.createdAt
  }
}

extension Entity {
  /// Whether a batch is active and above zero.
  public var hasSomethingLeft: Bool { isActive && quantity.value > .zero }
}
