public import LarderModel

/// What it means that the last day of a batch has passed.
public enum PassedDay: Sendable {
  /// An expiry or a use-by day has passed.
  case expired
  /// A best-before day has passed, or a day that is only guessed: the thing may still be good.
  case pastBest
}

extension Survey {
  /// Returns what it means that the last day of a batch has passed, and the number of days since
  /// then; nil if it has not passed, as the day itself still counts.
  public func passedDay(of batch: Entity) -> (meaning: PassedDay, days: Int)? {
    guard batch.kind == .inventoryItem, let last = batch.batchDay, !last.kind.isOfOrigin else {
      return nil
    }
    let days = calendar.today.daysSinceEpoch - last.day.daysSinceEpoch
    guard days > 0 else { return nil }
    let expires = last.kind != .bestBefore && !last.isDoubtful
    return (expires ? .expired : .pastBest, days)
  }
}
