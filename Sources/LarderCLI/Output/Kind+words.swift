import LarderModel

/// The words for kinds; the user's word for a StorageLocation is location, in sentences too.
extension Kind {
  /// The name of the kind for people.
  var noun: String {
    switch self {
    case .household: "household"
    case .stockItem: "item"
    case .inventoryItem: "batch"
    case .storageLocation: "location"
    case .product: "product"
    case .shoppingListEntry: "shopping entry"
    case .receipt: "receipt"
    }
  }

  /// The article before the name.
  var article: String { "aeiou".contains(noun.prefix(1)) ? "an" : "a" }

  /// The plural of the kind's name for people.
  var pluralNoun: String {
    switch self {
    case .household: "households"
    case .stockItem: "items"
    case .inventoryItem: "batches"
    case .storageLocation: "locations"
    case .product: "products"
    case .shoppingListEntry: "shopping entries"
    case .receipt: "receipts"
    }
  }

  /// The word for a deleted entity of the kind.
  var deletedWord: String {
    switch self {
    case .shoppingListEntry: "off the list"
    case .receipt: "void"
    case .inventoryItem: "discarded"
    case .household, .stockItem, .storageLocation, .product: "archived"
    }
  }

  /// The advice to those who gave a name that several entities have; nil if more of the name may help.
  var advice: String? {
    switch self {
    case .inventoryItem: "add what only the one you mean has (its day, location or lot code)"
    case .receipt: "add its day and time"
    case .household, .stockItem, .storageLocation, .product, .shoppingListEntry: nil
    }
  }

  /// What is in the kind's files.
  var content: String {
    switch self {
    case .household: "its name, time zone and currency"
    case .stockItem: "what we keep, and how much of it we want"
    case .inventoryItem: "an item's batches, each with a date or a place"
    case .storageLocation: "fridge, freezer, cellar"
    case .product: "catalogue entries"
    case .shoppingListEntry: "the shopping list"
    case .receipt: "what was bought"
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
