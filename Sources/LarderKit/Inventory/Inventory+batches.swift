internal import LarderStore
public import LarderModel

extension Inventory {
  /// A batch whose dates were written, and what is odd about them.
  public struct Dated: Hashable, Sendable {
    public let batch: Batch
    /// Until when it kept before.
    public let expiryBefore: Day?
    public let warnings: [BatchWarning]
  }

  /// Moves a batch to another place, or a part of it, which becomes a batch of its own or joins its
  /// like there (the inventory plan's 4.3).
  ///
  /// Gives the batch that lies there then. With `unchangedSince`, the `updatedAt` of the version that
  /// your user saw, it throws `changedSince` where somebody has written to the batch meanwhile.
  ///
  /// Throws `.notFound`, and `.rule` with `batchIsNotActive`, `unknownLocation`, `locationIsArchived`,
  /// `otherHousehold` (of the batch or the place), `changedSince`, and for a part `notAboveZero`,
  /// `tooMuch`, `unitsDoNotConvert`.
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

  /// Opens a batch, or a part of it, which becomes a batch of its own; gives the open one.
  ///
  /// Where the catalogue says how many days the product keeps once it is open, that may bring its
  /// expiry forward, and never back. `moment` is now where it is left out. With `strict`, an opening
  /// after the expiry throws, and is a warning otherwise. `unchangedSince` as for
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

  /// Writes or removes dates of a batch, whatever its status; what is not named stays (the inventory
  /// plan's 4.4).
  ///
  /// Writing the same dates again changes nothing and makes no commit. A confidence is from 0 to 1. With
  /// `strict`, an opening after the expiry throws, and is a warning otherwise. `unchangedSince` as for
  /// ``move(batch:to:quantity:unchangedSince:)``.
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
        Dated(batch: dated, expiryBefore: batch.expiryDay, warnings: warnings)
      )
    }
  }

  /// Takes a batch out as if it had never been kept; its file stays, marked as discarded, and
  /// ``restore(batch:)`` brings it back (the inventory plan's 4.8).
  ///
  /// Discarding it again changes nothing. `unchangedSince` as for
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

  /// Brings back a batch that was discarded or archived, with what its ledger says there is.
  ///
  /// Throws `.notFound`, and `.rule` with `otherHousehold`.
  @discardableResult
  public func restore(batch id: String) throws(InventoryError) -> Batch {
    try change("restore", ofBatch: id) { (edit, batch, writer) throws(RuleError) in
      try edit.restore(batch, by: writer)
      let restored = edit.shown(batch, by: writer)
      return ("restore \(restored.quantity) of \(edit.title(of: batch))", restored)
    }
  }

  /// Deletes a batch with its file, for one that was made by mistake just now (the inventory plan's
  /// `hardDelete`).
  ///
  /// Only what nobody but this clone can know may go like that: a batch that a remote or the cloud has
  /// would come back from there, and ``discard(batch:unchangedSince:)`` is the way. The history keeps
  /// the batch, and an undo brings it back. Waits for a sync that is under way.
  ///
  /// Throws `.notFound`, `.notHardDeletable`, and `.rule` with `otherHousehold`, `changedSince`.
  public func deleteForGood(batch id: String, unchangedSince version: Instant? = nil)
    throws(InventoryError)
  {
    let lock: HouseholdLock
    do throws(StoreError) {
      // What a sync is just pushing, a remote knows in a moment.
      lock = try store.syncLock()
    } catch {
      throw .store(error)
    }
    defer { lock.release() }
    try change("delete") { (edit, writer) throws(InventoryError) in
      let batch = try edit.batch(id)
      let name = edit.title(of: batch)
      do throws(RuleError) {
        try edit.remove(batch, unchangedSince: version)
      } catch {
        throw .rule(error)
      }
      guard try !isKnownElsewhere(batch.key) else { throw .notHardDeletable(id: id) }
      return ("delete \(batch.quantity) of \(name) for good", ())
    }
  }

  private func isKnownElsewhere(_ key: EntityKey) throws(InventoryError) -> Bool {
    do throws(StoreError) {
      return try !store.knownElsewhere([key]).isEmpty
    } catch {
      throw .store(error)
    }
  }
}
