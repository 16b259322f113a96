internal import LarderStore
public import LarderModel

extension Inventory {
  /// What consuming or throwing away came to.
  public struct Consumption: Hashable, Sendable {
    /// What came from one batch, or from what lies loose.
    public struct Part: Hashable, Sendable {
      /// The batch, or the item itself for what lies loose.
      public let source: EntityKey
      /// Always above zero.
      public let taken: Quantity
      /// What is left there.
      public let remaining: Quantity
    }

    /// In the order in which they were taken from.
    public let parts: [Part]
    /// What there is afterwards: of the item that the batches belong to, else of the product.
    public let total: Quantity
    /// What there was not enough of, in the unit asked for; zero unless taken `partially`.
    public let missing: Quantity
    /// Whether the request was served before, so that nothing was changed now.
    public let isRepeated: Bool

    /// The ids of the batches, and of the item for what lay loose.
    public var touchedIDs: [String] { parts.map(\.source.id) }
  }

  /// Uses some of a product: of its batches, first what expires first, undated ones last, ties by age
  /// (the inventory plan's 4.2).
  ///
  /// The id of an item of the stock takes from the batches of all its products, then from what lies
  /// loose. Where there is not enough nothing is taken, unless `partially` says to take what there is.
  /// A batch that comes to zero is consumed, and archived where `Store.archivesConsumed` says so; an
  /// item that comes to nothing goes onto the shopping list. `requestID` as for ``add(_:_:strict:requestID:)``.
  ///
  /// Throws `.requestIsTaken`, and `.rule` with `unknownProduct` (no batch was ever of it, and no item
  /// has the id), `notAboveZero`, `notEnough`, `unitsDoNotConvert`, `itemIsArchived`.
  @discardableResult
  public func consume(
    _ amount: Quantity, ofProduct id: String, partially: Bool = false, requestID: String? = nil
  ) throws(InventoryError) -> Consumption {
    let taking = Taking(amount: amount, why: .consume, note: nil, request: requestID)
    return try take(taking, ofProduct: id, partially: partially)
  }

  /// Uses some of one batch; otherwise as ``consume(_:ofProduct:partially:requestID:)``.
  ///
  /// Throws `.notFound`, `.requestIsTaken`, and `.rule` with `batchIsNotActive`, `notAboveZero`,
  /// `notEnough`, `unitsDoNotConvert`, `otherHousehold`.
  @discardableResult
  public func consume(
    _ amount: Quantity, ofBatch id: String, partially: Bool = false, requestID: String? = nil
  ) throws(InventoryError) -> Consumption {
    let taking = Taking(amount: amount, why: .consume, note: nil, request: requestID)
    return try take(taking, ofBatch: id, partially: partially)
  }

  /// Throws some of a batch away, or all of it, which does not count as used.
  ///
  /// `reason` is for the batch's history. Otherwise, and in what it throws, as
  /// ``consume(_:ofBatch:partially:requestID:)``.
  @discardableResult
  public func spoil(
    _ amount: Quantity? = nil, ofBatch id: String, reason: String? = nil, requestID: String? = nil
  ) throws(InventoryError) -> Consumption {
    let taking = Taking(amount: amount, why: .spoil, note: reason, request: requestID)
    return try take(taking, ofBatch: id, partially: false)
  }

  /// Throws some of a product away, taken as
  /// ``consume(_:ofProduct:partially:requestID:)`` takes it.
  @discardableResult
  public func spoil(
    _ amount: Quantity, ofProduct id: String, reason: String? = nil, partially: Bool = false,
    requestID: String? = nil
  ) throws(InventoryError) -> Consumption {
    let taking = Taking(amount: amount, why: .spoil, note: reason, request: requestID)
    return try take(taking, ofProduct: id, partially: partially)
  }

  /// States what is really left of a batch, one that was used up among them; 0 uses it up.
  ///
  /// What other devices used or added before counts no more, what comes after does. Throws `.notFound`,
  /// and `.rule` with `belowZero`, `unitsDoNotConvert`, `batchIsNotActive`, `otherHousehold`.
  @discardableResult
  public func count(_ quantity: Quantity, ofBatch id: String) throws(InventoryError) -> Batch {
    try change("count", ofBatch: id) { (edit, batch, writer) throws(RuleError) in
      try edit.count(quantity, ofBatch: batch, by: writer)
      let name = edit.title(of: batch)
      return ("count \(quantity) of \(name)", edit.shown(batch, by: writer))
    }
  }

  /// States what there is of an item in all: its batches keep what they have, and what lies loose
  /// becomes the rest.
  ///
  /// Throws `.notFound`, and `.rule` with `belowZero`, `unitsDoNotConvert`, `batchesExceedCount`.
  @discardableResult
  public func count(_ quantity: Quantity, ofItem id: String) throws(InventoryError)
    -> StockSummary
  {
    try change("count") { (edit, writer) throws(InventoryError) in
      guard let item = edit.after[.stockItem, id] else { throw .notFound(.stockItem, id: id) }
      do throws(RuleError) {
        _ = try edit.count(quantity, of: item, by: writer)
      } catch {
        throw .rule(error)
      }
      let summary = Stock(edit.after).summary(of: edit.after[item.key] ?? item)
      return ("count \(quantity) of \(item.title)", summary)
    }
  }
}

extension Inventory {
  private struct Taking {
    /// Nil for all of a batch.
    let amount: Quantity?
    let why: LedgerEntry.Reason
    let note: String?
    let request: String?
  }

  private func take(_ taking: Taking, ofBatch id: String, partially: Bool)
    throws(InventoryError) -> Consumption
  {
    try take(taking) { (edit, writer) throws(InventoryError) in
      let batch = try edit.batch(id)
      let amount = taking.amount ?? batch.quantity
      do throws(RuleError) {
        let change = try edit.take(
          amount, fromBatch: batch, partially: partially, why: taking.why, note: taking.note,
          request: taking.request, by: writer)
        return (amount, change, batch.productID)
      } catch {
        throw .rule(error)
      }
    }
  }

  private func take(_ taking: Taking, ofProduct id: String, partially: Bool)
    throws(InventoryError) -> Consumption
  {
    try take(taking) { (edit, writer) throws(InventoryError) in
      let amount = taking.amount ?? Quantity(.zero, .piece)
      do throws(RuleError) {
        let change = try edit.take(
          amount, ofProduct: id, partially: partially, why: taking.why, note: taking.note,
          request: taking.request, by: writer)
        return (amount, change, id)
      } catch {
        throw .rule(error)
      }
    }
  }

  private func take(
    _ taking: Taking,
    _ body: (inout Edit, Writer) throws(InventoryError) -> (
      amount: Quantity, change: QuantityChange, product: String
    )
  ) throws(InventoryError) -> Consumption {
    let verb = taking.why.rawValue
    return try change(verb, request: taking.request) { (edit, writer) throws(InventoryError) in
      try edit.refuse(taking.request) { $1.why == taking.why }
      let (amount, change, product) = try body(&edit, writer)
      let consumption = Consumption(change, of: amount)
      let taken = Quantity((amount.value - consumption.missing.value).rounded, amount.unit)
      return ("\(verb) \(taken) of \(edit.name(ofProduct: product))", consumption)
    }
  }
}

extension Inventory.Consumption {
  fileprivate init(_ change: QuantityChange, of amount: Quantity) {
    parts = change.parts.map { Part(source: $0.key, taken: $0.quantity, remaining: $0.rest) }
    total = change.total
    isRepeated = change.isRepeated
    let taken = change.parts.reduce(Number.zero) { sum, part in
      sum + (part.quantity.converted(to: amount.unit) ?? .zero)
    }
    missing = Quantity(max(.zero, (amount.value - taken).rounded), amount.unit)
  }
}
