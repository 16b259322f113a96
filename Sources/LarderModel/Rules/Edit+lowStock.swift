internal import LarderJSON

extension Edit {
  /// Puts every item that this edit made low on the shopping list.
  ///
  /// An item is made low if its stock came below its minimum, or to zero or below. A new item that
  /// is low is added if some of it is wanted. Archived items are left out, and those that were as low
  /// before a command that this edit takes back.
  public mutating func ensureShoppingForLowStock() {
    let stock = Stock(after)
    let earlier = Stock(before)
    for item in touchedItems(stock, earlier) where !item.isTombstone {
      let level = stock.holding(of: item).level
      let entry = after[.shoppingListEntry, ShoppingEntry.id(of: item)]
      let isLower =
        before[item.key].map { max(earlier.holding(of: $0).level, levelBefore(item)) < level }
        ?? (item.wantedStock > .zero && entry == nil)
      guard level > .enough, isLower else { continue }
      let stamp = max(stock.latest(of: item), entry?.updatedAt.next ?? .earliest)
      if let ensured = ShoppingEntry.ensured(for: item, at: level, in: stock, over: entry, stamp) {
        put(ensured)
      }
    }
  }

  /// Lets the files of items that have batches show what lies loose as such, so that no file shows a
  /// part as all there is (FORMAT.md, section 3).
  ///
  /// Of the items that this edit changes, or whose batches it changes. With `ofAll`, of all in a
  /// household in which an earlier program wrote every file.
  public mutating func showLooseStock(ofAll: Bool = false) {
    let stock = Stock(after)
    let isEarlier = ofAll && !before.all(.stockItem).contains { $0.showsLoose }
    let items = isEarlier ? after.all(.stockItem) : touchedItems(stock, Stock(before))
    for var item in items where !item.showsLoose && stock.hasBatches(item) {
      guard let path = after.path(of: item.key), after.untaken[path] == nil else { continue }
      item.showsLoose = true
      put(item)
    }
  }

  /// The level that an item had before a command that this edit takes back; enough for others.
  func levelBefore(_ item: Entity) -> StockLevel { levels[item.id] ?? .enough }

  private func touchedItems(_ stock: Stock, _ earlier: Stock) -> [Entity] {
    var ids: [String] = []
    for key in changed {
      switch Schema.of(key.kind).quantity {
      case .loose: ids.append(key.id)
      case .nested:
        ids += after[key].flatMap { stock.item(of: $0)?.id }.map { [$0] } ?? []
        ids += before[key].flatMap { earlier.item(of: $0)?.id }.map { [$0] } ?? []
      case nil: break
      }
    }
    return Set(ids).sorted().compactMap { after[.stockItem, $0] }
  }
}

/// An item's own entry on the shopping list.
public enum ShoppingEntry {
  /// Returns the id that every device derives for the entry.
  public static func id(of item: Entity) -> String { id(ofItem: item.id) }

  static func id(ofItem id: String) -> String { Identifier.derived(from: "entry", id) }

  /// Returns the id that every device derives for the entry of something that is no item.
  public static func id(named name: String) -> String {
    Identifier.derived(from: "name", Slug.folded(name))
  }

  /// Returns the open entry of an item at a level: created if missing, revived if closed.
  ///
  /// At zero, its quantity is what is wanted, or ``Stock/usualPurchase(of:)`` if nothing is; below
  /// the minimum, what leads
  /// from there to what is wanted, and an entry that asks for as much stays. An entry that is
  /// already in the basket does not change, nor does one in a unit that does not convert to the
  /// item's.
  ///
  /// The entry is written with the given stamp and joined, so every device writes the same bytes.
  /// Nil if nothing changes.
  public static func ensured(
    for item: Entity, at level: StockLevel, in stock: Stock, over entry: Entity?, _ stamp: Instant
  ) -> Entity? {
    let isClosed = entry?.isTombstone ?? true
    let quantity = stock.quantityToBuy(of: item, at: level)
    if let entry, !isClosed {
      guard !entry.isCompleted, let asked = entry.desired.converted(to: item.unit)?.rounded
      else { return nil }
      if level == .belowMinimum, asked >= quantity { return nil }
    }
    var wanted = Entity(
      .shoppingListEntry, id: id(of: item), createdAt: entry?.createdAt ?? stamp)
    var fields: [(FieldName, JSON)] = [
      (.desiredQuantity, quantity.json), (.unit, .string(item.unit.rawValue)),
    ]
    if isClosed { fields += [(.isCompleted, .bool(false)), (.isDeleted, .bool(false))] }
    if entry == nil {
      fields.append((.itemID, .string(item.id)))
      if let user = item.userID { fields.append((.userID, .string(user))) }
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
