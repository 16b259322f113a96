public import LarderText

/// The kind of a file, decided by its folder.
///
/// Lists of kinds have this order, and a sync with a cloud writes them in it: the household first.
public enum Kind: String, CaseIterable, Sendable {
  case household = "Household"
  case stockItem = "StockItem"
  case inventoryItem = "InventoryItem"
  case storageLocation = "StorageLocation"
  case product = "Product"
  case shoppingListEntry = "ShoppingListEntry"
  case receipt = "Receipt"

  /// The folder of the kind's files, at any depth; nil for the household's single file.
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

  /// The place among all kinds.
  var number: Int { Kind.allCases.firstIndex(of: self) ?? 0 }

  /// The path of the household's own file.
  public static let householdPath: FilePath = "household.json"

  /// The kind of the file at a path from the household's root.
  ///
  /// Nil for a file that is not the household's.
  ///
  /// Nil also for a name that is not UTF-8, which is read with U+FFFD in it, and for Emacs' lock
  /// files, such as `.#milk.json`.
  public init?(path: FilePath) {
    var path = path.text
    let found = path.withUTF8 { bytes in
      (kind: Kind(bytes: bytes), mayBeBroken: bytes.contains(0xef))
    }
    guard let kind = found.kind,
      !found.mayBeBroken || !path.unicodeScalars.contains("\u{fffd}")
    else { return nil }
    self = kind
  }

  private init?(bytes: UnsafeBufferPointer<UInt8>) {
    guard bytes.count > 5, bytes.suffix(5).elementsEqual(".json".utf8),
      !Self.isEditorsLock(bytes)
    else { return nil }
    if bytes.elementsEqual(Kind.householdPath.utf8) {
      self = .household
      return
    }
    guard let slash = bytes.firstIndex(of: UInt8(ascii: "/")),
      let kind = Kind.folders.first(where: { bytes[..<slash].elementsEqual($0.name) })?.kind
    else { return nil }
    self = kind
  }

  private static func isEditorsLock(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let name = bytes.lastIndex(of: UInt8(ascii: "/")).map { bytes[($0 + 1)...] } ?? bytes[...]
    return name.starts(with: ".#".utf8)
  }

  private static let folders: [(name: [UInt8], kind: Kind)] = allCases.compactMap { kind in
    kind.folder.map { (Array($0.utf8), kind) }
  }
}
