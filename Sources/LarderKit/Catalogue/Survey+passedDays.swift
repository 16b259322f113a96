public import LarderModel

extension Survey {
  /// Returns what it means today that the last day of a batch has passed, and the number of days
  /// since then; nil if it has not passed, as the day itself still counts.
  public func passedDay(of batch: Entity) -> (meaning: PassedDay, days: Int)? {
    let today = calendar.today
    return batch.passedDay(on: today).flatMap { meaning in
      batch.lastDay.map { (meaning, today.daysSinceEpoch - $0.daysSinceEpoch) }
    }
  }
}
