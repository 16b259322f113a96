internal import LarderJSON

/// A new item of the stock, as people enter it.
public struct NewItem: Sendable {
  public var name: String
  public var category: String?
  /// The unit of its quantities.
  public var unit: Unit = .piece
  /// The quantity in stock, in a unit that converts to the item's; nil if unknown.
  public var inStock: Quantity?
  /// The full stock: the wanted quantity, in a unit that converts to the item's.
  public var full: Quantity?
  /// The quantity below which there is too little, in a unit that converts to the item's.
  public var minimum: Quantity?
  /// The number of days for which the item keeps if no date is given.
  public var keepsDays: Int?
  /// The id of the location where the item is put if no location is given.
  public var locationID: String?
  public var aliases: [String] = []
  public var note: String?
  /// The ids of the products that count as this item.
  public var products: [String] = []

  public init(_ name: String) {
    self.name = name
  }
}

extension Edit {
  /// Adds an item to the stock.
  ///
  /// A quantity in stock is recorded as a count.
  ///
  /// Throws `belowZero` and `unitsDoNotConvert`.
  @discardableResult
  public mutating func add(_ new: NewItem, by writer: Writer) throws(RuleError) -> Entity {
    let household = after
    let count = { (quantity: Quantity?) throws(RuleError) in
      try quantity.map { quantity throws(RuleError) in try new.number(of: quantity, in: household) }
    }
    let full = try count(new.full)
    let minimum = try count(new.minimum)
    let there = try count(new.inStock)
    var item = self.new(
      .stockItem,
      [
        (.name, .string(new.name)), (.unit, .string(new.unit.rawValue)),
        (.category, new.category.map { .string($0) }), (.quantityFullStock, full?.json),
        (.quantityMinimum, minimum?.json),
        (.keepsDays, new.keepsDays.map { Number($0).json }),
        (.storageLocationID, new.locationID.map { .string($0) }),
        (.aliases, new.aliases.isEmpty ? nil : .array(new.aliases.map { .string($0) })),
        (.products, new.products.isEmpty ? nil : .array(new.products.map { .string($0) })),
        (.note, new.note.map { .string($0) }),
      ], by: writer)
    if let there {
      item.record(
        LedgerEntry(
          id: writer.newID(), at: writer.now, .set(there), unit: new.unit, why: .count,
          by: writer.device))
    }
    put(item)
    return item
  }
}

extension NewItem {
  /// Returns a quantity in the item's unit; it must not be below zero.
  fileprivate func number(
    of quantity: Quantity, in household: Household
  ) throws(RuleError) -> Number {
    guard quantity.value >= .zero else { throw .belowZero(quantity) }
    guard let value = household.counted(quantity, in: unit).converted(to: unit) else {
      throw .unitsDoNotConvert(of: name, quantity.unit, unit)
    }
    return value.rounded
  }
}
