/// What sort of thing a file describes; the folder says which.
public enum Kind: String, CaseIterable, Sendable {
  case household = "Household"
  case stockItem = "StockItem"
  case inventoryItem = "InventoryItem"
  case storageLocation = "StorageLocation"
  case product = "Product"
  case shoppingListEntry = "ShoppingListEntry"
  case receipt = "Receipt"

  /// The folder that the kind's files lie in, at any depth; nil for the household's one file.
  public var folder: String? {
    switch self {
    case .household: nil
    case .stockItem: "stock"
    case .inventoryItem: "batches"
    case .storageLocation: "locations"
    case .product: "products"
    case .shoppingListEntry: "shopping"
    case .receipt: "receipts"
    }
  }

  /// The path of the household's own file.
  public static let householdPath = "household.json"

  /// The kind of the file at a path from the household's root; nil for a file that is none of ours.
  ///
  /// Nor is one whose name is no UTF-8, which is read with U+FFFD in its place, nor what Emacs puts
  /// beside a file that is being edited, `.#milk.json`.
  public init?(path: String) {
    guard path.utf8.count > 5, path.utf8.suffix(5).elementsEqual(".json".utf8),
      !path.utf8.contains(0xef) || !path.unicodeScalars.contains("\u{fffd}"),
      !Kind.isEditorsLock(path)
    else { return nil }
    if path == Kind.householdPath {
      self = .household
      return
    }
    guard let slash = path.utf8.firstIndex(of: UInt8(ascii: "/")) else { return nil }
    let folder = path[..<slash]
    guard let kind = Kind.allCases.first(where: { $0.folder.map { $0 == folder } ?? false }) else {
      return nil
    }
    self = kind
  }

  private static func isEditorsLock(_ path: String) -> Bool {
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let name = slash.map { path.utf8[path.utf8.index(after: $0)...] } ?? path.utf8[...]
    return name.starts(with: ".#".utf8)
  }
}
