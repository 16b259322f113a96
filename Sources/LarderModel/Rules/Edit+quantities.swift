internal import LarderJSON

/// The rules for quantities; they add to ledgers and change nothing else.
extension Edit {
  /// Adds to the loose stock or, if there is a day or a place, to a batch.
  ///
  /// If nobody says until when it keeps or where it is put, it is as the item says; nil says that there
  /// is none.
  ///
  /// Throws if the quantity is not above zero, if its unit does not convert to the item's, or if
  /// the item is archived.
  public mutating func add(
    _ quantity: Quantity, to item: Entity, expiry: ExpiryInfo?? = nil, place: String?? = nil,
    request: String? = nil, by writer: Writer
  ) throws(RuleError) -> QuantityChange {
    let quantity = after.counted(quantity, in: item.unit)
    if let served = try served(request, .add, quantity, { Stock(after).isHeld($0, by: item) }) {
      return served
    }
    try check(quantity, for: item)
    if let details = details(of: item, expiry: expiry, place: place, at: writer.now) {
      return try add(quantity, details, isComplete: true, request: request, by: writer)
    }
    writeLacks(around: item, by: writer)
    let part = record(quantity, in: item, .added(.add), request: request, by: writer)
    return change(of: item, [part])
  }

  /// Takes from an item: dated batches first, by earliest expiry, then undated ones, then the loose
  /// stock.
  ///
  /// With `lot`, it takes only from the lot's batches. If there is not enough, it takes nothing and
  /// throws; with `partially`, it takes what there is.
  public mutating func take(
    _ quantity: Quantity, from item: Entity, lot: Lot? = nil, partially: Bool = false,
    why: LedgerEntry.Reason = .consume, note: String? = nil, request: String? = nil,
    by writer: Writer
  ) throws(RuleError) -> QuantityChange {
    let quantity = after.counted(quantity, in: lot?.first.unit ?? item.unit)
    let served = try served(request, why, quantity, partially: partially) { held in
      lot.map { lot in lot.batches.contains { $0.key == held.key } }
        ?? Stock(after).isHeld(held, by: item)
    }
    if let served { return served }
    try check(quantity, for: item)
    if let lot, !quantity.unit.converts(to: lot.first.unit) {
      throw .unitsDoNotConvert(of: item.title, quantity.unit, lot.first.unit)
    }
    let parts = try take(
      quantity, from: try sources(of: item, lot), of: item.title, partially: partially,
      .taken(why, note: note), request: request, by: writer)
    return change(of: item, parts)
  }

  /// Takes from the batches of a product only, by earliest expiry.
  ///
  /// For an item's own id, it takes from the whole item.
  public mutating func take(
    _ quantity: Quantity, ofProduct product: String, partially: Bool = false,
    why: LedgerEntry.Reason = .consume, note: String? = nil, request: String? = nil,
    by writer: Writer
  ) throws(RuleError) -> QuantityChange {
    if let item = after[.stockItem, product] {
      return try take(
        quantity, from: item, partially: partially, why: why, note: note, request: request,
        by: writer)
    }
    let batches = Stock(after).batches(ofProduct: product)
    let oldest = batches.min(by: Stock.isOlder)
    let quantity = oldest.map { after.counted(quantity, in: $0.unit) } ?? quantity
    let isOf = isOf(product: product)
    if let served = try served(request, why, quantity, partially: partially, isOf) {
      return served
    }
    guard quantity.value > .zero else { throw .notAboveZero(quantity) }
    guard let first = oldest else { throw .unknownProduct(product) }
    let usable = batches.filter { $0.unit.converts(to: quantity.unit) }
    guard !usable.isEmpty else {
      throw .unitsDoNotConvert(of: first.title, quantity.unit, first.unit)
    }
    let parts = try take(
      quantity, from: Stock.firstExpiredFirst(usable), of: first.title, partially: partially,
      .taken(why, note: note), request: request, by: writer)
    return change(ofProduct: product, parts)
  }

  /// Takes from one batch only, which need not belong to an item.
  public mutating func take(
    _ quantity: Quantity, fromBatch batch: Entity, partially: Bool = false,
    why: LedgerEntry.Reason = .consume, note: String? = nil, request: String? = nil,
    by writer: Writer
  ) throws(RuleError) -> QuantityChange {
    let quantity = after.counted(quantity, in: batch.unit)
    let served = try served(request, why, quantity, partially: partially) { $0.key == batch.key }
    if let served { return served }
    guard quantity.value > .zero else { throw .notAboveZero(quantity) }
    let batch = Stock(after).withoutLack(batch)
    try checkCanChange(batch, nil)
    guard quantity.unit.converts(to: batch.unit) else {
      throw .unitsDoNotConvert(of: title(of: batch), quantity.unit, batch.unit)
    }
    let parts = try take(
      quantity, from: [batch], of: title(of: batch), partially: partially,
      .taken(why, note: note), request: request, by: writer)
    return change(ofProduct: batch.productID, parts)
  }

  /// Returns whether something is a batch of a product, or of the item that claims it.
  func isOf(product: String) -> (Entity) -> Bool {
    let stock = Stock(after)
    let item = after[.stockItem, product] ?? stock.item(ofProduct: product)
    return { held in
      held.kind == .inventoryItem
        && (held.productID == product || item.map { stock.isHeld(held, by: $0) } ?? false)
    }
  }

  private mutating func take(
    _ quantity: Quantity, from sources: [Entity], of title: String, partially: Bool,
    _ event: Event, request: String?, by writer: Writer
  ) throws(RuleError) -> [QuantityChange.Part] {
    var open = quantity.value
    var takes: [(source: Entity, quantity: Quantity)] = []
    for source in sources where open > .zero {
      let available = source.quantity.converted(to: quantity.unit)?.rounded ?? .zero
      if available <= open {
        takes.append((source, source.quantity))
        open = (open - available).rounded
      } else {
        takes.append((source, Quantity(open, quantity.unit)))
        open = .zero
      }
    }
    if open > .zero, !partially || takes.isEmpty {
      throw .notEnough(
        item: title, wanted: quantity,
        available: Quantity((quantity.value - open).rounded, quantity.unit))
    }
    // One act has one time.
    let at = takes.map { stamp(of: $0.source, now: writer.now) }.max()
    return takes.map {
      record($0.quantity, in: $0.source, event, at: at, request: request, by: writer)
    }
  }

  private func sources(of item: Entity, _ lot: Lot?) throws(RuleError) -> [Entity] {
    guard let lot else {
      let holding = Stock(after).holding(of: item)
      return holding.usable + [holding.item].filter { $0.quantity.value > .zero }
    }
    for batch in lot.batches { try checkIsOurs(batch) }
    return Stock.firstExpiredFirst(lot.batches.map(Stock(after).withoutLack))
  }
}

extension Edit {
  func check(_ quantity: Quantity, for item: Entity) throws(RuleError) {
    guard quantity.value > .zero else { throw .notAboveZero(quantity) }
    guard quantity.unit.converts(to: item.unit) else {
      throw .unitsDoNotConvert(of: item.title, quantity.unit, item.unit)
    }
    guard !item.isTombstone else { throw .itemIsArchived(item: item.title) }
  }

  func checkIsOurs(_ entity: Entity) throws(RuleError) {
    guard Stock(after).isOurs(entity) else {
      throw .otherHousehold(title(of: entity), household: entity.householdID ?? "")
    }
  }
}

extension Edit {
  /// The event that an entry records.
  enum Event {
    case added(LedgerEntry.Reason)
    case taken(LedgerEntry.Reason, note: String?)
  }

  mutating func record(
    _ quantity: Quantity, in target: Entity, _ event: Event, at time: Instant? = nil,
    request: String? = nil, by writer: Writer
  ) -> QuantityChange.Part {
    var entity = after[target.key] ?? target
    // The first entry of a new entity has the entity's creation time.
    let isNew = after[target.key] == nil
    let id = request.map { Identifier.derived(from: "request", $0, target.id) } ?? writer.newID()
    let at = time ?? stamp(of: target, now: isNew ? target.createdAt : writer.now)
    let (number, why, note): (Number, LedgerEntry.Reason, String?) =
      switch event {
      case .added(let why): (quantity.value, why, nil)
      case .taken(let why, let note): (-quantity.value, why, note)
      }
    entity.record(
      LedgerEntry(
        id: id, at: at, .delta(number), unit: quantity.unit, why: why, by: writer.device,
        request: request, note: note))
    put(entity)
    return QuantityChange.Part(key: target.key, quantity: quantity, rest: entity.quantity)
  }

  /// Moves a quantity from one ledger to another; both entries have one time.
  mutating func transfer(
    _ quantity: Quantity, from source: Entity, to target: Entity, by writer: Writer
  ) {
    let at = [source, target].map { stamp(of: $0, now: writer.now) }.max()
    _ = record(quantity, in: source, .taken(.move, note: nil), at: at, by: writer)
    _ = record(quantity, in: target, .added(.move), at: at, by: writer)
  }

  func change(of item: Entity, _ parts: [QuantityChange.Part]) -> QuantityChange {
    let holding = Stock(after).holding(of: after[item.key] ?? item)
    let total = Quantity(holding.total, holding.item.unit)
    let read = ([holding.item] + holding.batches).filter { $0.read != nil }
    let parts = parts.map { part in
      let rest = read.first { $0.key == part.key }?.quantity ?? part.rest
      return QuantityChange.Part(key: part.key, quantity: part.quantity, rest: rest)
    }
    return QuantityChange(item: item.key, parts: parts, total: total)
  }

  /// Returns the change of a product's batches.
  ///
  /// It is the change of the item, if one claims the product.
  func change(ofProduct product: String, _ parts: [QuantityChange.Part]) -> QuantityChange {
    let stock = Stock(after)
    if let item = after[.stockItem, product] ?? stock.item(ofProduct: product) {
      return change(of: item, parts)
    }
    let total = stock.summary(ofProduct: product)?.total ?? Quantity(.zero, .piece)
    return QuantityChange(item: nil, parts: parts, total: total)
  }
}

/// The result of a change of quantity, for messages.
public struct QuantityChange: Hashable, Sendable {
  public struct Part: Hashable, Sendable {
    /// The batch, or the item for its loose stock.
    public let key: EntityKey
    /// The quantity that was taken or added, always above zero.
    public let quantity: Quantity
    /// The rest in the batch or in the loose stock.
    public let rest: Quantity
  }

  /// The item; nil for batches of a product that no item claims.
  public let item: EntityKey?
  public let parts: [Part]
  /// The total afterwards: of the item, loose and in batches, or of the product.
  public let total: Quantity
  /// Whether the addition created a batch, instead of going to an existing one or to the loose
  /// stock.
  public var isNewBatch = false
  /// Whether the request was served before, so that nothing changed now.
  ///
  /// Then the rest is that of the first time, as far as the ledgers on this device show it.
  public var isRepeated = false
  /// Whether all that a repeated request did was taken back since.
  public var isTakenBack = false
  public var warnings: [BatchWarning] = []

  /// Returns the sum of the parts in a unit.
  public func amount(in unit: Unit) -> Quantity {
    let sum = parts.reduce(Number.zero) { $0 + ($1.quantity.converted(to: unit) ?? .zero) }
    return Quantity(sum.rounded, unit)
  }

  /// Returns the part of a wanted quantity that was not there; zero unless what there is was taken.
  public func missing(of wanted: Quantity) -> Quantity {
    Quantity(max(.zero, (wanted.value - amount(in: wanted.unit).value).rounded), wanted.unit)
  }
}

/// A warning about a batch, which is written anyway.
public enum BatchWarning: Hashable, Sendable {
  /// It was opened after its expiry day.
  case openedAfterExpiry(opened: Day, expiry: Day)
}

/// Taking batches out of the stock, and bringing them back.
extension Edit {
  /// Discards a batch, as if it had never been kept; its file stays as a tombstone.
  public mutating func discard(
    _ batch: Entity, unchangedSince version: Instant? = nil, by writer: Writer
  ) throws(RuleError) {
    try checkCanChange(batch, version, isActive: false)
    guard batch[.status] != .string("discarded") else { return }
    writeLacks(around: batch, by: writer)
    write([(.status, .string("discarded"))], to: batch.key, now: writer.now)
  }

  /// Removes a batch and its file; only for a batch that no other device can know.
  public mutating func remove(_ batch: Entity, unchangedSince version: Instant? = nil)
    throws(RuleError)
  {
    try checkCanChange(batch, version, isActive: false)
    remove(batch.key)
  }

  /// Restores a discarded or archived batch, with the quantity of its ledger.
  public mutating func restore(_ batch: Entity, by writer: Writer) throws(RuleError) {
    try checkIsOurs(batch)
    write([(.status, .string("active"))], to: batch.key, now: writer.now)
  }

  /// Restores a batch that was discarded or archived, and undoes its last spoiling.
  ///
  /// The spoiling is undone only if nothing is left of the batch, or if the batch was in the stock.
  /// Nothing changes if the newest event of its quantity is not a spoiling.
  public mutating func bringBack(_ batch: Entity, by writer: Writer) throws(RuleError) {
    try checkIsOurs(batch)
    if !batch.isActive { try restore(batch, by: writer) }
    guard batch.isActive || batch.quantity.value <= .zero, var back = after[batch.key],
      let last = back.ledger.counting.last, last.why == .spoil
    else { return }
    back.ledger.undo(last.id, at: back.stamp(now: writer.now), by: writer.device)
    put(back)
  }

  /// Archives the batches that this edit used up or spoiled completely.
  ///
  /// A household can turn this on.
  public mutating func archiveConsumed(now: Instant) {
    for key in changed where key.kind == .inventoryItem {
      guard let batch = after[key], batch.isActive, batch.quantity.value == .zero,
        let old = before[key], old.hasSomethingLeft
      else { continue }
      let known = old.ledger
      let isUsedUp = batch.ledger.entries.contains { entry in
        (entry.why == .consume || entry.why == .spoil) && known[entry.id] == nil
      }
      guard isUsedUp else { continue }
      write([(.status, .string("archived"))], to: key, now: now)
    }
  }
}
