import LarderModel

/// What the ids in files stand for, as people call it.
struct NameBook: Sendable {
  private let households: [Household]
  private let stocks: [Stock]

  /// Looks in each household in turn: what is gone from the first may be in another.
  init(_ households: [Household]) {
    self.households = households
    stocks = households.map { Stock($0) }
  }

  /// Knows nothing: ids stand for themselves.
  static let empty = NameBook([])

  /// What an entity is called; a batch by its item, a shopping entry by what is to be bought.
  func title(of entity: Entity) -> String {
    for stock in stocks {
      if let item = stock.item(meantBy: entity) { return item.title }
    }
    // A batch that no item counts is known by its product.
    let product = entity.kind == .inventoryItem ? product(entity.productID) : nil
    return product ?? entity.title
  }

  func item(_ id: String) -> String? { title(.stockItem, id) }

  func location(_ id: String) -> String? { title(.storageLocation, id) }

  /// The item that counts a product, else the product's own title.
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
