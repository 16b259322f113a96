internal import LarderJSON

/// The rules for putting something on the shopping list.
extension Edit {
  /// Puts an item on the shopping list, or changes its entry.
  ///
  /// A thing in the basket comes back on the list.
  ///
  /// Without a quantity, it is ``Stock/toBuy(of:on:)`` or, if nothing is missing,
  /// ``Stock/usualPurchase(of:)``. A quantity whose unit does not convert to the item's stays as it is.
  /// An empty note removes the old one. Throws `notAboveZero`.
  public mutating func want(
    _ quantity: Quantity?, of item: Entity, note: String? = nil, by writer: Writer
  ) throws(RuleError) {
    let stock = Stock(after)
    let missing = stock.toBuy(of: item, on: day(of: writer.now))
    let usual = { missing > .zero ? missing : stock.usualPurchase(of: item) }
    let wanted = after.counted(
      try (quantity ?? Quantity(usual(), item.unit)).aboveZero(), in: item.unit)
    let entry = after.entry(of: item)
    // Every device derives the same id for the item's own entry.
    want(
      wanted, (.itemID, .string(item.id)), over: entry, id: ShoppingEntry.id(of: item), note: note,
      by: writer)
  }

  /// Puts something that is not an item on the shopping list, or changes the entry of that name.
  ///
  /// Returns the name on the list.
  ///
  /// Without a quantity, an existing entry keeps its own, and a new one gets one of the unit. An
  /// empty note removes the old one. Throws `notAboveZero`.
  @discardableResult
  public mutating func want(
    _ quantity: Quantity?, unit: Unit = .piece, named name: String, note: String? = nil,
    by writer: Writer
  ) throws(RuleError) -> String {
    let own = after[.shoppingListEntry, ShoppingEntry.id(named: name)]
    let entry = after.freeEntry(named: name) ?? own.flatMap { $0.isTombstone ? $0 : nil }
    let isNew = entry?.isTombstone ?? true
    let wanted = try quantity?.aboveZero() ?? (isNew ? Quantity(Number(1), unit) : nil)
    let title = entry.flatMap { isNew ? nil : $0.title } ?? name
    // A name has one entry on all devices; one that has another name by now keeps its id.
    let id = own == nil ? ShoppingEntry.id(named: name) : writer.newID()
    want(wanted, (.name, .string(title)), over: entry, id: id, note: note, by: writer)
    return title
  }

  /// Puts every item that is low on the list, with what is missing to its full stock, ordered by
  /// name.
  ///
  /// Entries that are already in the basket don't change, nor do those in a unit that does not convert
  /// to the item's.
  public mutating func wantAllThatIsLow(by writer: Writer) {
    let stock = Stock(after)
    let items = after.all(.stockItem).filter { !$0.isTombstone }
    let today = day(of: writer.now)
    let low = stock.holdings(of: items).filter { $0.isLow(on: today) }
      .map { (item: $0.item, missing: stock.toBuy(of: $0, on: today)) }
      .filter { $0.missing > .zero }.sorted(byText: \.item.title, thenID: \.item.id)
    for (item, lacking) in low {
      let missing = Quantity(lacking, item.unit)
      let entry = after.entry(of: item)
      if let entry, !entry.isTombstone {
        let asked = entry.desired.converted(to: item.unit)?.rounded
        if entry.isCompleted || asked == nil || asked == missing.value { continue }
      }
      want(
        missing, (.itemID, .string(item.id)), over: entry, id: ShoppingEntry.id(of: item),
        note: nil, by: writer)
    }
  }

  /// Creates, revives or changes an entry; a new one gets the id.
  ///
  /// What the entry says already is written again: it is wanted now, whatever others did before.
  private mutating func want(
    _ quantity: Quantity?, _ subject: FieldValue, over entry: Entity?,
    id: @autoclosure () -> String, note: String?, by writer: Writer
  ) {
    var fields: [FieldValue] = []
    if let quantity {
      fields.append((.desiredQuantity, quantity.value.json))
      fields.append((.unit, .string(quantity.unit.rawValue)))
    }
    if let note { fields.append((.note, note.isEmpty ? nil : .string(note))) }
    guard let entry else {
      put(new(.shoppingListEntry, id: id(), [subject] + fields, by: writer))
      return
    }
    fields.append((.isCompleted, .bool(false)))
    if entry.isTombstone {
      fields += [subject, (.isDeleted, .bool(false))]
      if subject.name == .name { fields.append((.itemID, nil)) }
    }
    write(fields, to: entry.key, now: writer.now, again: true)
  }
}

extension Household {
  /// Returns an item's entry: the one on the shopping list, otherwise its own, which may be closed.
  public func entry(of item: Entity) -> Entity? {
    let own = self[.shoppingListEntry, ShoppingEntry.id(of: item)]
    if let own, !own.isTombstone { return own }
    let others = all(.shoppingListEntry).filter { $0.itemID == item.id && !$0.isTombstone }
    return others.min { $0.id < $1.id } ?? own
  }

  /// Returns the entry on the shopping list that has this name and no item.
  ///
  /// Case and accents don't matter.
  public func freeEntry(named name: String) -> Entity? {
    let wanted = fold(name)
    return all(.shoppingListEntry)
      .filter { !$0.isTombstone && $0.itemID == nil && fold($0.title) == wanted }
      .min { $0.id < $1.id }
  }
}

extension Stock {
  /// Returns the quantity that an item lacks to its full stock: see ``Holding/missing(on:)``.
  public func missing(of item: Entity, on today: Day) -> Number {
    holding(of: item).missing(on: today)
  }

  /// Returns the quantity to buy of an item, in its unit: what is missing to its full stock or, if
  /// that is less, to its minimum.
  ///
  /// What has expired is missing. It is rounded up to whole packs of the first of its products
  /// whose pack has a size, otherwise to whole pieces, tins and whatever is not measured. Zero if
  /// nothing is missing.
  public func toBuy(of item: Entity, on today: Day) -> Number {
    toBuy(of: holding(of: item), on: today)
  }

  func toBuy(of holding: Holding, on today: Day) -> Number {
    let item = holding.item
    let missing = max((item.wantedStock - holding.usableTotal(on: today)).rounded, .zero)
    return inWholePacks(missing, of: item) { household.counted($0, in: item.unit) }
  }

  /// Returns a number rounded up to whole packs, whose sizes are first read by `counted`.
  private func inWholePacks(
    _ number: Number, of item: Entity, _ counted: (Quantity) -> Quantity = { $0 }
  ) -> Number {
    let pack = item.productIDs.compactMap { id in
      household[.product, id]?.packSize.flatMap { counted($0).converted(to: item.unit)?.rounded }
    }.first { $0 > .zero }
    guard let step = pack ?? (item.unit.isMeasured ? nil : Number(1)) else { return number }
    return number.roundedUp(to: step)
  }

  /// Returns the quantity to buy of an item of which no full stock is known, in its unit
  /// (docs/adoption.md, section 13): what was bought last, otherwise the most that was ever
  /// recorded, in whole packs.
  public func usualPurchase(of item: Entity) -> Number {
    let batches = batches(of: item).filter { $0[.status] != .string("discarded") }
    let entries = ([item] + batches).flatMap(\.ledger.counting).compactMap { entry in
      entry.quantity?.converted(to: item.unit).map { (entry: entry, number: $0) }
    }
    let arrivals = entries.filter { $0.number > .zero && $0.entry.isArrival }
    let last = arrivals.max { LedgerEntry.precedes($0.entry, $1.entry) }
    // A corrected line has several entries.
    let bought = last.map { last in
      guard last.entry.why == .receipt, let receipt = last.entry.receipt else { return last.number }
      return entries.filter { $0.entry.receipt == receipt && $0.entry.isOfReceipt }
        .reduce(Number.zero) { $0 + $1.number }
    }
    let most = entries.map { entry, number in
      entry.total.flatMap { Quantity($0, entry.unit).converted(to: item.unit) } ?? number
    }.max()
    let usual = [bought, most].compactMap { $0?.rounded }.first { $0 > .zero }
    return inWholePacks(usual ?? Number(1), of: item)
  }

  /// Returns the quantity that an item's own shopping entry asks for at a level.
  ///
  /// It is made of the item's fields, its ledgers and the sizes of its packs, so that devices that
  /// know the same write the same.
  func quantityToBuy(of item: Entity, at level: StockLevel) -> Number {
    let (wanted, minimum) = (item.wantedStock, item.minimum ?? .zero)
    switch level {
    case .usedUp: return wanted > .zero ? wanted : usualPurchase(of: item)
    case .enough, .belowMinimum: return wanted > minimum ? (wanted - minimum).rounded : minimum
    }
  }
}

extension LedgerEntry {
  /// Whether it says that something came, from a shop or otherwise.
  fileprivate var isArrival: Bool {
    guard case .delta = event else { return false }
    return why == .add || why == .receipt
  }

  fileprivate var isOfReceipt: Bool {
    guard case .delta = event else { return false }
    return why == .receipt
  }
}

extension Quantity {
  /// Returns the quantity; throws `notAboveZero` unless it is above zero.
  public func aboveZero() throws(RuleError) -> Quantity {
    guard value > .zero else { throw .notAboveZero(self) }
    return self
  }
}
