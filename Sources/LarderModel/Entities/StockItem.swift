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
