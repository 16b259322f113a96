internal import LarderJSON

/// A purchase: the shop, the time, the amount and the lines.
public struct Receipt: EntityView {
  public static let kind = Kind.receipt
  public var entity: Entity

  public init(entity: Entity) { self.entity = entity }

  public var shop: String {
    get { entity.title }
    set { set(.shopName, newValue) }
  }

  /// The time of the payment.
  public var timestamp: Instant {
    get { entity.timestamp }
    set { set(.timestamp, newValue.description) }
  }

  /// The total that was paid.
  public var amount: Number? {
    get { entity.number(.amount) }
    set { set(.amount, newValue?.json) }
  }

  /// The currency of the amount and the prices, as a code of ISO 4217.
  public var currency: String? {
    get { entity.currency }
    set { set(.currency, newValue) }
  }

  /// The lines; ``Edit/correct(_:by:_:)`` lets the stock follow when they change.
  public var lines: [ReceiptLine] {
    get { entity.lines }
    set { set(.items, .array(newValue.map(\.json))) }
  }

  /// The sum of the lines' prices; nil if a line has none, or if there is no line.
  public var sum: Number? {
    let prices = lines.compactMap(\.price)
    guard !prices.isEmpty, prices.count == lines.count else { return nil }
    return prices.reduce(.zero, +)
  }

  /// Throws `amountDiffers` if the amount is not the sum of the lines' prices.
  ///
  /// A difference of up to a cent a line counts as rounding.
  public func checkAmount() throws(RuleError) {
    guard let amount, let sum else { return }
    let gap = amount - sum
    let rounding = Number(lines.count, over: 100)
    guard gap > rounding || gap < -rounding else { return }
    throw .amountDiffers(amount: amount, sum: sum, currency: currency)
  }
}

extension Edit {
  /// Writes fields of a receipt; the stock follows the difference of its lines.
  ///
  /// A line that now counts as an item, and has no date, gets the item's usual expiry.
  public mutating func correct(_ key: EntityKey, _ fields: [FieldValue], by writer: Writer) {
    guard let old = after[key] else { return }
    var fields = fields
    var usual: [ReceiptLine] = []
    if let place = fields.firstIndex(where: { $0.name == .items }), let items = fields[place].value
    {
      var lines = items.array?.compactMap(ReceiptLine.init) ?? []
      let paid = fields.last { $0.name == .timestamp }?.value?.string.flatMap(Instant.init)
      let ids = keepAsUsual(&lines, since: paid ?? old.timestamp, after: old.lines)
      usual = lines.filter { ids.contains($0.id) }
      let isMarked = mark(&lines, correcting: old, now: writer.now)
      if !usual.isEmpty || isMarked { fields[place].value = .array(lines.map(\.json)) }
    }
    write(fields, to: key, now: writer.now)
    guard let new = after[key], new != old else { return }
    replenish(from: old, to: new, at: writer.now, device: writer.device)
    doubtDates(of: usual, by: writer)
  }

  /// Says in the lines of a saved basket what somebody corrected, so that who saved the same basket
  /// and is heard of later knows it from what nobody said; returns whether it said something.
  private func mark(_ lines: inout [ReceiptLine], correcting old: Entity, now: Instant) -> Bool {
    let known = Dictionary(old.lines.map { ($0.id, $0) }) { first, _ in first }
    let isOfBasket = old.register(.items).map { $0.stamp < old.createdAt } ?? false
    guard isOfBasket || known.values.contains(where: { !$0.edited.isEmpty }) else { return false }
    let stamp = old.stamp(now: now)
    var isMarked = false
    for index in lines.indices {
      let (line, earlier) = (lines[index].json, known[lines[index].id]?.json)
      let names: [FieldName] = [.quantity, .unit, .price, .expiry, .location, .lot]
      for name in names where line[name] != earlier?[name] {
        lines[index].edited[name] = stamp
        isMarked = true
      }
    }
    return isMarked
  }

  /// Corrects a receipt; the stock follows the difference of its lines.
  public mutating func correct(
    _ receipt: Receipt, by writer: Writer, _ change: (inout Receipt) throws -> Void
  ) rethrows {
    correct(receipt.key, try fields(of: receipt, changedBy: change), by: writer)
  }

  /// Voids a receipt; the stock takes back what it added.
  public mutating func void(_ receipt: Receipt, by writer: Writer) {
    correct(receipt.key, [(.isDeleted, .bool(true))], by: writer)
  }

  /// Restores a receipt that was voided, with what it added to the stock.
  public mutating func restore(_ receipt: Receipt, by writer: Writer) {
    correct(receipt.key, [(.isDeleted, .bool(false))], by: writer)
  }
}
