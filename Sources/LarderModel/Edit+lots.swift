/// What people do with a lot as a whole, which may be several batches.
extension Edit {
  /// Moves a lot to another place, or so much of it, and gives the batches that lie there then.
  ///
  /// A part comes from the oldest batch, then from the next. Throws `tooMuch` where there is less, and
  /// what ``move(_:to:quantity:unchangedSince:by:)`` throws.
  public mutating func move(
    _ lot: Lot, called title: String, to place: String, quantity: Quantity? = nil,
    unchangedSince version: Instant? = nil, by writer: Writer
  ) throws(RuleError) -> [EntityKey] {
    guard let quantity else {
      var moved: [EntityKey] = []
      for batch in lot.batches {
        moved.append(try move(batch, to: place, unchangedSince: version, by: writer))
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
        try move(batch, to: place, quantity: part, unchangedSince: version, by: writer))
      open = (open - part.value).rounded
    }
    return moved
  }

  /// Opens some of an item: of a lot, else of the batch that expires first and is not open yet, else of
  /// what lies loose.
  ///
  /// Where no quantity is said, it is what is usually opened at once: one piece or pack, what a pack of
  /// the product holds, or all. Throws what ``open(_:quantity:at:strict:unchangedSince:by:)`` and
  /// ``openLoose(_:of:at:by:)`` throw.
  public mutating func open(
    _ item: Entity, _ lot: Lot?, quantity: Quantity?, at moment: Instant, strict: Bool = false,
    unchangedSince version: Instant? = nil, by writer: Writer
  ) throws(RuleError) -> Opening {
    guard let batch = batchToOpen(of: item, lot) else {
      return try openLoose(quantity ?? item.oneLoose, of: item, at: moment, by: writer)
    }
    return try open(
      batch, quantity: quantity ?? usualOpening(of: batch), at: moment, strict: strict,
      unchangedSince: version, by: writer)
  }

  /// The first to expire that is not open; nil for what lies loose.
  private func batchToOpen(of item: Entity, _ lot: Lot?) -> Entity? {
    let batches = lot?.batches ?? Stock(after).firstExpiredFirst(of: item)
    if let closed = batches.first(where: { $0.openedAt == nil }) { return closed }
    return lot == nil && item.quantity.value > .zero ? nil : batches.first
  }
}

extension Entity {
  /// One of an item's unit, or what lies loose where that is less.
  fileprivate var oneLoose: Quantity {
    let isLess = quantity.value > .zero && quantity.value < Number(1)
    return isLess ? quantity : Quantity(Number(1), unit)
  }
}
