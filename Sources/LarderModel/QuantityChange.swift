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

  /// The item; nil for batches of a product that no item claims.
  public let item: EntityKey?
  public let parts: [Part]
  /// What there is afterwards: of the item, loose and in batches, or of the product.
  public let total: Quantity
  /// Whether what was added made a batch, rather than joining one or the loose stock.
  public var isNewBatch = false
  /// True where the request was served before and nothing was changed now.
  ///
  /// The rest is the first result then, as far as the ledgers that have come here tell.
  public var isRepeated = false
  public var warnings: [BatchWarning] = []
}

/// Something odd about a batch that does not keep it from being written.
public enum BatchWarning: Hashable, Sendable {
  /// It was opened on a day after the one until which it keeps.
  case openedAfterExpiry(opened: Day, expiry: Day)
}
