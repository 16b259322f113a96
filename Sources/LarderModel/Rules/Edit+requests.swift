internal import LarderJSON
internal import LarderText

/// Named requests: repeating one changes nothing.
extension Edit {
  /// Returns the result of a request that was served before, or nil for a new request.
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
    // The order in which it was taken. Ids don't tell it, and times are often equal.
    served.sort { UseOrder($0.entity) < UseOrder($1.entity) }
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

  /// Returns the item of an entity, with all its batches, as they were at a moment.
  private func household(around entity: Entity, until end: Instant) -> Household {
    let stock = Stock(after)
    let item = entity.kind == .stockItem ? entity : stock.item(of: entity)
    let batches =
      item.map { stock.batches(of: $0) } ?? stock.batches(ofProduct: entity.productID)
    var household = Household()
    for entity in [item].compactMap(\.self) + batches {
      household.put(entity.heard(until: end), at: after.path(of: entity.key) ?? FilePath(entity.id))
    }
    return household
  }
}

extension Entity {
  /// Returns the entity as its ledger and status were at a moment.
  fileprivate func heard(until end: Instant) -> Entity {
    var entity = self
    // An entry that was undone later and added again has its old time. It existed at the moment, in
    // its first form.
    let anew = ledger.entries.filter { $0.quantity == nil && $0.at > end }
      .map { Identifier.derived(from: "undo", $0.id) }
    entity.ledger = Ledger(
      ledger.entries.filter { $0.at <= end && !anew.contains($0.id) }, from: ledger.pageFrom)
    if let status = register(.status), status.stamp > end, status.stamp > createdAt {
      entity.write(.status, .string("active"), at: createdAt)
    }
    return entity
  }
}
