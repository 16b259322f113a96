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
    let taking = Taking(amount: amount, why: .consume, note: nil, request: requestID)
    return try take(taking, ofProduct: id, partially: partially)
  }

  /// Uses some of one batch, otherwise like ``consume(_:ofProduct:partially:requestID:)``.
  ///
  /// Throws `.notFound`, and `.rule` with `requestIsTaken`, `batchIsNotActive`, `notAboveZero`,
  /// `notEnough`, `unitsDoNotConvert`, `otherHousehold`.
  @discardableResult
  public func consume(
    _ amount: Quantity, ofBatch id: String, partially: Bool = false, requestID: String? = nil
  ) throws(InventoryError) -> Consumption {
    let taking = Taking(amount: amount, why: .consume, note: nil, request: requestID)
    return try take(taking, ofBatch: id, partially: partially)
  }

  /// Throws away some or all of a batch; it does not count as used.
  ///
  /// `reason` is for the batch's history. Everything else, including the errors, is the same as for
  /// ``consume(_:ofBatch:partially:requestID:)``.
  @discardableResult
  public func spoil(
    _ amount: Quantity? = nil, ofBatch id: String, reason: String? = nil, requestID: String? = nil
  ) throws(InventoryError) -> Consumption {
    let taking = Taking(amount: amount, why: .spoil, note: reason, request: requestID)
    return try take(taking, ofBatch: id, partially: false)
  }

  /// Throws away some of a product, in the order of ``consume(_:ofProduct:partially:requestID:)``.
  @discardableResult
  public func spoil(
    _ amount: Quantity, ofProduct id: String, reason: String? = nil, partially: Bool = false,
    requestID: String? = nil
  ) throws(InventoryError) -> Consumption {
    let taking = Taking(amount: amount, why: .spoil, note: reason, request: requestID)
    return try take(taking, ofProduct: id, partially: partially)
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
  private struct Taking {
    /// The quantity; nil for the whole batch.
    let amount: Quantity?
    let why: LedgerEntry.Reason
    let note: String?
    let request: String?
  }

  private func take(
    _ taking: Taking, ofBatch id: String, partially: Bool
  ) throws(InventoryError) -> Consumption {
    try take(taking) { (edit, writer) throws(InventoryError) in
      let batch = try edit.batch(id)
      // The whole batch is what it was when the request was served.
      let amount =
        taking.amount ?? edit.served(under: taking.request)?.quantity ?? batch.quantity
      let change = try mapError(
        try edit.take(
          amount, fromBatch: batch, partially: partially, why: taking.why, note: taking.note,
          request: taking.request, by: writer), InventoryError.rule)
      return (amount, change, batch.productID)
    }
  }

  private func take(
    _ taking: Taking, ofProduct id: String, partially: Bool
  ) throws(InventoryError) -> Consumption {
    try take(taking) { (edit, writer) throws(InventoryError) in
      let amount = taking.amount ?? Quantity(.zero, .piece)
      let change = try mapError(
        try edit.take(
          amount, ofProduct: id, partially: partially, why: taking.why, note: taking.note,
          request: taking.request, by: writer), InventoryError.rule)
      return (amount, change, id)
    }
  }

  private func take(
    _ taking: Taking,
    _ body: (inout Edit, Writer) throws(InventoryError) -> (
      amount: Quantity, change: QuantityChange, product: String
    )
  ) throws(InventoryError) -> Consumption {
    let verb = taking.why == .spoil ? "discard" : "use"
    return try change(taking.why.rawValue, request: taking.request) {
      (edit, writer) throws(InventoryError) in
      let (amount, change, product) = try body(&edit, writer)
      let consumption = Consumption(change, of: amount)
      let taken = Quantity((amount.value - consumption.missing.value).rounded, amount.unit)
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
