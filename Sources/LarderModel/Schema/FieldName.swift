public import LarderJSON
internal import LarderText

/// The name of a field in the files, as FORMAT.md has it.
///
/// A constant for each known field, so that a typing mistake does not compile.
public struct FieldName: Hashable, Sendable, CustomStringConvertible {
  public let text: String

  /// A name that is not known before the program runs, such as one that a user types.
  public init(_ text: String) {
    self.text = text
  }

  public var description: String { text }

  // Unknown keys may be any text, and two that look the same may differ in bytes.
  public static func == (left: FieldName, right: FieldName) -> Bool {
    left.text.hasSameBytes(as: right.text)
  }

  public func hash(into hasher: inout Hasher) {
    text.hashBytes(into: &hasher)
  }
}

/// A field and the value to write; nil removes the field.
public typealias FieldValue = (name: FieldName, value: JSON?)

/// Bookkeeping, in the files of every kind.
extension FieldName {
  public static let id = FieldName("id")
  public static let createdAt = FieldName("createdAt")
  public static let updatedAt = FieldName("updatedAt")
  public static let edited = FieldName("edited")
  public static let changes = FieldName("changes")
  public static let pageFrom = FieldName("pageFrom")
  public static let userID = FieldName("userId")
  public static let householdID = FieldName("householdId")
  public static let isArchived = FieldName("isArchived")
  public static let isDeleted = FieldName("isDeleted")
  public static let name = FieldName("name")
  public static let note = FieldName("note")
  public static let unit = FieldName("unit")
}

/// The household's own file.
extension FieldName {
  public static let format = FieldName("format")
  public static let timeZone = FieldName("timeZone")
  public static let currency = FieldName("currency")
  public static let expiringWithinDays = FieldName("expiringWithinDays")
}

/// Items of the stock.
extension FieldName {
  public static let category = FieldName("category")
  public static let quantityInStock = FieldName("quantityInStock")
  public static let quantityLoose = FieldName("quantityLoose")
  public static let quantityFullStock = FieldName("quantityFullStock")
  public static let quantityMinimum = FieldName("quantityMinimum")
  public static let aliases = FieldName("aliases")
  public static let keepsDays = FieldName("keepsDays")
  public static let products = FieldName("products")
}

/// Batches, and the objects inside them.
extension FieldName {
  public static let productRef = FieldName("productRef")
  public static let productID = FieldName("productId")
  public static let snapshot = FieldName("snapshot")
  public static let quantity = FieldName("quantity")
  public static let value = FieldName("value")
  public static let status = FieldName("status")
  public static let storageLocationID = FieldName("storageLocationId")
  public static let lotOrBatchCode = FieldName("lotOrBatchCode")
  public static let expiryInfo = FieldName("expiryInfo")
  public static let openedInfo = FieldName("openedInfo")
  public static let notes = FieldName("notes")
  public static let consumedAt = FieldName("consumedAt")
  public static let kind = FieldName("kind")
  public static let rawText = FieldName("rawText")
  public static let confidence = FieldName("confidence")
  public static let isoDate = FieldName("isoDate")
}

/// Locations and products.
extension FieldName {
  public static let isColdStorage = FieldName("isColdStorage")
  public static let title = FieldName("title")
  public static let brand = FieldName("brand")
  public static let imageURL = FieldName("imageURL")
  public static let barcodes = FieldName("barcodes")
  public static let packSize = FieldName("packSize")
  public static let bestAfterOpeningDays = FieldName("bestAfterOpeningDays")
}

/// Entries of the shopping list.
extension FieldName {
  public static let itemID = FieldName("itemId")
  public static let desiredQuantity = FieldName("desiredQuantity")
  public static let isCompleted = FieldName("isCompleted")
}

/// Receipts and their lines.
extension FieldName {
  public static let shopName = FieldName("shopName")
  public static let timestamp = FieldName("timestamp")
  public static let amount = FieldName("amount")
  public static let items = FieldName("items")
  public static let itemName = FieldName("itemName")
  public static let price = FieldName("price")
  public static let expiry = FieldName("expiry")
  public static let location = FieldName("location")
  public static let lot = FieldName("lot")
}

/// Entries of a ledger.
extension FieldName {
  public static let at = FieldName("at")
  public static let delta = FieldName("delta")
  public static let set = FieldName("set")
  public static let undoes = FieldName("undoes")
  public static let why = FieldName("why")
  public static let by = FieldName("by")
  public static let request = FieldName("request")
  public static let receipt = FieldName("receipt")
  public static let total = FieldName("total")
}

extension JSON {
  /// The value of a member; nil if this is no object, or has no such member.
  public subscript(name: FieldName) -> JSON? { self[name.text] }
}

extension JSONMember {
  /// A member with the name of a field.
  public init(_ name: FieldName, _ value: JSON) {
    self.init(name.text, value)
  }
}
