internal import LarderStore
public import LarderModel

extension Inventory {
  /// A batch whose dates were written, with warnings about them.
  public struct Dated: Hashable, Sendable {
    public let batch: Batch
    /// The last day before the change.
    public let expiryBefore: Day?
    public let warnings: [BatchWarning]
  }

  /// Moves a batch, or a part of it, to another location.
  ///
  /// A part becomes a new batch, or joins a batch with the same details there. Returns the batch at
  /// the new location. `unchangedSince` is the `updatedAt` of the version that your user saw; the
  /// call throws `changedSince` if somebody has changed the batch since then.
  ///
  /// Throws `.notFound`, and `.rule` with `batchIsNotActive`, `unknownLocation`,
  /// `locationIsArchived`, `otherHousehold` (of the batch or the location), `changedSince`, and for
  /// a part `notAboveZero`, `tooMuch`, `unitsDoNotConvert`.
  @discardableResult
  public func move(
    batch id: String, to locationID: String, quantity: Quantity? = nil,
    unchangedSince version: Instant? = nil
  ) throws(InventoryError) -> Batch {
    try change("move", ofBatch: id) { (edit, batch, writer) throws(RuleError) in
      let key = try edit.move(
        batch, to: locationID, quantity: quantity, unchangedSince: version, by: writer)
      let name = edit.title(of: batch)
      let place = edit.after[.storageLocation, locationID]?.title ?? locationID
      let moved = edit.shown(edit.after[key] ?? batch, by: writer)
      return ("move \(quantity ?? batch.quantity) of \(name) to \(place)", moved)
    }
  }

  /// Opens a batch, or a part of it, which becomes a new batch; returns the open one.
  ///
  /// If the catalogue says how many days the product keeps after opening, the expiry may become
  /// earlier, but never later. The default of `moment` is now. An opening after the expiry is a
  /// warning, and an error with `strict`. `unchangedSince` is the same as for
  /// ``move(batch:to:quantity:unchangedSince:)``.
  ///
  /// Throws `.notFound`, and `.rule` with `batchIsNotActive`, `alreadyOpened`, `otherHousehold`,
  /// `changedSince`, `openedAfterExpiry`, and for a part `notAboveZero`, `tooMuch`,
  /// `unitsDoNotConvert`.
  @discardableResult
  public func open(
    batch id: String, quantity: Quantity? = nil, at moment: Instant? = nil, strict: Bool = false,
    unchangedSince version: Instant? = nil
  ) throws(InventoryError) -> Dated {
    try change("open", ofBatch: id) { (edit, batch, writer) throws(RuleError) in
      let opening = try edit.open(
        batch, quantity: quantity, at: moment ?? writer.now, strict: strict,
        unchangedSince: version, by: writer)
      let name = edit.title(of: batch)
      let opened = edit.shown(edit.after[opening.batch] ?? batch, by: writer)
      return (
        "open \(opening.quantity) of \(name)",
        Dated(batch: opened, expiryBefore: opening.expiryBefore, warnings: opening.warnings)
      )
    }
  }

  /// Writes or removes the dates of a batch with any status; omitted dates stay.
  ///
  /// Writing the same dates again changes nothing and makes no commit. A confidence is from 0 to 1.
  /// An opening after the expiry is a warning, and an error with `strict`. `unchangedSince` is the
  /// same as for ``move(batch:to:quantity:unchangedSince:)``.
  ///
  /// Throws `.notFound`, and `.rule` with `badConfidence`, `openedAfterExpiry`, `otherHousehold`,
  /// `changedSince`.
  @discardableResult
  public func updateDates(
    ofBatch id: String, expiry: DateUpdate<Day> = .keep, opened: DateUpdate<Instant> = .keep,
    strict: Bool = false, unchangedSince version: Instant? = nil
  ) throws(InventoryError) -> Dated {
    try change("date", ofBatch: id) { (edit, batch, writer) throws(RuleError) in
      let warnings = try edit.date(
        batch, expiry: expiry, opened: opened, strict: strict, unchangedSince: version, by: writer)
      let dated = edit.shown(batch, by: writer)
      return (
        "date \(edit.title(of: batch))",
        Dated(batch: dated, expiryBefore: batch.lastDay, warnings: warnings)
      )
    }
  }

  /// Discards a batch, as if it had never been kept.
  ///
  /// Its file stays, marked as discarded, and ``restore(batch:)`` restores it. Discarding it again
  /// changes nothing. `unchangedSince` is the same as for
  /// ``move(batch:to:quantity:unchangedSince:)``. Throws `.notFound`, and `.rule` with
  /// `otherHousehold`, `changedSince`.
  @discardableResult
  public func discard(batch id: String, unchangedSince version: Instant? = nil)
    throws(InventoryError) -> Batch
  {
    try change("discard", ofBatch: id) { (edit, batch, writer) throws(RuleError) in
      try edit.discard(batch, unchangedSince: version, by: writer)
      let name = edit.title(of: batch)
      return ("discard \(batch.quantity) of \(name)", edit.shown(batch, by: writer))
    }
  }

  /// Restores a discarded or archived batch, with the quantity of its ledger.
  ///
  /// The last throwing away of the batch is undone: see `Edit.bringBack(_:by:)`. Throws
  /// `.notFound`, and `.rule` with `otherHousehold`.
  @discardableResult
  public func restore(batch id: String) throws(InventoryError) -> Batch {
    try change("restore", ofBatch: id) { (edit, batch, writer) throws(RuleError) in
      try edit.bringBack(batch, by: writer)
      let restored = edit.shown(batch, by: writer)
      return ("restore \(restored.quantity) of \(edit.title(of: batch))", restored)
    }
  }

  /// Deletes a batch and its file, for a batch that was just created by mistake.
  ///
  /// Only a batch that no other device can know can be deleted this way. A batch that a remote or
  /// the cloud has would come back from there; use ``discard(batch:unchangedSince:)`` for it. The
  /// history keeps the batch, and an undo restores it. The call waits for a sync in progress.
  ///
  /// Throws `.notFound`, `.notHardDeletable`, and `.rule` with `otherHousehold`, `changedSince`.
  public func deleteForGood(batch id: String, unchangedSince version: Instant? = nil)
    throws(InventoryError)
  {
    // A running sync may be pushing the batch to a remote.
    let lock = try mapError(try store.syncLock(), InventoryError.store)
    defer { lock.release() }
    try change("delete") { (edit, writer) throws(InventoryError) in
      let batch = try edit.batch(id)
      let name = edit.title(of: batch)
      try mapError(try edit.remove(batch, unchangedSince: version), InventoryError.rule)
      let known = try mapError(try store.knownElsewhere([batch.key]), InventoryError.store)
      guard known.isEmpty else { throw .notHardDeletable(id: id) }
      return ("delete \(batch.quantity) of \(name) for good", ())
    }
  }
}
