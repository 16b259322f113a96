internal import LarderJSON

/// The rules for batches: adding, moving, opening, dating and discarding.
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

  private func newBatch(_ details: BatchDetails, unit: Unit, id: String?, by writer: Writer)
    -> Entity
  {
    let item = after[.stockItem, details.productID] ?? Stock(after).item(ofProduct: details.productID)
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

  /// Moves a batch, or a part of it.
  ///
  /// A part becomes a new batch, or joins a batch with the same merge key. `expiry` is its date
  /// there, as what is frozen keeps longer.
  ///
  /// Returns the batch at the new location. With `version`, throws `changedSince` if the batch's
  /// `updatedAt` differs. Only an active batch above zero can be moved.
  public mutating func move(
    _ batch: Entity, to location: String, quantity: Quantity? = nil,
    expiry: DateUpdate<Day> = .keep, unchangedSince version: Instant? = nil, by writer: Writer
  ) throws(RuleError) -> EntityKey {
    let batch = Stock(after).withoutLack(batch)
    try checkCanChange(batch, version)
    try checkPlace(location)
    var fields: [FieldValue] = [(.storageLocationID, .string(location))]
    if expiry != .keep {
      fields.append((.expiryInfo, expiry.applied(to: batch.expiry)?.json))
    }
    guard let part = try part(quantity, of: batch) else {
      write(fields, to: batch.key, now: writer.now)
      return batch.key
    }
    guard location != batch.locationID else { return batch.key }
    return split(part, off: batch, writing: fields, by: writer)
  }

  /// Moves loose stock to a location, where it becomes a batch or joins one with the same merge
  /// key.
  public mutating func moveLoose(
    _ quantity: Quantity, of item: Entity, to location: String, expiry: ExpiryInfo? = nil,
    by writer: Writer
  ) throws(RuleError) -> EntityKey {
    try checkPlace(location)
    var details = BatchDetails(productID: item.id)
    details.locationID = location
    details.expiry = expiry
    return try batch(quantity, looseIn: item, details, by: writer)
  }

  /// Writes or removes the dates of a batch.
  ///
  /// Writing the same dates again changes nothing. Throws if a confidence is not from 0 to 1. With
  /// `strict`, also throws if the batch would be opened after its expiry.
  public mutating func date(
    _ batch: Entity, expiry: DateUpdate<Day> = .keep, opened: DateUpdate<Instant> = .keep,
    strict: Bool = false, unchangedSince version: Instant? = nil, by writer: Writer
  ) throws(RuleError) -> [BatchWarning] {
    try checkCanChange(batch, version, isActive: false)
    let warnings = try warnings(
      expiry: expiry.applied(to: batch.expiry), opened: opened.applied(to: batch.opened),
      of: title(of: batch), strict: strict)
    var fields: [FieldValue] = []
    if expiry != .keep {
      fields.append((.expiryInfo, expiry.applied(to: batch.expiry)?.json))
    }
    if opened != .keep {
      fields.append((.openedInfo, opened.applied(to: batch.opened)?.json))
    }
    // Another day may change the order in which it is used.
    if fields.contains(where: { batch[$0.name] != $0.value }) {
      writeLacks(around: batch, by: writer)
    }
    write(fields, to: batch.key, now: writer.now)
    return warnings
  }
}

extension Edit {
  /// Turns loose stock into a batch, or adds it to one with the same merge key.
  mutating func batch(
    _ quantity: Quantity, looseIn item: Entity, _ details: BatchDetails, by writer: Writer
  ) throws(RuleError) -> EntityKey {
    let quantity = after.counted(quantity, in: item.unit)
    try check(quantity, for: item)
    let loose = Stock(after).withoutLack(item).quantity
    let available = loose.converted(to: quantity.unit)?.rounded ?? .zero
    guard quantity.value <= available else {
      throw .tooMuch(
        of: item.title, wanted: quantity,
        available: Quantity(max(available, .zero), quantity.unit))
    }
    let batch =
      mergeCandidate(MergeKey(details), for: quantity.unit)
      ?? newBatch(details, unit: quantity.unit, id: nil, by: writer)
    transfer(quantity, from: item, to: batch, by: writer)
    return batch.key
  }

  /// Splits a part off a batch, writes fields to it, and adds it to a batch with the same merge key
  /// if there is one.
  ///
  /// Both batches get a ledger entry, so the source has less.
  mutating func split(
    _ part: Quantity, off batch: Entity, writing fields: [FieldValue],
    by writer: Writer
  ) -> EntityKey {
    let now = max(writer.now, Stock(after).item(of: batch)?.anchor?.at.next ?? writer.now)
    var piece = Entity(.inventoryItem, id: writer.newID(), createdAt: now)
    for register in batch.registers where register.name != .userID {
      if let value = register.value { piece.write(register.name, value, at: now) }
    }
    piece.write(.userID, .string(writer.userID), at: now)
    for field in fields { piece.write(field.name, field.value, at: now) }
    let candidate = mergeCandidate(MergeKey(of: piece), for: part.unit)
    let target = candidate ?? piece
    transfer(part, from: batch, to: target, by: writer)
    return target.key
  }

  /// Returns the quantity if it is less than the whole batch, and nil if it is the whole batch.
  func part(_ quantity: Quantity?, of batch: Entity) throws(RuleError) -> Quantity? {
    guard let said = quantity else { return nil }
    guard said.value > .zero else { throw .notAboveZero(said) }
    let quantity = after.counted(said, in: batch.unit)
    guard let wanted = quantity.converted(to: batch.unit)?.rounded else {
      throw .unitsDoNotConvert(of: title(of: batch), quantity.unit, batch.unit)
    }
    guard wanted <= batch.quantity.value else {
      throw .tooMuch(
        of: title(of: batch), wanted: quantity,
        available: Quantity(
          batch.quantity.converted(to: quantity.unit)?.rounded ?? .zero, quantity.unit))
    }
    return wanted == batch.quantity.value ? nil : quantity
  }

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

  func checkPlace(_ id: String?) throws(RuleError) {
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

/// Actions on a whole lot, which may be several batches.
extension Edit {
  /// Moves a lot, or a part of it, to another location.
  ///
  /// Returns the batches at the new location.
  ///
  /// A part is taken from the oldest batch first. Throws `tooMuch` if there is less, and the errors
  /// of ``move(_:to:quantity:expiry:unchangedSince:by:)``.
  public mutating func move(
    _ lot: Lot, called title: String, to place: String, quantity: Quantity? = nil,
    expiry: DateUpdate<Day> = .keep, unchangedSince version: Instant? = nil, by writer: Writer
  ) throws(RuleError) -> [EntityKey] {
    guard let quantity else {
      var moved: [EntityKey] = []
      for batch in lot.batches {
        moved.append(
          try move(batch, to: place, expiry: expiry, unchangedSince: version, by: writer))
      }
      return moved
    }
    let available = lot.quantity.converted(to: quantity.unit)?.rounded
    if let available, available < quantity.value {
      throw .tooMuch(
        of: title, wanted: quantity, available: Quantity(available, quantity.unit))
    }
    var open = quantity.value
    var moved: [EntityKey] = []
    for batch in lot.batches {
      let there = batch.quantity.converted(to: quantity.unit)?.rounded ?? open
      let part = Quantity(min(open, there), quantity.unit)
      guard part.value > .zero || moved.isEmpty else { break }
      moved.append(
        try move(
          batch, to: place, quantity: part, expiry: expiry, unchangedSince: version, by: writer))
      open = (open - part.value).rounded
    }
    return moved
  }

  /// Opens some of an item: from a lot, otherwise from the closed batch that expires first,
  /// otherwise from the loose stock.
  ///
  /// Without a quantity, it opens the usual one: one piece or pack, one pack size of the product,
  /// or everything. Throws the errors of ``open(_:quantity:at:strict:unchangedSince:by:)`` and
  /// ``openLoose(_:of:at:by:)``.
  public mutating func open(
    _ item: Entity, _ lot: Lot?, quantity: Quantity?, at moment: Instant, strict: Bool = false,
    unchangedSince version: Instant? = nil, by writer: Writer
  ) throws(RuleError) -> Opening {
    guard let batch = batchToOpen(of: item, lot) else {
      let usual = usualOpening(looseOf: Stock(after).withoutLack(item))
      return try openLoose(quantity ?? usual, of: item, at: moment, by: writer)
    }
    return try open(
      batch, quantity: quantity ?? usualOpening(of: batch), at: moment, strict: strict,
      unchangedSince: version, by: writer)
  }

  /// Returns the closed batch that expires first; nil for loose stock.
  private func batchToOpen(of item: Entity, _ lot: Lot?) -> Entity? {
    let batches = lot?.batches ?? Stock(after).firstExpiredFirst(of: item)
    if let closed = batches.first(where: { $0.openedAt == nil }) { return closed }
    let loose = Stock(after).withoutLack(item).quantity
    return lot == nil && loose.value > .zero ? nil : batches.first
  }
}

extension Edit {
  /// Returns the usual quantity to open of the loose stock: one piece or pack or, of a weight or a
  /// volume, the pack of a product; all of it if that is less, or not known.
  private func usualOpening(looseOf item: Entity) -> Quantity {
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
