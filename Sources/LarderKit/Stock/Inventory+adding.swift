internal import LarderStore
public import LarderModel

extension Inventory {
  /// The result of adding.
  public struct Addition: Hashable, Sendable {
    public enum Action: Hashable, Sendable {
      /// The quantity was added to an existing batch.
      case merged
      /// The quantity is a new batch.
      case created
    }

    public let action: Action
    /// The batch now.
    public let batch: Batch
    /// The quantity of the batch right after the addition.
    public let quantity: Quantity
    /// Whether the request was already done before, so nothing changed now.
    public let isRepeated: Bool
    /// Whether what a repeated request did was taken back since; another id does it again.
    public let isTakenBack: Bool
    public let warnings: [BatchWarning]
  }

  /// Adds to the active batch with the same product, dates, location, code and notes, or creates a
  /// new one.
  ///
  /// The dates are the same if everything about them is: day, kind, text on the package and
  /// confidence. If there are several such batches, it adds to the oldest one whose unit converts. The
  /// snapshot of `details` is used for a new batch only. With `strict`, the product must be in the
  /// catalogue or an item of the stock, and an opening must be before the expiry. A `requestID` of
  /// your choice makes the call safe to repeat, also from other devices after they have synced: a
  /// repeated call returns the first result and ignores its other `details`.
  ///
  /// Throws `.rule` with `requestIsTaken` (by another act, product or quantity), `notAboveZero`,
  /// `unitsDoNotConvert` (to the item's unit), `itemIsArchived`, `unknownLocation`, `locationIsArchived`, `otherHousehold` (of the
  /// location), `badConfidence`, and with `strict` `unknownProduct` and `openedAfterExpiry`.
  @discardableResult
  public func add(
    _ quantity: Quantity, _ details: BatchDetails, strict: Bool = false, requestID: String? = nil
  ) throws(InventoryError) -> Addition {
    try change("add", request: requestID) { (edit, writer) throws(InventoryError) in
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
        quantity: part.rest, isRepeated: change.isRepeated, isTakenBack: change.isTakenBack,
        warnings: change.warnings)
      return ("put \(quantity) of \(edit.name(ofProduct: details.productID))", addition)
    }
  }
}
