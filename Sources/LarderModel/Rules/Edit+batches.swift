internal import LarderJSON

/// The rules for batches: adding, dating and opening.
extension Edit {
  /// Adds a quantity to the oldest active batch with the same merge key, or to a new batch.
  ///
  /// Without a date, it keeps as long as the item says, and without a location it is where the item
  /// says, unless `isComplete` is true. With `strict`, the product must be in the catalogue or an
  /// item, and the opening must be before the expiry.
  /// Throws if the quantity is not above zero or its unit does not convert to the item's unit, and
  /// if the location is unknown, archived or another household's.
  public mutating func add(
    _ quantity: Quantity, _ details: BatchDetails, isComplete: Bool = false, strict: Bool = false,
    request: String? = nil, by writer: Writer
  ) throws(RuleError) -> QuantityChange {
    let item =
      after[.stockItem, details.productID] ?? Stock(after).item(ofProduct: details.productID)
    let quantity = item.map { after.counted(quantity, in: $0.unit) } ?? quantity
    if let served = try served(request, .add, quantity, isOf(product: details.productID)) {
      return served
    }
    if let item { try check(quantity, for: item) }
    guard quantity.value > .zero else { throw .notAboveZero(quantity) }
    var details = details
    if let item, !isComplete {
      details.expiry = details.expiry ?? usualExpiry(of: item, since: day(of: writer.now))
      details.locationID = details.locationID ?? usualPlace(of: item)
    }
    if strict { try checkIsKnown(product: details.productID) }
    try checkPlace(details.locationID)
    let warnings = try warnings(
      expiry: details.expiry, opened: details.opened, of: item?.title ?? details.productID,
      strict: strict)
    let candidate = mergeCandidate(MergeKey(details), for: quantity.unit)
    if let known = item ?? Stock(after).batches(ofProduct: details.productID).first {
      writeLacks(around: known, by: writer)
    }
    let id = request.map { Identifier.derived(from: "request", $0, details.productID) }
    let batch = candidate ?? newBatch(details, unit: quantity.unit, id: id, by: writer)
    let part = record(quantity, in: batch, .added(.add), request: request, by: writer)
    var change = change(ofProduct: details.productID, [part])
    change.isNewBatch = candidate == nil
    change.warnings = warnings
    return change
  }

  /// Returns the active batch that a quantity with this key joins: the oldest one whose unit
  /// converts.
  public func mergeCandidate(_ key: MergeKey, for unit: Unit) -> Entity? {
    Stock(after).batches(ofProduct: key.product.id)
      .filter { $0.hasSomethingLeft && $0.unit.converts(to: unit) && MergeKey(of: $0) == key }
      .min(by: Stock.isOlder)
  }

  func newBatch(_ details: BatchDetails, unit: Unit, id: String?, by writer: Writer)
    -> Entity
  {
    let item =
      after[.stockItem, details.productID] ?? Stock(after).item(ofProduct: details.productID)
    let made = item?.anchor.map { max(writer.now, $0.at.next) } ?? writer.now
    return new(.inventoryItem, id: id, fields(of: details, unit: unit), by: writer.at(made))
  }

  /// Returns the registers of a new batch that differ from the defaults of every entity.
  func fields(of details: BatchDetails, unit: Unit) -> [FieldValue] {
    var reference = [JSONMember("productId", .string(details.productID))]
    let snapshot = details.snapshot ?? after[.product, details.productID]?.snapshot
    if let snapshot = snapshot?.json { reference.append(JSONMember("snapshot", snapshot)) }
    return [
      (.productRef, .object(reference)),
      (.quantity, .object([JSONMember("unit", .string(unit.rawValue))])),
      (.storageLocationID, .string(details.locationID ?? "")),
      (.lotOrBatchCode, details.lotCode.map { .string($0) }),
      (.expiryInfo, details.expiry?.json), (.openedInfo, details.opened?.json),
      (.notes, details.notes.map { .string($0) }),
    ]
  }

  /// Writes the place, the dates and other details of a batch.
  ///
  /// A day that is given for what lies in a freezer counts, also if it is the old one. So does the one
  /// that counted in another freezer.
  mutating func write(details given: [FieldValue], of batch: Entity, by writer: Writer) {
    var fields = given
    let place = fields.first { $0.name == .storageLocationID }?.value?.string ?? batch.locationID
    let isDated = fields.contains { $0.name == .expiryInfo }
    let wasFrozen = after.freezers.contains(batch.locationID)
    let isFrozen = after.freezers.contains(place)
    if wasFrozen, isFrozen, !isDated, batch.lastDay != nil {
      fields.append((.expiryInfo, batch[.expiryInfo]))
    }
    // Another day, or none that counts, may change the order in which it is used.
    let order: Set<FieldName> = [.expiryInfo, .openedInfo]
    let isNews = fields.contains { order.contains($0.name) && batch[$0.name] != $0.value }
    if isNews || wasFrozen != isFrozen || isDated && batch.isKeptFrozen {
      writeLacks(around: batch, by: writer)
    }
    write(fields, to: batch.key, now: writer.now)
    if let day = fields.first(where: { $0.name == .expiryInfo }), day.value != nil,
      after[batch.key]?.isKeptFrozen ?? false
    {
      write([day], to: batch.key, now: writer.now, again: true)
    }
  }

  /// Writes or removes the dates of a batch, and writes other details of it with them.
  ///
  /// Loose stock of an item becomes a batch with them. With `quantity`, a part of it does.
  ///
  /// Writing the same dates again changes nothing, unless the day of what is frozen did not count: now
  /// it does. Throws if a confidence is not from 0 to 1. With
  /// `strict`, also throws if the batch would be opened after its expiry.
  public mutating func date(
    _ batch: Entity, expiry: DateUpdate<Day> = .keep, opened: DateUpdate<Instant> = .keep,
    with details: [FieldValue] = [], quantity: Quantity? = nil, strict: Bool = false,
    unchangedSince version: Instant? = nil, by writer: Writer
  ) throws(RuleError) -> [BatchWarning] {
    try checkCanChange(batch, version, isActive: false)
    let warnings = try warnings(
      expiry: expiry.applied(to: batch.isKeptFrozen ? nil : batch.expiry),
      opened: opened.applied(to: batch.opened), of: title(of: batch), strict: strict)
    var fields = details
    if expiry != .keep {
      fields.append((.expiryInfo, expiry.applied(to: batch.expiry)?.json))
    }
    if opened != .keep {
      fields.append((.openedInfo, opened.applied(to: batch.opened)?.json))
    }
    if batch.kind == .stockItem {
      let plain = BatchDetails(productID: batch.id)
      let fields = fields + self.fields(of: plain, unit: batch.unit)
      let details = BatchDetails(of: new(.inventoryItem, id: batch.id, fields, by: writer))
      if details != plain {
        _ = try self.batch(quantity, looseIn: batch, details, by: writer)
      }
    } else if let part = try part(quantity, of: batch) {
      writeLacks(around: batch, by: writer)
      _ = split(part, off: batch, writing: fields, by: writer)
    } else {
      write(details: fields, of: batch, by: writer)
    }
    return warnings
  }
}

extension Edit {
  /// Throws if a batch belongs to another household, or if it changed since the caller read it.
  ///
  /// With `isActive`, it also throws if the batch is not active or has nothing left.
  func checkCanChange(_ batch: Entity, _ version: Instant?, isActive: Bool = true)
    throws(RuleError)
  {
    try checkIsOurs(batch)
    if let version, version != batch.updatedAt {
      throw .changedSince(title(of: batch), version: version, updated: batch.updatedAt)
    }
    guard isActive, !batch.hasSomethingLeft else { return }
    let status = batch.isActive ? "consumed" : batch[.status]?.string ?? ""
    throw .batchIsNotActive(title(of: batch), status: status)
  }

  /// Throws if there is no such location, or none that something may be put to.
  package func checkPlace(_ id: String?) throws(RuleError) {
    guard let id else { return }
    guard let place = after[.storageLocation, id] else { throw .unknownLocation(id) }
    try checkIsOurs(place)
    guard !place.isTombstone else { throw .locationIsArchived(place.title) }
  }

  private func checkIsKnown(product id: String) throws(RuleError) {
    let known = [after[.stockItem, id], after[.product, id]].compactMap(\.self)
    guard known.contains(where: { !$0.isTombstone }) else { throw .unknownProduct(id) }
  }

  func warnings(
    expiry: ExpiryInfo?, opened: OpenedInfo?, of title: String, strict: Bool
  ) throws(RuleError) -> [BatchWarning] {
    for confidence in [expiry?.confidence, opened?.confidence].compactMap(\.self) {
      guard (Number.zero...Number(1)).contains(confidence) else {
        throw .badConfidence(confidence)
      }
    }
    guard let expiry, !expiry.kind.isOfOrigin, let expiryDay = expiry.date,
      let moment = opened?.date
    else { return [] }
    let openedDay = Day(moment, in: after.own?.timeZone ?? "UTC")
    guard openedDay > expiryDay else { return [] }
    guard !strict else {
      throw .openedAfterExpiry(title, opened: openedDay, expiry: expiryDay)
    }
    return [.openedAfterExpiry(opened: openedDay, expiry: expiryDay)]
  }
}

extension ProductSnapshot {
  fileprivate var json: JSON? {
    let texts: [(FieldName, String?)] = [(.title, title), (.brand, brand), (.imageURL, imageURL)]
    let members = texts.compactMap { name, text in text.map { JSONMember(name, .string($0)) } }
    return members.isEmpty ? nil : .object(members)
  }
}

/// Opening of what an item has.
extension Edit {
  /// Opens some of an item: from a lot, otherwise from the closed batch that expires first,
  /// otherwise from the loose stock.
  ///
  /// Without a quantity, it opens the usual one: one piece or pack, one pack size of the product,
  /// or everything. Throws the errors of ``open(_:quantity:at:strict:unchangedSince:by:)``.
  public mutating func open(
    _ item: Entity, _ lot: Lot?, quantity: Quantity?, at moment: Instant, strict: Bool = false,
    unchangedSince version: Instant? = nil, by writer: Writer
  ) throws(RuleError) -> Opening {
    let pile = pileToOpen(of: item, lot)
    return try open(
      pile, quantity: quantity ?? usualOpening(of: pile), at: moment, strict: strict,
      unchangedSince: version, by: writer)
  }

  /// Returns the closed batch that expires first; the item for loose stock.
  private func pileToOpen(of item: Entity, _ lot: Lot?) -> Entity {
    let batches = lot?.batches ?? Stock(after).firstExpiredFirst(of: item)
    if let closed = batches.first(where: { $0.openedAt == nil }) { return closed }
    let item = Stock(after).withoutLack(item)
    return lot == nil && item.quantity.value > .zero ? item : batches.first ?? item
  }

  /// Returns the usual quantity to open of the loose stock: one piece or pack or, of a weight or a
  /// volume, the pack of a product; all of it if that is less, or not known.
  func usualOpening(looseOf item: Entity) -> Quantity {
    let pack = item.productIDs.lazy.compactMap { id in
      after[.product, id]?.packSize?.converted(to: item.unit)?.rounded
    }.first { $0 > .zero }
    guard let one = item.unit.isMeasured ? pack : Number(1) else {
      return item.quantity.value > .zero ? item.quantity : Quantity(Number(1), item.unit)
    }
    let isLess = item.quantity.value > .zero && item.quantity.value < one
    return isLess ? item.quantity : Quantity(one, item.unit)
  }
}
