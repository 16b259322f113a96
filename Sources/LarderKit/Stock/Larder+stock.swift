public import LarderModel

/// What people do with the batches of a product or an item, by their ids; each call is one commit.
///
/// Every call throws the `RuleError` of its rule, and ``NamingError`` with `notFound` if the household
/// has no batch or item with the id. ``Survey`` reads batches.
extension Larder {
  /// Adds to the active batch with the same product, dates, location, code and notes, or creates a
  /// new one; returns the batch now.
  ///
  /// The dates are the same if everything about them is: day, kind, text on the package and
  /// confidence. If there are several such batches, it adds to the oldest one whose unit converts. The
  /// snapshot of `details` is used for a new batch only. With `strict`, the product must be in the
  /// catalogue or an item of the stock, and an opening must be before the expiry. A `request` of
  /// your choice makes the call safe to repeat, also from other devices after they have synced: a
  /// repeated call returns the first result and ignores its other `details`.
  ///
  /// Throws `requestIsTaken` (by another act, product or quantity), `notAboveZero`,
  /// `unitsDoNotConvert` (to the item's unit), `itemIsArchived`, `unknownLocation`,
  /// `locationIsArchived`, `otherHousehold` (of the location), `badConfidence`, and with `strict`
  /// `unknownProduct` and `openedAfterExpiry`.
  @discardableResult
  public func add(
    _ quantity: Quantity, _ details: BatchDetails, strict: Bool = false, request: String? = nil
  ) throws -> (batch: Batch, change: QuantityChange) {
    try commit(request: request) { change in
      let added = try change.edit.add(
        quantity, details, strict: strict, request: request, by: change.writer)
      guard let part = added.parts.first, let batch = change.edit.after[part.key] else {
        throw NamingError.none(.inventoryItem, id: details.productID)
      }
      change.subject = "put \(quantity) of \(change.name(ofProduct: details.productID))"
      return (change.shown(batch), added)
    }.value
  }

  /// Uses some of a product's batches: the earliest expiry first, undated ones last, among equals
  /// the oldest first.
  ///
  /// For the id of an item, it takes from the batches of all its products, then from the loose
  /// stock. If there is not enough, it takes nothing and throws; with `partially`, it takes what
  /// there is. A batch that comes to zero is consumed, and archived if the setting `archiveConsumed`
  /// is on; an item that comes to zero goes on the shopping list. `request` is the same as for
  /// ``add(_:_:strict:request:)``.
  ///
  /// Throws `requestIsTaken`, `unknownProduct` (there was never a batch of it, and no item has the
  /// id), `notAboveZero`, `notEnough`, `unitsDoNotConvert`, `itemIsArchived`.
  @discardableResult
  public func consume(
    _ amount: Quantity, ofProduct id: String, partially: Bool = false, request: String? = nil
  ) throws -> QuantityChange {
    try take(amount, ofProduct: id, partially: partially, request)
  }

  /// Uses some of one batch, otherwise like ``consume(_:ofProduct:partially:request:)``.
  ///
  /// Throws `requestIsTaken`, `batchIsNotActive`, `notAboveZero`, `notEnough`, `unitsDoNotConvert`,
  /// `otherHousehold`.
  @discardableResult
  public func consume(
    _ amount: Quantity, ofBatch id: String, partially: Bool = false, request: String? = nil
  ) throws -> QuantityChange {
    try take(amount, ofBatch: id, partially: partially, request)
  }

  /// Throws away some of a product, in the order of ``consume(_:ofProduct:partially:request:)``; it
  /// does not count as used.
  ///
  /// `reason` is for the batches' history.
  @discardableResult
  public func spoil(
    _ amount: Quantity, ofProduct id: String, reason: String? = nil, partially: Bool = false,
    request: String? = nil
  ) throws -> QuantityChange {
    try take(amount, ofProduct: id, why: .spoil, reason, partially: partially, request)
  }

  /// Throws away some or all of a batch, otherwise like
  /// ``consume(_:ofBatch:partially:request:)``.
  @discardableResult
  public func spoil(
    _ amount: Quantity? = nil, ofBatch id: String, reason: String? = nil, request: String? = nil
  ) throws -> QuantityChange {
    try take(amount, ofBatch: id, why: .spoil, reason, request)
  }

  /// Records a count of one batch, which may be used up; 0 uses it up.
  ///
  /// Uses and additions on other devices before the count no longer matter; later ones do. Throws
  /// `belowZero`, `unitsDoNotConvert`, `batchIsNotActive`, `otherHousehold`.
  @discardableResult
  public func count(_ quantity: Quantity, ofBatch id: String) throws -> Batch {
    try change(batch: id) { change, batch in
      try change.edit.count(quantity, ofBatch: batch, by: change.writer)
      change.subject = "count \(quantity) of \(change.edit.title(of: batch))"
      return change.shown(batch)
    }
  }

  /// Records a count of a whole item; its batches keep their quantities, and the loose stock
  /// becomes the rest.
  ///
  /// If the batches alone hold more, those that expire first hold less then. Throws `belowZero`,
  /// `unitsDoNotConvert`.
  @discardableResult
  public func count(_ quantity: Quantity, ofItem id: String) throws -> StockSummary {
    try commit { change in
      guard let item = change.edit.after[.stockItem, id] else {
        throw NamingError.none(.stockItem, id: id)
      }
      _ = try change.edit.count(quantity, of: item, by: change.writer)
      change.subject = "count \(quantity) of \(item.title)"
      return Stock(change.edit.after).summary(of: change.edit.after[item.key] ?? item)
    }.value
  }

  /// Takes an amount, or with nil the whole batch.
  private func take(
    _ amount: Quantity?, ofBatch id: String, why: LedgerEntry.Reason = .consume,
    _ note: String? = nil, partially: Bool = false, _ request: String?
  ) throws -> QuantityChange {
    try change(batch: id, request: request) { change, batch in
      // The whole batch is what it was when the request was served.
      let wanted = amount ?? change.edit.served(under: request)?.quantity ?? batch.quantity
      let taken = try change.edit.take(
        wanted, fromBatch: batch, partially: partially, why: why, note: note, request: request,
        by: change.writer)
      change.say(taken, in: wanted.unit, of: batch.productID, why)
      return taken
    }
  }

  private func take(
    _ amount: Quantity, ofProduct id: String, why: LedgerEntry.Reason = .consume,
    _ note: String? = nil, partially: Bool, _ request: String?
  ) throws -> QuantityChange {
    try commit(request: request) { change in
      let taken = try change.edit.take(
        amount, ofProduct: id, partially: partially, why: why, note: note, request: request,
        by: change.writer)
      change.say(taken, in: amount.unit, of: id, why)
      return taken
    }.value
  }
}

extension Larder {
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
  /// Throws `batchIsNotActive`, `unknownLocation`, `locationIsArchived`, `otherHousehold` (of the
  /// batch or the location), `changedSince`, and for a part `notAboveZero`, `tooMuch`,
  /// `unitsDoNotConvert`.
  @discardableResult
  public func move(
    batch id: String, to locationID: String, quantity: Quantity? = nil,
    unchangedSince version: Instant? = nil
  ) throws -> Batch {
    try change(batch: id) { change, batch in
      let key = try change.edit.move(
        batch, to: locationID, quantity: quantity, unchangedSince: version, by: change.writer)
      let place = change.edit.after[.storageLocation, locationID]?.title ?? locationID
      let name = change.edit.title(of: batch)
      change.subject = "move \(quantity ?? batch.quantity) of \(name) to \(place)"
      return change.shown(change.edit.after[key] ?? batch)
    }
  }

  /// Opens a batch, or a part of it, which becomes a new batch; returns the open one.
  ///
  /// If the catalogue says how many days the product keeps after opening, the expiry may become
  /// earlier, but never later. The default of `moment` is now. An opening after the expiry is a
  /// warning, and an error with `strict`. `unchangedSince` is the same as for
  /// ``move(batch:to:quantity:unchangedSince:)``.
  ///
  /// Throws `batchIsNotActive`, `alreadyOpened`, `otherHousehold`, `changedSince`,
  /// `openedAfterExpiry`, and for a part `notAboveZero`, `tooMuch`, `unitsDoNotConvert`.
  @discardableResult
  public func open(
    batch id: String, quantity: Quantity? = nil, at moment: Instant? = nil, strict: Bool = false,
    unchangedSince version: Instant? = nil
  ) throws -> Dated {
    try change(batch: id) { change, batch in
      let opening = try change.edit.open(
        batch, quantity: quantity, at: moment ?? change.writer.now, strict: strict,
        unchangedSince: version, by: change.writer)
      change.subject = "open \(opening.quantity) of \(change.edit.title(of: batch))"
      return Dated(
        batch: change.shown(change.edit.after[opening.batch] ?? batch),
        expiryBefore: opening.expiryBefore, warnings: opening.warnings)
    }
  }

  /// Writes or removes the dates of a batch with any status; omitted dates stay.
  ///
  /// Writing the same dates again changes nothing and makes no commit. A confidence is from 0 to 1.
  /// An opening after the expiry is a warning, and an error with `strict`. `unchangedSince` is the
  /// same as for ``move(batch:to:quantity:unchangedSince:)``.
  ///
  /// Throws `badConfidence`, `openedAfterExpiry`, `otherHousehold`, `changedSince`.
  @discardableResult
  public func updateDates(
    ofBatch id: String, expiry: DateUpdate<Day> = .keep, opened: DateUpdate<Instant> = .keep,
    strict: Bool = false, unchangedSince version: Instant? = nil
  ) throws -> Dated {
    try change(batch: id) { change, batch in
      let warnings = try change.edit.date(
        batch, expiry: expiry, opened: opened, strict: strict, unchangedSince: version,
        by: change.writer)
      change.subject = "date \(change.edit.title(of: batch))"
      return Dated(batch: change.shown(batch), expiryBefore: batch.lastDay, warnings: warnings)
    }
  }

  /// Discards a batch, as if it had never been kept.
  ///
  /// Its file stays, marked as discarded, and ``restore(batch:)`` restores it. Discarding it again
  /// changes nothing. `unchangedSince` is the same as for
  /// ``move(batch:to:quantity:unchangedSince:)``. Throws `otherHousehold`, `changedSince`.
  @discardableResult
  public func discard(batch id: String, unchangedSince version: Instant? = nil) throws -> Batch {
    try change(batch: id) { change, batch in
      try change.edit.discard(batch, unchangedSince: version, by: change.writer)
      change.subject = "discard \(batch.quantity) of \(change.edit.title(of: batch))"
      return change.shown(batch)
    }
  }

  /// Restores a discarded or archived batch, with the quantity of its ledger.
  ///
  /// The last throwing away of the batch is undone: see `Edit.bringBack(_:by:)`. Throws
  /// `otherHousehold`.
  @discardableResult
  public func restore(batch id: String) throws -> Batch {
    try change(batch: id) { change, batch in
      try change.edit.bringBack(batch, by: change.writer)
      let restored = change.shown(batch)
      change.subject = "restore \(restored.quantity) of \(change.edit.title(of: batch))"
      return restored
    }
  }

  /// Deletes a batch and its file, for a batch that was just created by mistake.
  ///
  /// Only a batch that no other device can know can be deleted this way. A batch that a remote or
  /// the project has would come back from there; use ``discard(batch:unchangedSince:)`` for it. The
  /// history keeps the batch, and an undo restores it. The call waits for a sync in progress.
  ///
  /// Throws `knownElsewhere`, `otherHousehold`, `changedSince`.
  public func deleteForGood(batch id: String, unchangedSince version: Instant? = nil) throws {
    try commitRemoving { change in
      let batch = try change.batch(id)
      change.subject = "delete \(batch.quantity) of \(change.edit.title(of: batch)) for good"
      try change.edit.remove(batch, unchangedSince: version)
    }
  }

  /// Makes one commit of a rule's changes to one batch.
  private func change<Value: Sendable>(
    batch id: String, request: String? = nil,
    _ body: @Sendable (inout Change, Entity) throws -> Value
  ) throws -> Value {
    try commit(request: request) { change in try body(&change, change.batch(id)) }.value
  }
}

extension Change {
  fileprivate func batch(_ id: String) throws(NamingError) -> Entity {
    guard let batch = edit.after[.inventoryItem, id] else { throw .none(.inventoryItem, id: id) }
    return Stock(edit.after).withoutLack(batch)
  }

  /// Returns a batch after the change.
  fileprivate func shown(_ batch: Entity) -> Batch {
    Batch(entity: Stock(edit.after).withoutLack(edit.after[batch.key] ?? batch))
  }

  /// Returns the name of a product for people: of the item that claims it, otherwise of a batch or
  /// the catalogue.
  fileprivate func name(ofProduct id: String) -> String {
    let stock = Stock(edit.after)
    let item = edit.after[.stockItem, id] ?? stock.item(ofProduct: id) ?? edit.after[.product, id]
    return item?.title ?? stock.batches(ofProduct: id).first?.title ?? id
  }

  /// Says in the subject what was taken.
  fileprivate mutating func say(
    _ taken: QuantityChange, in unit: Unit, of product: String, _ why: LedgerEntry.Reason
  ) {
    let verb = why == .spoil ? "discard" : "use"
    subject = "\(verb) \(taken.amount(in: unit)) of \(name(ofProduct: product))"
  }
}

extension NamingError {
  /// The error for an id that no entity of the kind has.
  static func none(_ kind: Kind, id: String) -> NamingError {
    .notFound(Missing(words: id, kind: kind, near: [], untaken: []))
  }
}
