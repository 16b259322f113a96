/// The count of all there is from which an item's total goes (FORMAT.md, section 7).
struct Anchor: Hashable, Sendable {
  let at: Instant
  /// What was counted beyond the number of the item's own ledger, in the item's unit.
  let beyond: Number
}

extension Entity {
  /// The count of all there is from which the total of an item goes; nil if its last count says only
  /// what lay loose.
  var anchor: Anchor? { stored.map(\.anchor) ?? anchor(upTo: nil) }

  /// When all there is of an item was counted last; nil if nobody did since somebody counted what
  /// lies loose.
  public var countedAt: Instant? { anchor?.at }

  /// Returns the count of all there is from which the total went at a moment.
  func anchor(upTo moment: Instant?) -> Anchor? {
    guard let start = ledger.start(in: unit, upTo: moment), let total = start.total else {
      return nil
    }
    return Anchor(at: start.at, beyond: total - start.number)
  }

  /// Returns what a batch adds to the total of its item, in its own unit: all that it gives, or what
  /// came and went since the item was counted; by now or up to a moment.
  func share(since count: Instant?, before moment: Instant? = nil) -> Number {
    if moment == nil {
      guard let count else { return given }
      if updatedAt < count { return .zero }
      if let stored, stored.begins > count { return given }
    }
    let (ledger, gone) = (ledger, goneAt)
    let now = ledger.sum(in: unit, goneAt: gone, before: moment)
    return count.map { now - ledger.sum(in: unit, goneAt: gone, before: $0) } ?? now
  }

  /// What a batch gives to its item: its quantity or, once it is no part of the stock, what was taken
  /// from it since by those who did not know.
  var given: Number {
    if let stored, kind == .inventoryItem { return stored.given }
    return isActive ? ownQuantity.value : ledger.sum(in: unit, goneAt: goneAt)
  }

  /// When a batch left the stock other than by its ledger; nil while it is active.
  private var goneAt: Instant? { isActive ? nil : register(.status)?.stamp }
}
