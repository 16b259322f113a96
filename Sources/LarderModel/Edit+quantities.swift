/// What a change of quantity came to, for telling the user.
public struct QuantityChange: Hashable, Sendable {
  public struct Part: Hashable, Sendable {
    /// The batch, or the item itself for what lies loose.
    public let key: EntityKey
    /// What was taken or added, always above zero.
    public let quantity: Quantity
    /// What is left of the batch or of the loose stock.
    public let rest: Quantity
  }

  public let item: EntityKey
  public let parts: [Part]
  /// What there is now, loose and in batches.
  public let total: Quantity
  /// True where the request was served before and nothing was changed now.
  public var isRepeated = false
}

extension Edit {
  /// Adds to what lies loose.
  public mutating func add(
    _ quantity: Quantity, to item: Entity, request: String? = nil, by writer: Writer
  ) throws(RuleError) -> QuantityChange {
    if let served = served(request, for: item) { return served }
    try check(quantity, for: item)
    let part = record(
      quantity, in: item, taken: false, why: .add, request: request, note: nil, by: writer)
    return change(of: item, [part])
  }

  /// Takes from an item: dated batches first, the earliest expiry before all, then undated ones,
  /// then what lies loose.
  ///
  /// With `batch`, takes from that one alone. Where there is not enough nothing is taken, unless
  /// `partially` says to take what there is.
  public mutating func take(
    _ quantity: Quantity, from item: Entity, batch: Entity? = nil, partially: Bool = false,
    why: LedgerEntry.Reason = .consume, note: String? = nil, request: String? = nil,
    by writer: Writer
  ) throws(RuleError) -> QuantityChange {
    if let served = served(request, for: item) { return served }
    try check(quantity, for: item)
    if let batch, !quantity.unit.converts(to: batch.unit) {
      throw .unitsDoNotConvert(of: item.title, quantity.unit, batch.unit)
    }
    let sources = sources(of: item, batch: batch)
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
        item: item.title, wanted: quantity,
        available: Quantity((quantity.value - open).rounded, quantity.unit))
    }
    var parts: [QuantityChange.Part] = []
    for take in takes {
      parts.append(
        record(
          take.quantity, in: take.source, taken: true, why: why, request: request, note: note,
          by: writer))
    }
    return change(of: item, parts)
  }

  private func sources(of item: Entity, batch: Entity?) -> [Entity] {
    if let batch { return [batch].filter { $0.isActive && $0.quantity.value > .zero } }
    let loose = [item].filter { $0.quantity.value > .zero }
    return Stock(after).firstExpiredFirst(of: item) + loose
  }

  /// States what is really there now: of a batch, or of the whole item, where the batches keep what
  /// they have and the loose stock becomes the rest.
  public mutating func count(
    _ quantity: Quantity, of item: Entity, batch: Entity? = nil, by writer: Writer
  ) throws(RuleError) -> QuantityChange {
    guard quantity.value >= .zero else { throw .belowZero(quantity) }
    var target = batch ?? item
    guard var counted = quantity.converted(to: target.unit) else {
      throw .unitsDoNotConvert(of: item.title, quantity.unit, target.unit)
    }
    if batch == nil {
      let inBatches = Stock(after).total(of: item) - item.quantity.value
      guard inBatches <= counted else {
        throw .batchesExceedCount(
          item: item.title, counted: quantity,
          batches: Quantity(inBatches.rounded, item.unit))
      }
      counted = counted - inBatches
    }
    target.record(
      LedgerEntry(
        id: writer.newID(), at: target.stamp(now: writer.now), .set(counted.rounded),
        unit: target.unit, why: .count, by: writer.device))
    put(target)
    let rest = QuantityChange.Part(key: target.key, quantity: quantity, rest: target.quantity)
    return change(of: item, [rest])
  }

  private func check(_ quantity: Quantity, for item: Entity) throws(RuleError) {
    guard quantity.value > .zero else { throw .notAboveZero(quantity) }
    guard quantity.unit.converts(to: item.unit) else {
      throw .unitsDoNotConvert(of: item.title, quantity.unit, item.unit)
    }
    guard !item.isTombstone else { throw .itemIsArchived(item: item.title) }
  }

  private mutating func record(
    _ quantity: Quantity, in target: Entity, taken: Bool, why: LedgerEntry.Reason,
    request: String?, note: String?, by writer: Writer
  ) -> QuantityChange.Part {
    var entity = after[target.key] ?? target
    let id = request.map { Identifier.derived(from: "request", $0, target.id) } ?? writer.newID()
    entity.record(
      LedgerEntry(
        id: id, at: entity.stamp(now: writer.now),
        .delta(taken ? -quantity.value : quantity.value), unit: quantity.unit, why: why,
        by: writer.device, request: request, note: note))
    put(entity)
    return QuantityChange.Part(key: target.key, quantity: quantity, rest: entity.quantity)
  }

  private func change(of item: Entity, _ parts: [QuantityChange.Part]) -> QuantityChange {
    let current = after[item.key] ?? item
    let total = Quantity(Stock(after).total(of: current), current.unit)
    return QuantityChange(item: item.key, parts: parts, total: total)
  }

  /// What a request that the household has served already came to; nil for a new one.
  private func served(_ request: String?, for item: Entity) -> QuantityChange? {
    guard let request else { return nil }
    var parts: [QuantityChange.Part] = []
    for entity in after.entities {
      for entry in entity.ledger.entries where entry.request == request {
        guard case .delta(let number) = entry.event else { continue }
        let quantity = Quantity(max(number, -number), entry.unit)
        parts.append(
          QuantityChange.Part(key: entity.key, quantity: quantity, rest: entity.quantity))
      }
    }
    guard !parts.isEmpty else { return nil }
    parts.sort { $0.key.id < $1.key.id }
    var first = change(of: item, parts)
    first.isRepeated = true
    return first
  }
}
