internal import LarderJSON

/// A new item of the stock, as people enter it.
public struct NewItem: Sendable {
  public var name: String
  public var category: String?
  /// The unit of its quantities.
  public var unit: Unit = .piece
  /// The quantity in stock, in a unit that converts to the item's; nil if unknown.
  public var inStock: Quantity?
  /// The full stock: the wanted quantity, in a unit that converts to the item's.
  public var full: Quantity?
  /// The quantity below which there is too little, in a unit that converts to the item's.
  public var minimum: Quantity?
  /// The number of days for which the item keeps if no date is given.
  public var keepsDays: Int?
  /// The id of the location where the item is put if no location is given.
  public var locationID: String?
  public var aliases: [String] = []
  public var note: String?
  /// The ids of the products that count as this item.
  public var products: [String] = []

  public init(_ name: String) {
    self.name = name
  }
}

extension Edit {
  /// Adds an item to the stock.
  ///
  /// A quantity in stock is recorded as a count; nothing is what there is of a new item anyway.
  ///
  /// Throws `belowZero` and `unitsDoNotConvert`.
  @discardableResult
  public mutating func add(_ new: NewItem, by writer: Writer) throws(RuleError) -> Entity {
    let household = after
    let count = { (quantity: Quantity?) throws(RuleError) in
      try quantity.map { quantity throws(RuleError) in try new.number(of: quantity, in: household) }
    }
    let full = try count(new.full)
    let minimum = try count(new.minimum)
    let there = try count(new.inStock)
    var item = self.new(
      .stockItem,
      [
        (.name, .string(new.name)), (.unit, .string(new.unit.rawValue)),
        (.category, new.category.map { .string($0) }), (.quantityFullStock, full?.json),
        (.quantityMinimum, minimum?.json),
        (.keepsDays, new.keepsDays.map { Number($0).json }),
        (.storageLocationID, new.locationID.map { .string($0) }),
        (.aliases, new.aliases.isEmpty ? nil : .array(new.aliases.map { .string($0) })),
        (.products, new.products.isEmpty ? nil : .array(new.products.map { .string($0) })),
        (.note, new.note.map { .string($0) }),
      ], by: writer)
    if let there, there != .zero {
      item.record(
        LedgerEntry(
          id: writer.newID(), at: writer.now, .set(there), unit: new.unit, why: .count,
          by: writer.device, total: there))
    }
    put(item)
    return item
  }
}

extension Edit {
  /// Says how much there is of a new item: where and until when an addition would be put, or as a count
  /// if nothing says either.
  ///
  /// Nothing is what there is of a new item anyway. Throws `belowZero` and `unitsDoNotConvert`.
  public mutating func start(
    _ item: Entity, with quantity: Quantity, expiry: ExpiryInfo?? = nil, request: String,
    by writer: Writer
  ) throws(RuleError) {
    guard quantity.value >= .zero else { throw .belowZero(quantity) }
    guard quantity.value != .zero else { return }
    guard details(of: item, expiry: expiry, at: writer.now) == nil else {
      _ = try add(quantity, to: item, expiry: expiry, request: request, by: writer)
      return
    }
    try check(quantity, for: item)
    var item = item
    item.record(
      LedgerEntry(
        id: Identifier.derived(from: "request", request, item.id), at: writer.now,
        .set(quantity.value), unit: quantity.unit, why: .count, by: writer.device,
        total: quantity.value))
    put(item)
  }
}

extension NewItem {
  /// Returns a quantity in the item's unit; it must not be below zero.
  fileprivate func number(
    of quantity: Quantity, in household: Household
  ) throws(RuleError) -> Number {
    guard quantity.value >= .zero else { throw .belowZero(quantity) }
    guard let value = household.counted(quantity, in: unit).converted(to: unit) else {
      throw .unitsDoNotConvert(of: name, quantity.unit, unit)
    }
    return value.rounded
  }
}

/// The rule for two items that are in fact one.
extension Edit {
  /// Merges another item into an item: its loose stock, batches, products and shopping entry.
  ///
  /// The other item is archived. Receipts keep the item under which it was bought. Throws if the
  /// other item's unit does not convert to the item's unit.
  public mutating func merge(_ other: Entity, into item: Entity, by writer: Writer)
    throws(RuleError)
  {
    guard other.id != item.id else { throw .sameItem(item.title) }
    guard !item.isTombstone else { throw .itemIsArchived(item: item.title) }
    guard other.unit.converts(to: item.unit) else {
      throw .unitsDoNotConvert(of: item.title, other.unit, item.unit)
    }
    moveLooseStock(of: other, to: item, by: writer)
    for batch in Stock(before).batches(of: other) where batch.productID == other.id {
      repoint(batch, to: item, now: writer.now)
    }
    moveFields(of: other, to: item, now: writer.now)
    moveShopping(of: other, to: item, by: writer)
    write([(.isArchived, .bool(true))], to: other.key, now: writer.now)
  }

  /// Moves what the batches, which come along as they are, leave of all there is: also what they lack,
  /// and what was taken of those that are gone by who did not know.
  private mutating func moveLooseStock(of other: Entity, to item: Entity, by writer: Writer) {
    let holding = Stock(after).holding(of: other)
    let loose = holding.batches.reduce(holding.total) { rest, batch in
      rest - (Quantity(batch.given, batch.unit).converted(to: other.unit) ?? .zero)
    }.rounded
    guard loose != .zero else { return }
    transfer(Quantity(loose, other.unit), from: other, to: item, by: writer)
  }

  private mutating func repoint(_ batch: Entity, to item: Entity, now: Instant) {
    let others = (batch[.productRef]?.members ?? []).filter { $0.key != "productId" }
    let reference = JSON.object([JSONMember("productId", .string(item.id))] + others)
    write([(.productRef, reference)], to: batch.key, now: now)
  }

  private mutating func moveFields(of other: Entity, to item: Entity, now: Instant) {
    let products = item.productIDs + other.productIDs.filter { !item.productIDs.contains($0) }
    var fields: [FieldValue] = []
    if !other.productIDs.isEmpty {
      fields.append((.products, .array(products.map { .string($0) })))
      write([(.products, nil)], to: other.key, now: now)
    }
    if item.fullStock == .zero,
      let full = Quantity(other.fullStock, other.unit).converted(to: item.unit)
    {
      fields.append((.quantityFullStock, full.rounded.json))
    }
    if item.minimum == nil,
      let minimum = other.minimum.flatMap({ Quantity($0, other.unit).converted(to: item.unit) })
    {
      fields.append((.quantityMinimum, minimum.rounded.json))
    }
    let aliases = other.aliases.filter { alias in
      !item.ownNames.contains { fold($0) == fold(alias) }
    }
    if !aliases.isEmpty {
      fields.append((.aliases, .array((item.aliases + aliases).map { .string($0) })))
    }
    for name in [FieldName.category, .keepsDays, .storageLocationID, .note] where item[name] == nil
    {
      fields.append((name, other[name]))
    }
    write(fields, to: item.key, now: now)
  }

  /// Moves the shopping entry of the other item to the item.
  private mutating func moveShopping(of other: Entity, to item: Entity, by writer: Writer) {
    let open = after.all(.shoppingListEntry)
      .filter { $0.itemID == other.id && !$0.isTombstone }.sorted { $0.id < $1.id }
    for entry in open {
      write([(.isDeleted, .bool(true))], to: entry.key, now: writer.now)
      let own = after[.shoppingListEntry, ShoppingEntry.id(of: item)]
      guard own?.isTombstone ?? true else { continue }
      var fields: [FieldValue] = [
        (.itemID, .string(item.id)), (.desiredQuantity, entry[.desiredQuantity]),
        (.unit, entry[.unit]), (.note, entry[.note]),
        (.isCompleted, entry[.isCompleted]), (.isDeleted, .bool(false)),
      ]
      if let own {
        write(fields, to: own.key, now: writer.now)
      } else {
        fields.removeAll { $0.value == nil }
        put(new(.shoppingListEntry, id: ShoppingEntry.id(of: item), fields, by: writer))
      }
    }
  }
}

/// The rule for batches that are given to another item.
extension Edit {
  /// Keeps the totals of counted items whose batches belong to another item by now.
  ///
  /// An item's count has nothing of what was in such a batch then, if it came later, and all of it,
  /// if it went (docs/adoption.md, section 18).
  public mutating func moveShares(by writer: Writer) {
    guard !takesBack, changed.contains(where: mayGiveBatches) else { return }
    let (earlier, stock) = (Stock(before), Stock(after))
    for batch in before.all(.inventoryItem).sorted(by: { $0.id < $1.id }) {
      guard let batch = after[batch.key], let old = before[batch.key] else { continue }
      let (giver, taker) = (earlier.item(of: old), stock.item(of: batch))
      guard giver?.key != taker?.key else { continue }
      if let giver { addShare(of: batch, to: giver.key, times: -1, by: writer) }
      if let taker { addShare(of: batch, to: taker.key, times: 1, by: writer) }
    }
  }

  /// Adds to the ledger of an item what a batch gave when the item was counted.
  private mutating func addShare(
    of batch: Entity, to key: EntityKey, times factor: Int128, by writer: Writer
  ) {
    guard var item = after[key], let anchor = item.anchor,
      let share = Quantity(batch.share(since: nil, before: anchor.at), batch.unit)
        .converted(to: item.unit)?.rounded, share != .zero
    else { return }
    item.record(
      LedgerEntry(
        id: writer.newID(), at: item.stamp(now: writer.now), .delta(share.multiplied(by: factor)),
        unit: item.unit, why: .move, by: writer.device))
    put(item)
  }

  private func mayGiveBatches(_ key: EntityKey) -> Bool {
    let names = [FieldName.products, .productRef]
    return names.contains { before[key]?[$0] != after[key]?[$0] }
  }
}
