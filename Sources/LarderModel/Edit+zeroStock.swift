internal import LarderJSON

extension Edit {
  /// Puts every item on the shopping list that this edit brought to zero or below.
  ///
  /// Rule 1 of the founding documents; an archived item is not wanted any more and is left out.
  public mutating func ensureShoppingForZeroStock() {
    let stock = Stock(after)
    let earlier = Stock(before)
    for item in touchedItems(stock, earlier) where !item.isTombstone {
      guard let old = before[item.key], earlier.total(of: old) > .zero,
        stock.total(of: item) <= .zero
      else { continue }
      let entry = after[.shoppingListEntry, ShoppingEntry.id(of: item)]
      let stamp = max(stock.latest(of: item), entry?.updatedAt.next ?? .earliest)
      if let ensured = ShoppingEntry.ensured(for: item, over: entry, at: stamp) { put(ensured) }
    }
  }

  private func touchedItems(_ stock: Stock, _ earlier: Stock) -> [Entity] {
    var ids: [String] = []
    for key in changed {
      switch key.kind {
      case .stockItem: ids.append(key.id)
      case .inventoryItem:
        ids += after[key].flatMap { stock.item(of: $0)?.id }.map { [$0] } ?? []
        ids += before[key].flatMap { earlier.item(of: $0)?.id }.map { [$0] } ?? []
      default: break
      }
    }
    return Set(ids).sorted().compactMap { after[.stockItem, $0] }
  }
}

/// An item's own entry on the shopping list.
public enum ShoppingEntry {
  /// The id that every device derives for it.
  public static func id(of item: Entity) -> String { id(ofItem: item.id) }

  static func id(ofItem id: String) -> String { Identifier.derived(from: "entry", id) }

  /// The open entry that an item at zero has: made if missing, revived if closed.
  ///
  /// Its quantity is what the full stock is (else 1). What is in the basket already stays as it is.
  ///
  /// Written with the given stamp and joined in, so that every device writes the same bytes. Nil
  /// where nothing changes.
  public static func ensured(for item: Entity, over entry: Entity?, at stamp: Instant) -> Entity? {
    let isClosed = entry?.isTombstone ?? true
    if let entry, !isClosed, entry.isCompleted { return nil }
    var wanted = Entity(
      .shoppingListEntry, id: id(of: item), createdAt: entry?.createdAt ?? stamp)
    let quantity = item.fullStock > .zero ? item.fullStock : Number(1)
    var fields: [(String, JSON)] = [
      ("desiredQuantity", quantity.json), ("unit", .string(item.unit.rawValue)),
    ]
    if isClosed { fields += [("isCompleted", .bool(false)), ("isDeleted", .bool(false))] }
    if entry == nil {
      fields.append(("itemId", .string(item.id)))
      if let user = item.userID { fields.append(("userId", .string(user))) }
    }
    for cell in Schema.of(.shoppingListEntry).cells(of: fields.map(\.0)) {
      let members = fields.filter { cell.contains($0.0) }
      guard members.contains(where: { entry?[$0.0] != $0.1 }) else { continue }
      for (name, value) in members { wanted.write(name, value, at: stamp) }
    }
    let result = entry.map { $0.joined(with: wanted) } ?? wanted
    return result == entry ? nil : result
  }
}
