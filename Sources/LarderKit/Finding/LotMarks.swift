public import LarderModel

/// The values by which people tell a batch from others of its item.
public struct LotMarks: Hashable, Sendable {
  public let expiryDay: Day?
  public let code: String?
  /// The name of the batch's location.
  public let place: String?
  public let isOpen: Bool
}

extension Survey {
  /// Returns the values by which people tell a batch from others of its item.
  public func marks(of batch: Entity) -> LotMarks {
    LotMarks(
      expiryDay: batch.expiryDay, code: batch.lotCode, place: place(of: batch),
      isOpen: batch.openedAt != nil)
  }
}
