internal import LarderJSON

/// The rules for counts of the real stock.
extension Edit {
  /// Records a count: of a lot, whose oldest batch then has the whole quantity, or of a whole item.
  ///
  /// For an item, batches below zero become empty, the others keep their quantities, and the loose
  /// stock becomes the rest. If the batches alone hold more, nothing is loose, and what is missing
  /// was in the batches that expire first; the parts of the result are these and the loose stock,
  /// with what each had more.
  public mutating func count(
    _ quantity: Quantity, of item: Entity, lot: Lot? = nil, by writer: Writer
  ) throws(RuleError) -> QuantityChange {
    guard quantity.value >= .zero else { throw .belowZero(quantity) }
    let target = lot?.first ?? item
    let quantity = after.counted(quantity, in: target.unit)
    guard let counted = quantity.converted(to: target.unit) else {
      throw .unitsDoNotConvert(of: item.title, quantity.unit, target.unit)
    }
    guard let lot else { return try count(counted, of: item, as: quantity, by: writer) }
    for batch in lot.batches { try checkIsOurs(batch) }
    clearLacks(around: item, counting: target, by: writer)
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
    let (quantity, holding) = (total.quantity, Stock(after).holding(of: item))
    let there = Quantity(holding.total, item.unit).converted(to: quantity.unit)
    if total.mayBeKnown, quantity.value.rounded == there?.rounded { return }
    let writer = Writer.editor(at: total.at)
    guard holding.usable.isEmpty, holding.total == item.ownQuantity.value
    else {
      let counted = quantity.converted(to: item.unit) ?? quantity.value
      var next = self
      _ = try next.count(counted.rounded, of: item, as: quantity, by: writer)
      self = next
      return
    }
    record(.counted(quantity, of: key.id, at: total.at), in: key)
  }

  private mutating func count(
    _ counted: Number, of item: Entity, as quantity: Quantity, by writer: Writer
  ) throws(RuleError) -> QuantityChange {
    let loose = Stock(after).withoutLack(item).quantity
    clearLacks(around: item, counting: item, by: writer)
    let item = after[item.key] ?? item
    let inBatches = Stock(after).total(of: item) - item.ownQuantity.value
    guard inBatches > counted else {
      let loose = (counted - inBatches).rounded
      guard Number(loose.description) != nil else {
        throw .tooManyDigits(Quantity(loose, item.unit))
      }
      set(loose, in: item, by: writer)
      let rest = (after[item.key] ?? item).quantity
      return change(of: item, [QuantityChange.Part(key: item.key, quantity: quantity, rest: rest)])
    }
    set(min(counted, .zero), in: item, by: writer)
    var parts = lower(item, by: (inBatches - counted).rounded, writer)
    if loose.value > .zero {
      let rest = Quantity(.zero, item.unit)
      parts.append(QuantityChange.Part(key: item.key, quantity: loose, rest: rest))
    }
    return change(of: item, parts)
  }

  /// Counts the batches of an item that expire first, so that they hold less by a number in the
  /// item's unit.
  private mutating func lower(
    _ item: Entity, by missing: Number, _ writer: Writer
  ) -> [QuantityChange.Part] {
    var missing = missing
    var parts: [QuantityChange.Part] = []
    for batch in Stock(after).firstExpiredFirst(of: item) where missing > .zero {
      guard let there = batch.quantity.converted(to: item.unit)?.rounded else { continue }
      let less = min(there, missing)
      let left = Quantity(there - less, item.unit).converted(to: batch.unit)?.rounded ?? .zero
      set(less == there ? .zero : left, in: batch, by: writer)
      missing = (missing - less).rounded
      let rest = (after[batch.key] ?? batch).quantity
      parts.append(
        QuantityChange.Part(key: batch.key, quantity: Quantity(less, item.unit), rest: rest))
    }
    return parts
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
    clearLacks(around: batch, counting: batch, by: writer)
    set(counted.rounded, in: batch, by: writer)
  }

  /// Writes down what is read of a holding, and counts as empty what is below zero even so: it can't
  /// be in what somebody counted.
  private mutating func clearLacks(
    around entity: Entity, counting target: Entity, by writer: Writer
  ) {
    writeLacks(around: entity, by: writer)
    for pile in Stock(after).piles(around: entity)
    where pile.isActive && pile.quantity.value < .zero && pile.key != target.key {
      set(.zero, in: pile, by: writer)
    }
  }

  private mutating func set(_ number: Number, in target: Entity, by writer: Writer) {
    var target = after[target.key] ?? target
    if writer.isEditor {
      let time = max(writer.now, target.ledger.latest?.next ?? writer.now)
      record(.counted(Quantity(number, target.unit), of: target.id, at: time), in: target.key)
      return
    }
    let at = target.stamp(now: writer.now)
    let isFull = target.ledger.isFull(at: writer.now)
    target.record(
      LedgerEntry(
        id: writer.newID(), at: at, .set(number), unit: target.unit, why: .count,
        by: writer.device))
    if isFull { target.openPage(at: at) }
    put(target)
  }
}

extension Ledger {
  /// Whether a count begins a new page.
  ///
  /// It does if there are more than 100 entries, and none of them serves a request that may be
  /// repeated, which is possible for 30 days (docs/adoption.md, section 18).
  func isFull(at now: Instant) -> Bool {
    let month = now.adding(milliseconds: -30 * 86_400_000)
    return entries.count > 100 && !entries.contains { $0.request != nil && $0.at > month }
  }
}
