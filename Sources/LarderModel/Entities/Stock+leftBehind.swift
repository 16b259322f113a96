/// Quantities that others put into an item without knowing that it was archived or merged.
extension Stock {
  /// Returns the quantity of an archived item that nobody meant to archive; nil if there is none.
  ///
  /// It is any quantity below zero. It is a quantity above zero if the quantity changed after the
  /// archiving, or if the archiving moved the stock to another item.
  public func leftBehind(of item: Entity) -> Quantity? {
    guard item.isTombstone, let archived = item.register(.isArchived)?.stamp else { return nil }
    let total = total(of: item)
    guard total != .zero else { return nil }
    let ledgers = [item.ledger] + batches(of: item).filter(\.isActive).map(\.ledger)
    let isMeant =
      total > .zero && !item.wasEmptied(at: archived)
      && ledgers.allSatisfy { ledger in ledger.counting.allSatisfy { $0.at <= archived } }
    return isMeant ? nil : Quantity(total, item.unit)
  }
}

extension Entity {
  /// Whether its loose stock was moved elsewhere in the edit that archived it, as a merge does.
  ///
  /// The stamps of one edit follow each other by milliseconds.
  fileprivate func wasEmptied(at archived: Instant) -> Bool {
    ledger.counting.contains { entry in
      guard entry.why == .move, case .delta(let number) = entry.event else { return false }
      return number < .zero && entry.at <= archived
        && archived <= entry.at.adding(milliseconds: 10)
    }
  }
}
