/// What belongs to which item: batches, and the totals they make with the loose stock.
///
/// A batch belongs to the item whose id is its product's, else to the one that names the product;
/// of several that do, which is a mistake, to the one with the smallest id.
public struct Stock: Sendable {
  private let household: Household

  public init(_ household: Household) {
    self.household = household
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
      .filter { self.item(of: $0)?.id == item.id }
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

  /// The batches to take from: earliest expiry first, those without one last, ties by creation,
  /// then id (the inventory plan's FEFO rule).
  public func firstExpiredFirst(of item: Entity) -> [Entity] {
    batches(of: item)
      .filter { $0.isActive && $0.quantity.value > .zero && $0.unit.converts(to: item.unit) }
      .sorted { left, right in
        switch (left.expiryDay, right.expiryDay) {
        case (let day?, let other?) where day != other: return day < other
        case (.some, nil): return true
        case (nil, .some): return false
        default:
          return left.createdAt == right.createdAt
            ? left.id < right.id : left.createdAt < right.createdAt
        }
      }
  }
}
