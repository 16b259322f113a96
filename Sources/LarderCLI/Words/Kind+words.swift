import LarderModel

extension Kind {
  /// The name of the kind for people.
  var noun: String {
    switch self {
    case .household: "household"
    case .stockItem: "item"
    case .inventoryItem: "batch"
    case .storageLocation: "location"
    case .product: "product"
    case .shoppingListEntry: "entry on the shopping list"
    case .receipt: "receipt"
    }
  }

  /// The first word of the kind's commands; nil for batches and the household.
  var commandNoun: String? {
    switch self {
    case .household, .inventoryItem: nil
    case .stockItem: "stock"
    case .storageLocation: "location"
    case .product: "product"
    case .shoppingListEntry: "shop"
    case .receipt: "receipt"
    }
  }
}
