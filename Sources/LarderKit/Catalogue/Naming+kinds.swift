internal import LarderJSON
public import LarderModel

/// The names of each kind's entities, and what tells several of one name apart.
extension Naming {
  /// Returns the details that tell an entity from others of its kind; empty for most kinds.
  ///
  /// For a batch they are its lot code, day and location; for a receipt the shop with the day, and
  /// with the time.
  func marks(of entity: Entity) -> [String] {
    switch entity.kind {
    case .inventoryItem:
      let place = entity.locationID.flatMap { household[.storageLocation, $0]?.title }
      return [entity.lotCode, entity.expiryDay?.description, place].compactMap { $0 }
    case .receipt:
      let day = calendar.day(of: entity.timestamp)
      return ["\(entity.title) \(day)", "\(entity.title) \(calendar.text(of: entity.timestamp))"]
    case .household, .stockItem, .storageLocation, .product, .shoppingListEntry: return []
    }
  }

  /// Returns all names by which people can find an entity; an id is none, as parts of names count.
  public func names(of entity: Entity) -> [String] {
    switch entity.kind {
    case .receipt:
      let time = calendar.text(of: entity.timestamp)
      let day = time.prefix { $0 != " " }
      return ["\(entity.title) \(day)", "\(day) \(entity.title)", entity.title, String(day)]
        + ["\(entity.title) \(time)", "\(time) \(entity.title)", time]
    case .inventoryItem:
      let own = marks(of: entity)
      let titles = [title(of: entity), entity.snapshot?.title].compactMap(\.self)
        .filter { !Identifier.isUUID($0) }
      return own + titles.prefix(1).flatMap { title in own.map { "\(title) \($0)" } } + titles
    case .product:
      return [entity.title, entity[.brand]?.string.map { "\($0) \(entity.title)" }]
        .compactMap { $0 }
    case .stockItem: return [entity.title] + entity.aliases
    case .shoppingListEntry:
      return [title(of: entity)].filter { !Identifier.isUUID($0) }
        + (stock.item(meantBy: entity)?.aliases ?? [])
    case .household, .storageLocation: return [entity.title]
    }
  }

  /// Returns the detail of an entity in the list of several matches; nil if its name is all there is.
  func detail(of entity: Entity) -> String? {
    switch entity.kind {
    case .stockItem: Quantity(stock.total(of: entity), entity.unit).description
    case .shoppingListEntry: entity.desired.description
    case .receipt:
      [
        calendar.text(of: entity.timestamp),
        entity.number(.amount).map { TypedMoney($0, entity.currency).description },
      ].compactMap { $0 }.joined(separator: ", ")
    case .inventoryItem:
      [
        entity.batchDay.map { day in
          let word =
            [.bestBefore: "best before ", .useBy: "use by "][day.kind]
            ?? (day.kind.isOfOrigin ? "" : "until ")
          return "\(word)\(day)"
        },
        entity.quantity.description,
        entity.locationID.flatMap { household[.storageLocation, $0]?.title },
      ].compactMap { $0 }.joined(separator: ", ")
    case .product: entity[.brand]?.string
    case .household, .storageLocation: nil
    }
  }
}
