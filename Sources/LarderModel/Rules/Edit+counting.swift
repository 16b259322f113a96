internal import LarderJSON

/// The rules for counts of the real stock.
extension Edit {
  /// Records a count: of a lot, whose oldest batch then has the whole quantity, or of a whole item.
  ///
  /// For an item it is one entry, which says all there is, loose and in batches, whatever arrives
  /// later from before it. The batches keep their quantities and the rest is loose; if they hold
  /// more, what is missing was in those that expire first. The parts of the result are what became
  /// less, with the loose stock last, or else the loose stock.
  public mutating func count(
    _ quantity: Quantity, of item: Entity, lot: Lot? = nil, by writer: Writer
  ) throws(RuleError) -> QuantityChange {
    guard quantity.value >= .zero else { throw .belowZero(quantity) }
    let target = lot?.first ?? item
    let quantity = after.counted(quantity, in: target.unit)
    guard let counted = quantity.converted(to: target.unit) else {
      throw .unitsDoNotConvert(of: item.title, quantity.unit, target.unit)
    }
    guard let lot else {
      let before = Stock(after).holding(of: item)
      try countAll(counted.rounded, of: item, by: writer)
      return change(of: item, parts(of: quantity, countedOn: before))
    }
    if target.kind == .stockItem {
      let others = (Stock(after).total(of: item) - target.quantity.value).rounded
      return try count(Quantity((others + counted).rounded, item.unit), of: item, by: writer)
    }
    for batch in lot.batches { try checkIsOurs(batch) }
    writeLacks(around: item, by: writer)
    set(counted.rounded, in: target, by: writer)
    for other in lot.batches.dropFirst() { set(.zero, in: other, by: writer) }
    let rest = (after[target.key] ?? target).quantity
    return change(of: item, [QuantityChange.Part(key: target.key, quantity: quantity, rest: rest)])
  }

  /// Records a count of all there is of an item that somebody wrote into its file.
  ///
  /// Throws if what lies loose beside the batches has too many digits; then nothing is changed.
  mutating func count(_ total: TotalCount, of key: EntityKey) throws(RuleError) {
    guard let item = after[key] else { return }
    let quantity = total.quantity
    let there = Quantity(Stock(after).total(of: item), item.unit).converted(to: quantity.unit)
    if total.mayBeKnown, quantity.value.rounded == there?.rounded { return }
    let counted = quantity.converted(to: item.unit) ?? quantity.value
    try countAll(counted.rounded, of: item, by: Writer.editor(at: total.at))
  }

  /// Records that there is a number of an item, in its unit, and writes down what is read after
  /// that, so that nothing is below zero.
  private mutating func countAll(
    _ counted: Number, of item: Entity, by writer: Writer
  ) throws(RuleError) {
    let stock = Stock(after)
    let batches = stock.holding(of: item).piles.filter { $0.kind == .inventoryItem && $0.isActive }
    let loose = batches.reduce(counted) { rest, batch in
      rest - (batch.ownQuantity.converted(to: item.unit) ?? .zero)
    }.rounded
    guard Number(loose.description) != nil else {
      throw .tooManyDigits(Quantity(loose, item.unit))
    }
    let now = max(writer.now, stock.latest(of: item).next)
    let full =
      writer.isEditor
      ? []
      : (batches + [item]).filter { pile in
        after[pile.key]?.ledger.isFull(at: now) ?? false
      }
    set(loose, in: item, total: counted, at: now, by: writer)
    for pile in full {
      if pile.key != item.key { set(pile.ownQuantity.value, in: pile, at: now, by: writer) }
      openPage(of: pile.key, at: now)
    }
    writeLacks(around: after[item.key] ?? item, by: writer.at(now))
  }

  /// Returns what a count changed: the parts that became less, otherwise the loose stock.
  private func parts(of quantity: Quantity, countedOn before: Holding) -> [QuantityChange.Part] {
    let item = before.item
    let now = Stock(after).holding(of: after[item.key] ?? item)
    let there = Dictionary((now.batches + [now.item]).map { ($0.key, $0.quantity) }) { $1 }
    let less = (before.usable + [item]).compactMap { pile -> QuantityChange.Part? in
      guard let rest = there[pile.key], rest.value < pile.quantity.value,
        let gone = Quantity((pile.quantity.value - rest.value).rounded, pile.unit)
          .converted(to: item.unit)
      else { return nil }
      return QuantityChange.Part(
        key: pile.key, quantity: Quantity(gone.rounded, item.unit), rest: rest)
    }
    if less.contains(where: { $0.key.kind == .inventoryItem }) { return less }
    return [QuantityChange.Part(key: item.key, quantity: quantity, rest: now.item.quantity)]
  }

  /// Records a count of one batch, which may be used up.
  public mutating func count(_ quantity: Quantity, ofBatch batch: Entity, by writer: Writer)
    throws(RuleError)
  {
    guard quantity.value >= .zero else { throw .belowZero(quantity) }
    try checkIsOurs(batch)
    guard batch.isActive else {
      throw .batchIsNotActive(title(of: batch), status: batch[.status]?.string ?? "")
    }
    let quantity = after.counted(quantity, in: batch.unit)
    guard let counted = quantity.converted(to: batch.unit) else {
      throw .unitsDoNotConvert(of: title(of: batch), quantity.unit, batch.unit)
    }
    writeLacks(around: batch, by: writer)
    set(counted.rounded, in: batch, by: writer)
  }

  /// Records a count of one ledger, at a time or at the entity's new stamp.
  private mutating func set(
    _ number: Number, in target: Entity, total: Number? = nil, at time: Instant? = nil,
    by writer: Writer
  ) {
    let target = after[target.key] ?? target
    let at = time ?? stamp(of: target, now: writer.now)
    let quantity = Quantity(number, target.unit)
    let entry =
      writer.isEditor
      ? LedgerEntry.counted(quantity, of: target.id, total: total, at: at)
      : LedgerEntry(
        id: writer.newID(), at: at, .set(number), unit: target.unit, why: .count,
        by: writer.device, total: total)
    record(entry, in: target.key)
  }

  private mutating func openPage(of key: EntityKey, at start: Instant) {
    guard var entity = after[key] else { return }
    entity.openPage(at: start)
    put(entity)
  }
}

extension Ledger {
  /// Whether a count of all there is begins a new page.
  ///
  /// It does if there are more than 100 entries, and none of them serves a request that may be
  /// repeated, which is possible for 30 days (docs/adoption.md, section 18).
  func isFull(at now: Instant) -> Bool {
    let month = now.adding(milliseconds: -30 * 86_400_000)
    return entries.count > 100 && !entries.contains { $0.request != nil && $0.at > month }
  }
}
