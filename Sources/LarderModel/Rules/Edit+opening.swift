internal import LarderJSON

/// The result of opening.
public struct Opening: Hashable, Sendable {
  /// The opened batch.
  public let batch: EntityKey
  public let quantity: Quantity
  /// The last day before; nil if there was none.
  public let expiryBefore: Day?
  /// The last day now.
  public let expiry: Day?
  public let warnings: [BatchWarning]
}

extension Edit {
  /// Opens a batch, or what lies loose of an item, or a part of it, which becomes a new batch.
  ///
  /// If the catalogue says how many days the product keeps after opening, the expiry may become
  /// earlier, but never later. Throws `alreadyOpened` if the batch is open.
  public mutating func open(
    _ batch: Entity, quantity: Quantity? = nil, at moment: Instant, strict: Bool = false,
    unchangedSince version: Instant? = nil, by writer: Writer
  ) throws(RuleError) -> Opening {
    let batch = Stock(after).withoutLack(batch)
    if batch.kind == .stockItem {
      return try openLoose(quantity ?? batch.quantity, of: batch, at: moment, by: writer)
    }
    try checkCanChange(batch, version)
    if let opened = batch.openedAt { throw .alreadyOpened(title(of: batch), at: opened) }
    let part = try part(quantity, of: batch)
    let opened = OpenedInfo(.opened, moment)
    let expiry = expiry(of: batch, openedAt: moment)
    let warnings = try warnings(
      expiry: batch.isKeptFrozen ? nil : batch.expiry, opened: opened, of: title(of: batch),
      strict: strict)
    var fields: [FieldValue] = [(.openedInfo, opened.json)]
    if let expiry { fields.append((.expiryInfo, expiry.json)) }
    let key: EntityKey
    if let part {
      key = split(part, off: batch, writing: fields, by: writer)
    } else {
      key = batch.key
      write(details: fields, of: batch, by: writer)
    }
    return Opening(
      batch: key, quantity: part ?? batch.quantity, expiryBefore: batch.lastDay,
      expiry: after[key]?.lastDay, warnings: warnings)
  }

  /// Opens some of the loose stock, which becomes a batch.
  private mutating func openLoose(
    _ quantity: Quantity, of item: Entity, at moment: Instant, by writer: Writer
  ) throws(RuleError) -> Opening {
    var details = BatchDetails(productID: item.id)
    details.opened = OpenedInfo(.opened, moment)
    details.expiry = keepingDays(of: item.id).map { days in
      ExpiryInfo(.useBy, day(of: moment).adding(days: days))
    }
    let batch = try batch(quantity, looseIn: item, details, by: writer)
    return Opening(
      batch: batch, quantity: quantity, expiryBefore: nil, expiry: details.expiry?.lastDay,
      warnings: [])
  }

  /// Returns the usual quantity to open of a batch, or of what lies loose of an item: one piece or
  /// pack, or the size of the product's pack for measured units.
  ///
  /// Nil for the whole batch, if the size is unknown.
  public func usualOpening(of batch: Entity) -> Quantity? {
    if batch.kind == .stockItem { return usualOpening(looseOf: batch) }
    switch batch.unit {
    case .piece, .pack, .own:
      return batch.quantity.value > Number(1) ? Quantity(Number(1), batch.unit) : nil
    default:
      guard let pack = after[.product, batch.productID]?.packSize,
        let size = after.counted(pack, in: batch.unit).converted(to: batch.unit)?.rounded,
        size > .zero,
        size < batch.quantity.value
      else { return nil }
      return Quantity(size, batch.unit)
    }
  }

  /// Returns the expiry by the catalogue's days after opening; nil if that is not earlier than the
  /// batch's own.
  private func expiry(of batch: Entity, openedAt moment: Instant) -> ExpiryInfo? {
    guard let days = keepingDays(of: batch.productID) else { return nil }
    let day = day(of: moment).adding(days: days)
    var expiry = batch.expiry ?? ExpiryInfo(.useBy, nil)
    // What stands on the package stays.
    if expiry.kind.isOfOrigin || batch.isKeptFrozen {
      (expiry.kind, expiry.date, expiry.confidence) = (.useBy, nil, Number(1))
    }
    guard expiry.date.map({ day < $0 }) ?? true else { return nil }
    expiry.date = day
    return expiry
  }

  /// Returns the number of days that a product keeps after opening.
  ///
  /// For an item's own id, it is the smallest number among its products.
  private func keepingDays(of product: String) -> Int? {
    let products = after[.stockItem, product]?.productIDs ?? [product]
    return products.compactMap { after[.product, $0]?.bestAfterOpeningDays }.min()
  }
}
