public import LarderModel
internal import LarderStore

extension Inventory {
  /// The result of consuming or throwing away.
  public struct Consumption: Hashable, Sendable {
    /// The quantity taken from one batch, or from the loose stock.
    public struct Part: Hashable, Sendable {
      /// The batch, or the item for its loose stock.
      public let source: EntityKey
      /// The quantity taken, always above zero.
      public let taken: Quantity
      /// The quantity left there.
      public let remaining: Quantity
    }

    /// The parts, in the order in which they were taken.
    public let parts: [Part]
    /// The total afterwards: of the item that claims the batches, otherwise of the product.
    public let total: Quantity
    /// The missing quantity in the requested unit; zero unless the call was `partially`.
    public let missing: Quantity
    /// Whether the request was already done before, so nothing changed now.
    public let isRepeated: Bool
    /// Whether what a repeated request did was taken back since; another id does it again.
    public let isTakenBack: Bool

    /// The ids of the batches, and of the item for its loose stock.
    public var touchedIDs: [String] { parts.map(\.source.id) }
  }

  /// Uses some of a product's batches: the earliest expiry first, undated ones last, among equals
  /// the oldest first.
  ///
  /// For the id of an item, it takes from the batches of all its products, then from the loose
  /// stock. If there is not enough, it takes nothing and throws; with `partially`, it takes what
  /// there is. A batch that comes to zero is consumed, and archived if the setting `archiveConsumed` is
  /// on; an item that comes to zero goes on the shopping list. `requestID` is the same as for
  /// ``add(_:_:strict:requestID:)``.
  ///
  /// Throws `.rule` with `requestIsTaken`, `unknownProduct` (there was never a batch of it,
  /// and no item has the id), `notAboveZero`, `notEnough`, `unitsDoNotConvert`, `itemIsArchived`.
  @discardableResult
  public func consume(
    _ amount: Quantity, ofProduct id: String, partially: Bool = false, requestID: String? = nil
  ) throws(InventoryError) -> Consumption {
    try take(amount, from: .product(id), partially: partially, requestID)
  }

  /// Uses some of one batch, otherwise like ``consume(_:ofProduct:partially:requestID:)``.
  ///
  /// Throws `.notFound`, and `.rule` with `requestIsTaken`, `batchIsNotActive`, `notAboveZero`,
  /// `notEnough`, `unitsDoNotConvert`, `otherHousehold`.
  @discardableResult
  public func consume(
    _ amount: Quantity, ofBatch id: String, partially: Bool = false, requestID: String? = nil
  ) throws(InventoryError) -> Consumption {
    try take(amount, from: .batch(id), partially: partially, requestID)
  }

  /// Throws away some or all of a batch; it does not count as used.
  ///
  /// `reason` is for the batch's history. Everything else, including the errors, is the same as for
  /// ``consume(_:ofBatch:partially:requestID:)``.
  @discardableResult
  public func spoil(
    _ amount: Quantity? = nil, ofBatch id: String, reason: String? = nil, requestID: String? = nil
  ) throws(InventoryError) -> Consumption {
    try take(amount, from: .batch(id), why: .spoil, reason, requestID)
  }

  /// Throws away some of a product, in the order of ``consume(_:ofProduct:partially:requestID:)``.
  @discardableResult
  public func spoil(
    _ amount: Quantity, ofProduct id: String, reason: String? = nil, partially: Bool = false,
    requestID: String? = nil
  ) throws(InventoryError) -> Consumption {
    try take(amount, from: .product(id), why: .spoil, reason, partially: partially, requestID)
  }

  /// Records a count of one batch, which may be used up; 0 uses it up.
  ///
  /// Uses and additions on other devices before the count no longer matter; later ones do. Throws
  /// `.notFound`, and `.rule` with `belowZero`, `unitsDoNotConvert`, `batchIsNotActive`,
  /// `otherHousehold`.
  @discardableResult
  public func count(_ quantity: Quantity, ofBatch id: String) throws(InventoryError) -> Batch {
    try change("count", ofBatch: id) { (edit, batch, writer) throws(RuleError) in
      try edit.count(quantity, ofBatch: batch, by: writer)
      let name = edit.title(of: batch)
      return ("count \(quantity) of \(name)", edit.shown(batch, by: writer))
    }
  }

  /// Records a count of a whole item; its batches keep their quantities, and the loose stock
  /// becomes the rest.
  ///
  /// If the batches alone hold more, those that expire first hold less then.
  /// Throws `.notFound`, and `.rule` with `belowZero`, `unitsDoNotConvert`.
  @discardableResult
  public func count(_ quantity: Quantity, ofItem id: String) throws(InventoryError)
    -> StockSummary
  {
    try change("count") { (edit, writer) throws(InventoryError) in
      guard let item = edit.after[.stockItem, id] else { throw .notFound(.stockItem, id: id) }
      _ = try mapError(try edit.count(quantity, of: item, by: writer), InventoryError.rule)
      let summary = Stock(edit.after).summary(of: edit.after[item.key] ?? item)
      return ("count \(quantity) of \(item.title)", summary)
    }
  }
}

extension Inventory {
  private enum Source {
    case batch(String), product(String)
  }

  /// Takes an amount, or with nil the whole batch.
  private func take(
    _ amount: Quantity?, from source: Source, why: LedgerEntry.Reason = .consume,
    _ note: String? = nil, partially: Bool = false, _ request: String?
  ) throws(InventoryError) -> Consumption {
    try change(why.rawValue, request: request) { (edit, writer) throws(InventoryError) in
      let (wanted, change, product): (Quantity, QuantityChange, String)
      switch source {
      case .batch(let id):
        let batch = try edit.batch(id)
        product = batch.productID
        // The whole batch is what it was when the request was served.
        wanted = amount ?? edit.served(under: request)?.quantity ?? batch.quantity
        change = try mapError(
          try edit.take(
            wanted, fromBatch: batch, partially: partially, why: why, note: note,
            request: request, by: writer), InventoryError.rule)
      case .product(let id):
        product = id
        wanted = amount ?? Quantity(.zero, .piece)
        change = try mapError(
          try edit.take(
            wanted, ofProduct: id, partially: partially, why: why, note: note, request: request,
            by: writer), InventoryError.rule)
      }
      let consumption = Consumption(change, of: wanted)
      let taken = Quantity((wanted.value - consumption.missing.value).rounded, wanted.unit)
      let verb = why == .spoil ? "discard" : "use"
      return ("\(verb) \(taken) of \(edit.name(ofProduct: product))", consumption)
    }
  }

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
      let change = try mapError(
        try edit.add(quantity, details, strict: strict, request: requestID, by: writer),
        InventoryError.rule)
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

extension Inventory.Consumption {
  fileprivate init(_ change: QuantityChange, of amount: Quantity) {
    parts = change.parts.map { Part(source: $0.key, taken: $0.quantity, remaining: $0.rest) }
    total = change.total
    isRepeated = change.isRepeated
    isTakenBack = change.isTakenBack
    let taken = change.parts.reduce(Number.zero) { sum, part in
      sum + (part.quantity.converted(to: amount.unit) ?? .zero)
    }
    missing = Quantity(max(.zero, (amount.value - taken).rounded), amount.unit)
  }
}

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
