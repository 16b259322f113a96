/// Which items claim a product, and which batches are of it, kept up as a household changes.
struct ProductIndex: Sendable {
  // Products' ids are any texts, and two that look the same may be two: keys compare bytes.
  private var items: [EntityKey: Set<String>] = [:]
  private var batches: [EntityKey: Set<String>] = [:]

  /// Takes a new version of an entity in place of the one before.
  mutating func replace(_ old: Entity?, with new: Entity?) {
    if let old { note(old) { ids, id in ids.remove(id) } }
    if let new { note(new) { ids, id in ids.insert(id) } }
  }

  /// The items that claim a product, by id.
  func items(claiming product: String) -> Set<String> {
    items[EntityKey(.product, product)] ?? []
  }

  /// The batches of a product, by id.
  func batches(of product: String) -> Set<String> {
    batches[EntityKey(.product, product)] ?? []
  }

  /// Products that more than one item claims, with the items' ids.
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
    default: break
    }
  }
}
