/// An index of the items that claim a product and of a product's batches, updated with the
/// household.
struct ProductIndex: Sendable {
  // Product ids may be any text, and two that look the same may differ: keys compare bytes.
  private var items: [EntityKey: Set<String>] = [:]
  private var batches: [EntityKey: Set<String>] = [:]

  /// Replaces an entity's version by a new one.
  mutating func replace(_ old: Entity?, with new: Entity?) {
    if let old { note(old) { ids, id in ids.remove(id) } }
    if let new { note(new) { ids, id in ids.insert(id) } }
  }

  /// Returns the ids of the items that claim a product.
  func items(claiming product: String) -> Set<String> {
    items[EntityKey(.product, product)] ?? []
  }

  /// Returns the ids of a product's batches.
  func batches(of product: String) -> Set<String> {
    batches[EntityKey(.product, product)] ?? []
  }

  /// The products that several items claim, with the items' ids.
  var contested: [String: [String]] {
    var contested: [String: [String]] = [:]
    for (product, claims) in items where claims.count > 1 {
      contested[product.id] = claims.sorted()
    }
    return contested
  }

  private mutating func note(_ entity: Entity, _ change: (inout Set<String>, String) -> Void) {
    switch entity.kind {
    case .stockItem:
      for product in entity.productIDs {
        change(&items[EntityKey(.product, product), default: []], entity.id)
      }
    case .inventoryItem:
      change(&batches[EntityKey(.product, entity.productID), default: []], entity.id)
    case .household, .storageLocation, .product, .shoppingListEntry, .receipt: break
    }
  }
}
