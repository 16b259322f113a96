internal import LarderJSON

/// Something that the household keeps, and how much of it is wanted.
public struct StockItem: EntityView {
  public static let kind = Kind.stockItem
  public var entity: Entity

  public init(entity: Entity) { self.entity = entity }

  public var name: String {
    get { entity.title }
    set { set(.name, newValue) }
  }

  /// The group that the item is listed under; nil for none.
  public var category: String? {
    get { entity.category }
    set { set(.category, newValue) }
  }

  /// The unit of the item's quantities.
  public var unit: Unit { entity.unit }

  /// The loose stock, without the batches; ``Stock/total(of:)-(StockItem)`` has both.
  public var looseStock: Quantity { entity.quantity }

  /// The quantity that is wanted, in the item's unit; zero if nothing in particular is.
  public var fullStock: Number {
    get { entity.fullStock }
    set { set(.quantityFullStock, newValue.json) }
  }

  /// The quantity in the item's unit below which there is too little.
  ///
  /// Nil if nobody said: then it is half of the full stock.
  public var minimum: Number? {
    get { entity.minimum }
    set { set(.quantityMinimum, newValue?.json) }
  }

  /// Other names of the item, from receipts and people.
  public var aliases: [String] {
    get { entity.aliases }
    set { set(.aliases, newValue.isEmpty ? nil : .array(newValue.map { .string($0) })) }
  }

  /// The number of days for which the item keeps if no date is given; nil if that is not known.
  public var keepsDays: Int? {
    get { entity.keepsDays }
    set { set(.keepsDays, newValue.map { Number($0).json }) }
  }

  /// The id of the location where it is put if nobody says another; nil if that is not known.
  public var locationID: String? {
    get { entity.locationID }
    set { set(.storageLocationID, newValue) }
  }

  public var note: String? {
    get { entity.note }
    set { set(.note, newValue) }
  }

  /// The ids of the products that count as this item.
  public var productIDs: [String] {
    get { entity.productIDs }
    set { set(.products, newValue.isEmpty ? nil : .array(newValue.map { .string($0) })) }
  }

  /// Whether it is archived, which is how it is deleted.
  public var isArchived: Bool {
    get { entity.isTombstone }
    set { set(.isArchived, .bool(newValue)) }
  }
}

extension Stock {
  /// Returns the quantity of an item: loose stock and active batches.
  public func total(of item: StockItem) -> Quantity {
    Quantity(total(of: item.entity), item.unit)
  }
}
