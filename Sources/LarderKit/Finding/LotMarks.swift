public import LarderModel

/// What people tell a batch from others of its item by.
public struct LotMarks: Hashable, Sendable {
  public let expiryDay: Day?
  public let code: String?
  /// The name of the place that it is in.
  public let place: String?
  public let isOpen: Bool
}

extension Survey {
  /// What tells a batch from others of its item.
  public func marks(of batch: Entity) -> LotMarks {
    LotMarks(
      expiryDay: batch.expiryDay, code: batch.lotCode, place: place(of: batch),
      isOpen: batch.openedAt != nil)
  }
}
