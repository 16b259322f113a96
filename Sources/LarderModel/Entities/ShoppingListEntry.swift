internal import LarderJSON

/// Something to buy: an item of the stock, or anything else by its name.
public struct ShoppingListEntry: EntityView {
  public static let kind = Kind.shoppingListEntry
  public var entity: Entity

  public init(entity: Entity) { self.entity = entity }

  /// The id of the item to buy; nil if it is no item of the stock.
  public var itemID: String? { entity.itemID }

  /// The name of something that is no item; ``Stock/title(of:)`` has the name of either.
  public var name: String? { entity.name }

  /// The quantity to buy.
  public var desired: Quantity {
    get { entity.desired }
    set {
      set(.desiredQuantity, newValue.value.json)
      set(.unit, newValue.unit.rawValue)
    }
  }

  public var note: String? {
    get { entity.note }
    set { set(.note, newValue) }
  }

  /// Whether it is in the basket.
  public var isCompleted: Bool {
    get { entity.isCompleted }
    set { set(.isCompleted, .bool(newValue)) }
  }

  /// Whether it is on the list; what was bought or removed is not.
  public var isOnList: Bool {
    get { !entity.isTombstone }
    set { set(.isDeleted, .bool(!newValue)) }
  }
}
