public import LarderJSON

/// Typed access to the fields, with the defaults of FORMAT.md for missing ones.
extension Entity {
  public var name: String? { text(.name) }
  public var userID: String? { text(.userID) }

  /// The name that people use: a name, a title or a shop.
  public var title: String {
    if let field = Schema.of(kind).title { return text(field) ?? id }
    return self[.productRef]?[.snapshot]?[.title]?.string ?? productID
  }

  /// The title and, of an item, its other names.
  package var ownNames: [String] { kind == .stockItem ? [title] + aliases : [title] }

  /// Whether the entity is deleted: archived, closed, or a discarded batch.
  public var isTombstone: Bool {
    if let stored { return stored.isTombstone }
    if kind == .inventoryItem { return !isActive }
    return Schema.of(kind).tombstone.map { self[$0.field] == $0.value } ?? false
  }

  public func flag(_ name: FieldName) -> Bool { self[name]?.bool ?? false }

  public func number(_ name: FieldName) -> Number? { self[name]?.number.flatMap { Number($0) } }

  // Fields of a StockItem.
  public var category: String? { text(.category) }
  public var fullStock: Number { number(.quantityFullStock) ?? .zero }
  /// The quantity below which there is too little; nil if nobody said.
  public var minimum: Number? { number(.quantityMinimum) }
  /// The other names.
  public var aliases: [String] { self[.aliases]?.array?.compactMap(\.string) ?? [] }
  /// The number of days for which it keeps where nobody said until when.
  public var keepsDays: Int? { self[.keepsDays]?.number.flatMap { Int($0) } }
  public var productIDs: [String] { self[.products]?.array?.compactMap(\.string) ?? [] }

  // Fields of an InventoryItem.
  public var productID: String { text(.productRef, .productID) ?? "" }
  /// The product data stored in a batch, or those of a product itself.
  public var snapshot: ProductSnapshot? {
    let text = { (name: FieldName) in
      (kind == .product ? self[name] : self[.productRef]?[.snapshot]?[name])?.string
    }
    let snapshot = ProductSnapshot(
      title: text(.title), brand: text(.brand), imageURL: text(.imageURL))
    return snapshot == ProductSnapshot() ? nil : snapshot
  }
  public var locationID: String? {
    text(.storageLocationID).flatMap { $0.isEmpty ? nil : $0 }
  }
  public var householdID: String? { text(.householdID) }
  public var lotCode: String? { text(.lotOrBatchCode) }
  public var expiry: ExpiryInfo? { ExpiryInfo(self[.expiryInfo]) }
  /// The day of ``expiry``, also if it says how old the batch is.
  public var expiryDay: Day? { text(.expiryInfo, .isoDate).flatMap { Day($0) } }
  private var dateKind: DateKind {
    text(.expiryInfo, .kind).flatMap { DateKind(rawValue: $0) } ?? .expiry
  }
  /// The day as it was written, by which people name a batch.
  public var batchDay: BatchDay? {
    expiryDay.map { day in
      let confidence = value(.expiryInfo, .confidence)?.number.flatMap { Number($0) }
      return BatchDay(
        day: day, kind: dateKind, isGuess: confidence.map { $0 <= ExpiryInfo.guess } ?? false)
    }
  }
  /// The last day on which a batch keeps; nil if nobody knows it, and for what is kept frozen.
  public var lastDay: Day? {
    isKeptFrozen ? nil : expiryDay.flatMap { dateKind.isOfOrigin ? nil : $0 }
  }
  /// The day of a batch for lists: the last one, or the one that says how old it is.
  public var shownDay: BatchDay? { isKeptFrozen ? nil : batchDay }
  public var opened: OpenedInfo? { OpenedInfo(self[.openedInfo]) }
  public var openedAt: Instant? { text(.openedInfo, .isoDate).flatMap { Instant($0) } }

  // Fields of a Product.
  /// The number of days that it keeps after opening.
  public var bestAfterOpeningDays: Int? { self[.bestAfterOpeningDays]?.number.flatMap { Int($0) } }
  /// The quantity in one pack.
  public var packSize: Quantity? { number(.packSize).map { Quantity($0, unit) } }

  // Fields of a ShoppingListEntry.
  public var itemID: String? { text(.itemID) }
  public var desired: Quantity { Quantity(number(.desiredQuantity) ?? Number(1), unit) }
  public var isCompleted: Bool { flag(.isCompleted) }
  public var note: String? { text(.note) }

  // Fields of a Receipt.
  public var timestamp: Instant { text(.timestamp).flatMap(Instant.init) ?? createdAt }
  public var lines: [ReceiptLine] {
    self[.items]?.array?.compactMap(ReceiptLine.init) ?? []
  }

  // Fields of the Household.
  public var timeZone: String { text(.timeZone) ?? "UTC" }
  public var currency: String? { text(.currency) }
  /// The number of days before its expiry from which a batch counts as expiring.
  public var expiringWithinDays: Int {
    self[.expiringWithinDays]?.number.flatMap { Int($0) } ?? 14
  }
  public var format: String { self[.format]?.number ?? Schema.firstFormat }
}

extension [Entity] {
  /// The first day until which one of these batches, in the order in which they are used, keeps.
  package var firstDay: BatchDay? {
    lazy.compactMap(\.shownDay).first { !$0.kind.isOfOrigin }
  }
}

/// One line of a receipt.
public struct ReceiptLine: Hashable, Sendable {
  public package(set) var id: String
  public var itemName: String
  public var quantity: Number
  /// The unit; nil if it is the item's unit.
  public var unit: Unit?
  public var itemID: String?
  /// The total price of the line.
  public var price: Number?
  public var expiry: Day?
  /// The id of the location.
  public var locationID: String?
  /// The code printed on the package.
  public var lotCode: String?
  /// All members of the line that the other properties don't hold.
  public var others: [JSONMember] = []

  public init(id: String, itemName: String, quantity: Number, unit: Unit?, itemID: String?) {
    self.id = id
    self.itemName = itemName
    self.quantity = quantity
    self.unit = unit
    self.itemID = itemID
  }

  public init?(_ json: JSON) {
    guard let id = json[.id]?.string else { return nil }
    self.init(
      id: id, itemName: json[.itemName]?.string ?? "",
      quantity: json[.quantity]?.number.flatMap { Number($0) } ?? .zero,
      unit: json[.unit]?.string.flatMap(Unit.init(rawValue:)), itemID: json[.itemID]?.string)
    price = json[.price]?.number.flatMap { Number($0) }
    expiry = json[.expiry]?.string.flatMap { Day($0) }
    locationID = json[.location]?.string
    lotCode = json[.lot]?.string
    others = (json.members ?? []).filter { !ReceiptLine.ownKeys.contains($0.key) }
  }

  private static let ownKeys = [
    "id", "itemName", "quantity", "unit", "itemId", "price", "expiry", "location", "lot",
  ]

  /// When somebody wrote members of the line that others may not know of, by their names: of two
  /// people who save one basket, each may know more of it.
  package var edited: [FieldName: Instant] {
    get {
      let members = others.first { $0.key == FieldName.edited.text }?.value.members ?? []
      return Dictionary(
        members.compactMap { member in
          member.value.string.flatMap(Instant.init).map { (FieldName(member.key), $0) }
        }
      ) { first, _ in first }
    }
    set {
      others.removeAll { $0.key == FieldName.edited.text }
      guard !newValue.isEmpty else { return }
      let members = newValue.map { JSONMember($0.key, .string($0.value.description)) }
      others.append(
        JSONMember(.edited, .object(members.sorted { JSON.precedes($0.key, $1.key) })))
      others.sort { JSON.precedes($0.key, $1.key) }
    }
  }

  /// Returns the place of a member in a line, by its name; those that the format does not know are
  /// behind all others.
  static func place(of name: String) -> Int { ownKeys.firstIndex(of: name) ?? ownKeys.count }

  public var json: JSON {
    var members = [
      JSONMember("id", .string(id)), JSONMember("itemName", .string(itemName)),
      JSONMember("quantity", quantity.json),
    ]
    if let unit { members.append(JSONMember("unit", .string(unit.rawValue))) }
    if let itemID { members.append(JSONMember("itemId", .string(itemID))) }
    if let price { members.append(JSONMember("price", price.json)) }
    if let expiry { members.append(JSONMember("expiry", .string(expiry.description))) }
    if let locationID { members.append(JSONMember("location", .string(locationID))) }
    if let lotCode { members.append(JSONMember("lot", .string(lotCode))) }
    return .object(members + others)
  }
}
