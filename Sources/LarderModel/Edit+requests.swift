internal import LarderJSON

/// Requests that callers name, so that repeating one changes nothing.
extension Edit {
  /// What a request that the household has served already came to then; nil for a new one.
  func served(_ request: String?) -> QuantityChange? {
    guard let request else { return nil }
    let stock = Stock(after)
    var served: [(entity: Entity, entry: LedgerEntry, quantity: Quantity)] = []
    for entity in after.entities {
      for entry in entity.ledger.entries where entry.request == request && stock.isOurs(entity) {
        guard case .delta(let number) = entry.event else { continue }
        served.append((entity, entry, Quantity(max(number, -number), entry.unit)))
      }
    }
    // In the order in which it was taken: ids decide nothing, and times are often the same.
    served.sort { Stock.isUsedBefore($0.entity, $1.entity) }
    guard let first = served.first?.entity, let end = served.map(\.entry.at).max() else {
      return nil
    }
    let parts = served.map { one in
      QuantityChange.Part(
        key: one.entity.key, quantity: one.quantity,
        rest: one.entity.heard(until: one.entry.at).quantity)
    }
    let then = Edit(household(around: first, until: end))
    var result =
      first.kind == .stockItem
      ? then.change(of: first, parts) : then.change(ofProduct: first.productID, parts)
    result.isNewBatch = served.contains { one in
      one.entity.kind == .inventoryItem
        && one.entity.id == Identifier.derived(from: "request", request, one.entity.productID)
    }
    result.isRepeated = true
    return result
  }

  /// The item that something is stock of, with all its batches, as it was at a moment.
  private func household(around entity: Entity, until end: Instant) -> Household {
    let stock = Stock(after)
    let item = entity.kind == .stockItem ? entity : stock.item(of: entity)
    let batches =
      item.map { stock.batches(of: $0) } ?? stock.batches(ofProduct: entity.productID)
    var household = Household()
    for entity in [item].compactMap(\.self) + batches {
      household.put(entity.heard(until: end), at: after.path(of: entity.key) ?? entity.id)
    }
    return household
  }
}

extension Entity {
  /// The entity as far as its ledger and its status had come by a moment.
  fileprivate func heard(until end: Instant) -> Entity {
    var entity = self
    // What was undone later and is written anew has its old time, and was there once.
    let anew = ledger.entries.filter { $0.quantity == nil && $0.at > end }
      .map { Identifier.derived(from: "undo", $0.id) }
    entity.ledger = Ledger(ledger.entries.filter { $0.at <= end && !anew.contains($0.id) })
    if let status = register("status"), status.stamp > end, status.stamp > createdAt {
      entity.write("status", .string("active"), at: createdAt)
    }
    return entity
  }
}
