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
}

/// A warning about a batch, which is written anyway.
public enum BatchWarning: Hashable, Sendable {
  /// It was opened after its expiry day.
  case openedAfterExpiry(opened: Day, expiry: Day)
}
