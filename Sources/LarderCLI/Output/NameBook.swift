import LarderModel

/// The names for the ids in files.
struct NameBook: Sendable {
  private let households: [Household]
  private let stocks: [Stock]

  /// Creates a book that looks in each household in turn, because a later one may have what the
  /// first lacks.
  init(_ households: [Household]) {
    self.households = households
    stocks = households.map { Stock($0) }
  }

  /// An empty book; every id is its own name.
  static let empty = NameBook([])

  /// Returns the name of an entity; a batch and a shopping entry have their item's.
  func title(of entity: Entity) -> String {
    for stock in stocks {
      if let item = stock.item(meantBy: entity) { return item.title }
    }
    // A batch that belongs to no item gets the name of its product.
    let product = entity.kind == .inventoryItem ? product(entity.productID) : nil
    return product ?? entity.title
  }

  /// Whether an item has batches beside its loose stock.
  func hasBatches(_ item: Entity) -> Bool {
    item.kind == .stockItem && stocks.contains { $0.batches(of: item).contains(where: \.isActive) }
  }

  /// Returns what an earlier and the newest household have of a batch's lot; nil if one has none.
  func lot(of batch: Entity) -> (before: Quantity, after: Quantity)? {
    let lots = stocks.compactMap { stock in
      let batches = stock.batches(ofProduct: batch.productID).filter(\.hasSomethingLeft)
      return Lot.grouped(batches.filter { MergeKey(of: $0) == MergeKey(of: batch) })
        .first { $0.first.unit.converts(to: batch.unit) }?.quantity
    }
    return lots.count == 2 ? (lots[1], lots[0]) : nil
  }

  func item(_ id: String) -> String? { title(.stockItem, id) }

  func location(_ id: String) -> String? { title(.storageLocation, id) }

  /// Returns the item that claims a product, otherwise the product's own title.
  func product(_ id: String) -> String? {
    for stock in stocks {
      if let item = stock.item(ofProduct: id) { return item.title }
    }
    return item(id) ?? title(.product, id)
  }

  private func title(_ kind: Kind, _ id: String) -> String? {
    for household in households {
      if let entity = household[kind, id] { return entity.title }
    }
    return nil
  }
}
