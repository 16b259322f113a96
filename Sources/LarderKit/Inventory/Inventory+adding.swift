internal import LarderStore
public import LarderModel

extension Inventory {
  /// What adding came to.
  public struct Addition: Hashable, Sendable {
    public enum Action: Hashable, Sendable {
      /// The quantity joined a batch that was there.
      case merged
      /// The quantity is a new batch.
      case created
    }

    public let action: Action
    /// The batch as it is now.
    public let batch: Batch
    /// What the batch held right after the addition.
    public let quantity: Quantity
    /// Whether the request was served before, so that nothing was changed now.
    public let isRepeated: Bool
    public let warnings: [BatchWarning]
  }

  /// Adds to the active batch of the same product, expiry day, opening, place and code, or makes a new
  /// one (the inventory plan's 4.1).
  ///
  /// Of several such batches the oldest is added to, where its unit converts. The details' other
  /// fields count for a new batch only. With `strict`, the product has to be in the catalogue or an item
  /// of the stock, and an opening has to come before the expiry. A `requestID` of your choice makes the
  /// call safe to repeat, also from other devices once they have synced: what was done under it is
  /// told again, whatever else the repeated call says.
  ///
  /// Throws `.requestIsTaken`, and `.rule` with `notAboveZero`, `unitsDoNotConvert` (to what the item
  /// counts in), `itemIsArchived`, `unknownLocation`, `locationIsArchived`, `otherHousehold` (of the
  /// place), `badConfidence`, and with `strict` `unknownProduct` and `openedAfterExpiry`.
  @discardableResult
  public func add(
    _ quantity: Quantity, _ details: BatchDetails, strict: Bool = false, requestID: String? = nil
  ) throws(InventoryError) -> Addition {
    try change("add", request: requestID) { (edit, writer) throws(InventoryError) in
      try edit.refuse(requestID) { $0.kind == .inventoryItem && $1.why == .add }
      let change: QuantityChange
      do throws(RuleError) {
        change = try edit.add(
          quantity, details, strict: strict, request: requestID, by: writer)
      } catch {
        throw .rule(error)
      }
      guard let part = change.parts.first, let batch = edit.after[part.key] else {
        throw .notFound(.inventoryItem, id: details.productID)
      }
      let addition = Addition(
        action: change.isNewBatch ? .created : .merged, batch: edit.shown(batch, by: writer),
        quantity: part.rest, isRepeated: change.isRepeated, warnings: change.warnings)
      return ("add \(quantity) of \(edit.name(ofProduct: details.productID))", addition)
    }
  }
}

extension Edit {
  /// Refuses a request under which something else was done.
  func refuse(_ request: String?, unless isSame: (Entity, LedgerEntry) -> Bool)
    throws(InventoryError)
  {
    guard let request else { return }
    let stock = Stock(after)
    let isOthers = after.entities.contains { entity in
      entity.ledger.entries.contains { entry in
        entry.request == request && stock.isOurs(entity) && !isSame(entity, entry)
      }
    }
    if isOthers { throw .requestIsTaken(request) }
  }
}
