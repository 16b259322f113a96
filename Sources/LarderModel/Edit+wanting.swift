internal import LarderJSON

/// What people put on the shopping list.
extension Edit {
  /// Puts an item on the shopping list, or changes its entry there.
  ///
  /// Where no quantity is said, it is what is missing to the full stock, and at least one of the item's
  /// unit. A note that is empty takes the old one away. Throws `notAboveZero` and `unitsDoNotConvert`.
  public mutating func want(
    _ quantity: Quantity?, of item: Entity, note: String? = nil, by writer: Writer
  ) throws(RuleError) {
    let missing = Quantity(max(Stock(after).missing(of: item), Number(1)), item.unit)
    let wanted = try (quantity ?? missing).aboveZero()
    guard wanted.unit.converts(to: item.unit) else {
      throw .unitsDoNotConvert(of: item.title, wanted.unit, item.unit)
    }
    let entry = after.entry(of: item)
    // Every device gives the item's own entry the same id.
    want(
      wanted, ("itemId", .string(item.id)), over: entry, id: ShoppingEntry.id(of: item), note: note,
      by: writer)
  }

  /// Puts something that is no item on the shopping list, or changes the entry of that name; gives the
  /// name on the list.
  ///
  /// Where no quantity is said, an entry that is there keeps its own, and a new one wants one of the
  /// unit. A note that is empty takes the old one away. Throws `notAboveZero`.
  @discardableResult
  public mutating func want(
    _ quantity: Quantity?, unit: Unit = .piece, named name: String, note: String? = nil,
    by writer: Writer
  ) throws(RuleError) -> String {
    let entry = after.freeEntry(named: name)
    let wanted = try quantity?.aboveZero() ?? (entry == nil ? Quantity(Number(1), unit) : nil)
    let title = entry?.title ?? name
    want(
      wanted, ("name", .string(title)), over: entry, id: writer.newID(), note: note, by: writer)
    return title
  }

  /// Puts every item on the list that there is less of than its full stock, with what is missing, in
  /// order of their names.
  ///
  /// What is in the basket already stays as it is.
  public mutating func wantAllThatIsLow(by writer: Writer) {
    let stock = Stock(after)
    let low = after.all(.stockItem)
      .filter { !$0.isTombstone && stock.missing(of: $0) > .zero }
      .sorted { (fold($0.title), $0.id) < (fold($1.title), $1.id) }
    for item in low {
      let missing = Quantity(stock.missing(of: item), item.unit)
      let entry = after.entry(of: item)
      if let entry, !entry.isTombstone {
        let isSame = entry.desired.converted(to: item.unit)?.rounded == missing.value
        if entry.isCompleted || isSame { continue }
      }
      want(
        missing, ("itemId", .string(item.id)), over: entry, id: ShoppingEntry.id(of: item),
        note: nil, by: writer)
    }
  }

  /// Makes, revives or changes an entry; a new one gets the id.
  private mutating func want(
    _ quantity: Quantity?, _ subject: (name: String, value: JSON?), over entry: Entity?,
    id: @autoclosure () -> String, note: String?, by writer: Writer
  ) {
    var fields: [(name: String, value: JSON?)] = []
    if let quantity {
      fields.append(("desiredQuantity", quantity.value.json))
      fields.append(("unit", .string(quantity.unit.rawValue)))
    }
    if let note { fields.append(("note", note.isEmpty ? nil : .string(note))) }
    guard let entry else {
      put(new(.shoppingListEntry, id: id(), [subject] + fields, by: writer))
      return
    }
    if entry.isTombstone {
      fields += [("isDeleted", .bool(false)), ("isCompleted", .bool(false))]
    }
    write(fields, to: entry.key, now: writer.now)
  }
}

extension Household {
  /// An item's entry: the one on the shopping list, else its own, which may be off the list.
  public func entry(of item: Entity) -> Entity? {
    let own = self[.shoppingListEntry, ShoppingEntry.id(of: item)]
    if let own, !own.isTombstone { return own }
    let others = all(.shoppingListEntry).filter { $0.itemID == item.id && !$0.isTombstone }
    return others.min { $0.id < $1.id } ?? own
  }

  /// The entry on the shopping list that is no item's and has a name, without case and accents.
  public func freeEntry(named name: String) -> Entity? {
    let wanted = fold(name)
    return all(.shoppingListEntry)
      .filter { !$0.isTombstone && $0.itemID == nil && fold($0.title) == wanted }
      .min { $0.id < $1.id }
  }
}

extension Stock {
  /// What is missing of an item to its full stock, in its unit; zero where nothing is.
  public func missing(of item: Entity) -> Number {
    max((item.fullStock - total(of: item)).rounded, .zero)
  }
}

extension Quantity {
  /// The same; throws `notAboveZero` unless it is above zero.
  public func aboveZero() throws(RuleError) -> Quantity {
    guard value > .zero else { throw .notAboveZero(self) }
    return self
  }
}
