/// Actions on a whole lot, which may be several batches.
extension Edit {
  /// Moves a lot, or a part of it, to another location.
  ///
  /// Returns the batches at the new location.
  ///
  /// A part is taken from the oldest batch first. Throws `tooMuch` if there is less, and the errors
  /// of ``move(_:to:quantity:expiry:unchangedSince:by:)``.
  public mutating func move(
    _ lot: Lot, called title: String, to place: String, quantity: Quantity? = nil,
    expiry: DateUpdate<Day> = .keep, unchangedSince version: Instant? = nil, by writer: Writer
  ) throws(RuleError) -> [EntityKey] {
    guard let quantity else {
      var moved: [EntityKey] = []
      for batch in lot.batches {
        moved.append(
          try move(batch, to: place, expiry: expiry, unchangedSince: version, by: writer))
      }
      return moved
    }
    let available = lot.quantity.converted(to: quantity.unit)?.rounded
    if let available, available < quantity.value {
      throw .tooMuch(
        of: title, wanted: quantity, available: Quantity(available, quantity.unit))
    }
    var open = quantity.value
    var moved: [EntityKey] = []
    for batch in lot.batches {
      let there = batch.quantity.converted(to: quantity.unit)?.rounded ?? open
      let part = Quantity(min(open, there), quantity.unit)
      guard part.value > .zero || moved.isEmpty else { break }
      moved.append(
        try move(
          batch, to: place, quantity: part, expiry: expiry, unchangedSince: version, by: writer))
      open = (open - part.value).rounded
    }
    return moved
  }

  /// Opens some of an item: from a lot, otherwise from the closed batch that expires first,
  /// otherwise from the loose stock.
  ///
  /// Without a quantity, it opens the usual one: one piece or pack, one pack size of the product,
  /// or everything. Throws the errors of ``open(_:quantity:at:strict:unchangedSince:by:)`` and
  /// ``openLoose(_:of:at:by:)``.
  public mutating func open(
    _ item: Entity, _ lot: Lot?, quantity: Quantity?, at moment: Instant, strict: Bool = false,
    unchangedSince version: Instant? = nil, by writer: Writer
  ) throws(RuleError) -> Opening {
    guard let batch = batchToOpen(of: item, lot) else {
      let usual = usualOpening(looseOf: Stock(after).withoutLack(item))
      return try openLoose(quantity ?? usual, of: item, at: moment, by: writer)
    }
    return try open(
      batch, quantity: quantity ?? usualOpening(of: batch), at: moment, strict: strict,
      unchangedSince: version, by: writer)
  }

  /// Returns the closed batch that expires first; nil for loose stock.
  private func batchToOpen(of item: Entity, _ lot: Lot?) -> Entity? {
    let batches = lot?.batches ?? Stock(after).firstExpiredFirst(of: item)
    if let closed = batches.first(where: { $0.openedAt == nil }) { return closed }
    let loose = Stock(after).withoutLack(item).quantity
    return lot == nil && loose.value > .zero ? nil : batches.first
  }
}

extension Edit {
  /// Returns the usual quantity to open of the loose stock: one piece or pack or, of a weight or a
  /// volume, the pack of a product; all of it if that is less, or not known.
  private func usualOpening(looseOf item: Entity) -> Quantity {
    let pack = item.productIDs.lazy.compactMap { id in
      after[.product, id]?.packSize?.converted(to: item.unit)?.rounded
    }.first { $0 > .zero }
    guard let one = item.unit.isMeasured ? pack : Number(1) else {
      return item.quantity.value > .zero ? item.quantity : Quantity(Number(1), item.unit)
    }
    let isLess = item.quantity.value > .zero && item.quantity.value < one
    return isLess ? item.quantity : Quantity(one, item.unit)
  }
}
