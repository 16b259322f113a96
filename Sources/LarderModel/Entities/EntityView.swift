internal import LarderJSON

/// A typed view of an entity of one kind.
///
/// Reading and changing a view goes through the fields of its entity. A changed view is written by
/// ``Edit/update(_:by:_:)``.
public protocol EntityView: Hashable, Sendable, Identifiable {
  static var kind: Kind { get }
  /// The entity, which always has the view's kind.
  var entity: Entity { get set }
  init(entity: Entity)
}

extension EntityView {
  /// A view of an entity; nil if it has another kind.
  public init?(_ entity: Entity) {
    guard entity.kind == Self.kind else { return nil }
    self.init(entity: entity)
  }

  public var id: String { entity.id }
  public var key: EntityKey { entity.key }
  /// The time when it was first written.
  public var createdAt: Instant { entity.createdAt }
  /// The time of the last change, which also names the version for `unchangedSince`.
  public var updatedAt: Instant { entity.updatedAt }
  /// Whether it is deleted: archived, closed, void or discarded.
  public var isDeleted: Bool { entity.isTombstone }

  /// Writes a field of the view; its stamp comes with the edit.
  mutating func set(_ field: FieldName, _ value: JSON?) {
    entity.write(field, value, at: entity.updatedAt)
  }

  mutating func set(_ field: FieldName, _ text: String?) {
    set(field, text.map { JSON.string($0) })
  }
}

extension Household {
  /// The entities of a kind as typed views, ordered by id.
  public func all<View: EntityView>(_ view: View.Type) -> [View] {
    all(View.kind).map { View(entity: $0) }
  }

  /// The typed view of an entity; nil if the household has none with the id.
  public subscript<View: EntityView>(view: View.Type, id: String) -> View? {
    self[View.kind, id].map { View(entity: $0) }
  }
}

extension Edit {
  /// Changes the fields of an entity, all with one stamp; fields that keep their values keep their
  /// stamps.
  ///
  /// `change` gets the entity as the edit has it now. Nothing happens if it is not there.
  public mutating func update<View: EntityView>(
    _ view: View, by writer: Writer, _ change: (inout View) throws -> Void
  ) rethrows {
    write(try fields(of: view, changedBy: change), to: view.key, now: writer.now)
  }

  /// Returns the fields that `change` gives other values; none if the entity is not there.
  func fields<View: EntityView>(
    of view: View, changedBy change: (inout View) throws -> Void
  ) rethrows -> [FieldValue] {
    guard let old = after[view.key] else { return [] }
    var new = View(entity: old)
    try change(&new)
    return new.entity.registers.filter { old[$0.name] != $0.value }.map { ($0.name, $0.value) }
  }
}

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

/// A quantity of a product with one expiry date, in one place.
public struct Batch: EntityView {
  public static let kind = Kind.inventoryItem
  public var entity: Entity

  /// The state of a batch.
  public enum Status: String, Hashable, Sendable, CaseIterable {
    /// Something is left of it.
    case active
    /// It is at or below zero, until something is added or counted.
    case consumed
    /// It was taken out as if it had never been kept.
    case discarded
    /// It was used up and put away.
    case archived
  }

  public init(entity: Entity) { self.entity = entity }

  /// The product's id in the catalogue, or the id of an item of the stock.
  public var productID: String { entity.productID }

  /// The product's data when the batch was created; advisory only.
  public var snapshot: ProductSnapshot? { entity.snapshot }

  /// The rest of the batch; below zero if separate devices used more than there was.
  public var quantity: Quantity { entity.quantity }

  public var status: Status {
    switch entity[.status]?.string {
    case "discarded": .discarded
    case "archived": .archived
    default: entity.isConsumed ? .consumed : .active
    }
  }

  /// The id of the storage location; nil if it is not known.
  public var locationID: String? { entity.locationID }

  /// The code printed on the package.
  public var lotCode: String? {
    get { entity.lotCode }
    set { set(.lotOrBatchCode, newValue) }
  }

  /// What people said of the day, whether it counts or not; see ``lastDay``.
  public var expiry: ExpiryInfo? { entity.expiry }
  /// The day until which it keeps; nil without one, and for what is kept frozen.
  public var lastDay: Day? { entity.lastDay }
  public var opened: OpenedInfo? { entity.opened }

  public var notes: String? {
    get { entity[.notes]?.string }
    set { set(.notes, newValue) }
  }

  /// The time when it was used up; nil while something is left.
  public var consumedAt: Instant? { entity.consumedAt }

  /// Whether something is left although it expired before a day; see ``Entity/passedDay(on:)``.
  public func isExpired(on day: Day) -> Bool {
    entity.isExpired(on: day)
  }
}

/// An entry of the catalogue: what a barcode stands for.
public struct Product: EntityView {
  public static let kind = Kind.product
  public var entity: Entity

  public init(entity: Entity) { self.entity = entity }

  public var title: String {
    get { entity.title }
    set { set(.title, newValue) }
  }

  public var brand: String? {
    get { entity[.brand]?.string }
    set { set(.brand, newValue) }
  }

  /// The address of a picture.
  public var imageURL: String? {
    get { entity[.imageURL]?.string }
    set { set(.imageURL, newValue) }
  }

  /// The numbers under its barcodes, without the one in its id.
  public var barcodes: [String] {
    get { entity[.barcodes]?.array?.compactMap(\.string) ?? [] }
    set { set(.barcodes, newValue.isEmpty ? nil : .array(newValue.map { .string($0) })) }
  }

  /// The content of one pack; nil if it is not known.
  public var packSize: Quantity? {
    get { entity.packSize }
    set {
      set(.packSize, newValue?.value.json)
      set(.unit, newValue?.unit.rawValue)
    }
  }

  /// The number of days that it keeps once it is open; nil if it is not known.
  public var bestAfterOpeningDays: Int? {
    get { entity.bestAfterOpeningDays }
    set { set(.bestAfterOpeningDays, newValue.map { .number(String($0)) }) }
  }

  /// Whether it is archived, which is how it is deleted.
  public var isArchived: Bool {
    get { entity.isTombstone }
    set { set(.isArchived, .bool(newValue)) }
  }
}

/// A place where things are kept.
public struct StorageLocation: EntityView {
  public static let kind = Kind.storageLocation
  public var entity: Entity

  public init(entity: Entity) { self.entity = entity }

  public var name: String {
    get { entity.title }
    set { set(.name, newValue) }
  }

  /// Whether it is a fridge or a freezer.
  public var isColdStorage: Bool {
    get { entity.flag(.isColdStorage) }
    set { set(.isColdStorage, .bool(newValue)) }
  }

  /// Whether it is archived, which is how it is deleted.
  public var isArchived: Bool {
    get { entity.isTombstone }
    set { set(.isArchived, .bool(newValue)) }
  }
}

extension Edit {
  /// Adds a storage location.
  @discardableResult
  public mutating func addLocation(
    _ name: String, isColdStorage: Bool = false, by writer: Writer
  ) -> StorageLocation {
    let location = new(
      .storageLocation, [(.name, .string(name)), (.isColdStorage, .bool(isColdStorage))],
      by: writer)
    put(location)
    return StorageLocation(entity: location)
  }
}

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
