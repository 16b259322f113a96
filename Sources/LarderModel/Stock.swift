/// What belongs to which item: batches, and the totals they make with the loose stock.
///
/// A batch belongs to the item whose id is its product's, else to the one that names the product;
/// of several that do, which is a mistake, to the one with the smallest id.
///
/// What says that it belongs to another household is never among them.
public struct Stock: Sendable {
  let household: Household
  private let householdID: String?

  public init(_ household: Household) {
    self.household = household
    householdID = household.own?.id
  }

  /// Whether an entity belongs to this household, as far as it says where it belongs.
  public func isOurs(_ entity: Entity) -> Bool {
    switch entity.kind {
    case .inventoryItem, .storageLocation:
      guard let householdID, let claimed = entity.householdID else { return true }
      return claimed == householdID
    default: return true
    }
  }

  /// Products that more than one item claims, with the items' ids.
  public var contested: [String: [String]] { household.products.contested }

  /// The item that a batch belongs to; nil where nobody claims its product.
  public func item(of batch: Entity) -> Entity? {
    household[.stockItem, batch.productID] ?? item(ofProduct: batch.productID)
  }

  /// The item that a product id names.
  public func item(ofProduct product: String) -> Entity? {
    household.products.items(claiming: product).min().flatMap { household[.stockItem, $0] }
  }

  /// All batches of an item in the order of their ids, those used up, discarded and archived among
  /// them.
  public func batches(of item: Entity) -> [Entity] {
    var ids = household.products.batches(of: item.id)
    for product in item.productIDs { ids.formUnion(household.products.batches(of: product)) }
    return ids.sorted().compactMap { household[.inventoryItem, $0] }
      .filter { isOurs($0) && self.item(of: $0)?.id == item.id }
  }

  /// All batches of a product in the order of their ids, whatever item claims it.
  public func batches(ofProduct product: String) -> [Entity] {
    household.products.batches(of: product).sorted()
      .compactMap { household[.inventoryItem, $0] }.filter { isOurs($0) }
  }

  /// What there is of an item in its unit: loose stock and active batches that convert, rounded.
  ///
  /// A batch below zero counts, so that two devices that each took the last one from different
  /// ends of the shelf still end with two fewer.
  public func total(of item: Entity) -> Number {
    var sum = item.quantity.value
    for batch in batches(of: item) where batch.isActive {
      sum = sum + (batch.quantity.converted(to: item.unit) ?? .zero)
    }
    return sum.rounded
  }

  /// The latest time in an item and its batches.
  func latest(of item: Entity) -> Instant {
    batches(of: item).map(\.updatedAt).reduce(item.updatedAt, max)
  }

  /// The batches of an item to take from, in the order of ``firstExpiredFirst(_:)``.
  public func firstExpiredFirst(of item: Entity) -> [Entity] {
    Stock.firstExpiredFirst(batches(of: item).filter { $0.unit.converts(to: item.unit) })
  }

  /// Active batches with something left: earliest expiry first, those without one last, ties by
  /// creation, then id (the inventory plan's FEFO rule).
  public static func firstExpiredFirst(_ batches: [Entity]) -> [Entity] {
    batches.filter(\.hasSomethingLeft).sorted(by: isUsedBefore)
  }

  /// Whether a batch is used before another; what lies loose comes after both.
  static func isUsedBefore(_ left: Entity, _ right: Entity) -> Bool {
    switch (left.expiryDay, right.expiryDay) {
    case _ where left.kind != right.kind: left.kind == .inventoryItem
    case (let day?, let other?) where day != other: day < other
    case (.some, nil): true
    case (nil, .some): false
    default: isOlder(left, right)
    }
  }

  /// By creation, then id.
  static func isOlder(_ left: Entity, _ right: Entity) -> Bool {
    left.createdAt == right.createdAt ? left.id < right.id : left.createdAt < right.createdAt
  }
}

extension Entity {
  /// Whether a batch is active and above zero.
  public var hasSomethingLeft: Bool { isActive && quantity.value > .zero }
}
