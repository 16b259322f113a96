internal import LarderJSON

/// The rules for moving: batches, loose stock, and all of an item that lies elsewhere.
extension Edit {
  /// Moves a batch, or what lies loose of an item, or a part of it.
  ///
  /// A part becomes a new batch, or joins a batch with the same merge key, and so does what lay
  /// loose. `expiry` is its date there: in a freezer an older one does not count, and from one freezer
  /// to another the day that counts goes along.
  ///
  /// Returns the batch at the new location. With `version`, throws `changedSince` if the batch's
  /// `updatedAt` differs. Only an active batch above zero can be moved.
  public mutating func move(
    _ batch: Entity, to location: String, quantity: Quantity? = nil,
    expiry: DateUpdate<Day> = .keep, unchangedSince version: Instant? = nil, by writer: Writer
  ) throws(RuleError) -> EntityKey {
    let batch = Stock(after).withoutLack(batch)
    if batch.kind == .stockItem {
      var details = BatchDetails(productID: batch.id)
      (details.locationID, details.expiry) = (location, expiry.info)
      return try self.batch(quantity, looseIn: batch, details, by: writer)
    }
    try checkCanChange(batch, version)
    try checkPlace(location)
    var fields: [FieldValue] = [(.storageLocationID, .string(location))]
    if expiry != .keep {
      fields.append((.expiryInfo, expiry.applied(to: batch.expiry)?.json))
    }
    guard let part = try part(quantity, of: batch) else {
      write(details: fields, of: batch, by: writer)
      return batch.key
    }
    guard location != batch.locationID else { return batch.key }
    writeLacks(around: batch, by: writer)
    return split(part, off: batch, writing: fields, by: writer)
  }

  /// Moves what lies elsewhere of an item to a location, loose and in batches, or some of it, in the
  /// order of taking.
  ///
  /// Returns what was moved, in that order; nothing if all of it is there. Throws `tooLittleElsewhere`
  /// if less does, and the errors of ``move(_:to:quantity:expiry:unchangedSince:by:)``.
  public mutating func move(
    of item: Entity, to place: String, quantity: Quantity? = nil, expiry: DateUpdate<Day> = .keep,
    unchangedSince version: Instant? = nil, by writer: Writer
  ) throws(RuleError) -> [MovedPart] {
    let sources = Stock(after).elsewhere(item, than: place)
    guard !sources.isEmpty else { return [] }
    try checkPlace(place)
    var open = quantity.map { after.counted($0, in: item.unit) }
    if let open {
      guard open.value > .zero else { throw .notAboveZero(open) }
      try check(open, for: item)
      let there = sources.reduce(Number.zero) { sum, source in
        sum + (source.quantity.converted(to: open.unit) ?? .zero)
      }.rounded
      guard open.value <= there else {
        throw .tooLittleElsewhere(
          of: item.title, than: after[.storageLocation, place]?.title ?? place, wanted: open,
          available: Quantity(there, open.unit))
      }
    }
    var moved: [MovedPart] = []
    for source in sources {
      var part = source.quantity
      if let wanted = open {
        guard wanted.value > .zero else { break }
        guard let there = part.converted(to: wanted.unit)?.rounded else { continue }
        if there > wanted.value { part = wanted }
        open = Quantity(max(wanted.value - there, .zero).rounded, wanted.unit)
      }
      let isPart = part != source.quantity
      let key = try move(
        source, to: place, quantity: isPart ? part : nil, expiry: expiry,
        unchangedSince: version, by: writer)
      moved.append(MovedPart(source: source, batch: key, quantity: part))
    }
    return moved
  }

  /// Moves a lot, or a part of it, to another location.
  ///
  /// A part is taken from the oldest batch first. Throws `tooMuch` if there is less, and the errors
  /// of ``move(_:to:quantity:expiry:unchangedSince:by:)``.
  public mutating func move(
    _ lot: Lot, called title: String, to place: String, quantity: Quantity? = nil,
    expiry: DateUpdate<Day> = .keep, unchangedSince version: Instant? = nil, by writer: Writer
  ) throws(RuleError) -> [MovedPart] {
    var open = quantity?.value ?? .zero
    if let quantity, let available = lot.quantity.converted(to: quantity.unit)?.rounded,
      available < quantity.value
    {
      throw .tooMuch(
        of: title, wanted: quantity, available: Quantity(available, quantity.unit))
    }
    var moved: [MovedPart] = []
    for batch in lot.batches {
      var part: Quantity?
      if let quantity {
        let there = batch.quantity.converted(to: quantity.unit)?.rounded ?? open
        part = Quantity(min(open, there), quantity.unit)
        guard open > .zero && there > .zero || moved.isEmpty else { break }
        open = (open - min(open, there)).rounded
      }
      let key = try move(
        batch, to: place, quantity: part, expiry: expiry, unchangedSince: version, by: writer)
      moved.append(MovedPart(source: batch, batch: key, quantity: part ?? batch.quantity))
    }
    return moved
  }
}

/// A moved part of one batch, or of the loose stock.
public struct MovedPart: Sendable {
  /// The batch as it was before, or the item.
  public let source: Entity
  /// The batch at the new location.
  public let batch: EntityKey
  public let quantity: Quantity
}

extension Stock {
  /// Returns what lies elsewhere of an item than in a location, in the order of taking: its batches
  /// with something left, and the item for what lies loose.
  ///
  /// What nobody said a place of lies where the item usually does, if anything else lies elsewhere.
  public func elsewhere(_ item: Entity, than place: String) -> [Entity] {
    let holding = holding(of: item)
    let loose = holding.item.quantity.value > .zero ? [holding.item] : []
    let piles = Stock.firstExpiredFirst(holding.batches) + loose
    let said = piles.filter { $0.kind == .stockItem || $0.locationID != place }
    let known = said.filter { ($0.locationID ?? item.locationID) != place }
    return known.isEmpty ? said : known
  }
}

extension Edit {
  /// Turns loose stock into a batch, or adds it to one with the same merge key; without a quantity all
  /// of it.
  mutating func batch(
    _ quantity: Quantity?, looseIn item: Entity, _ details: BatchDetails, by writer: Writer
  ) throws(RuleError) -> EntityKey {
    try checkPlace(details.locationID)
    let loose = Stock(after).withoutLack(item).quantity
    let quantity = after.counted(quantity ?? loose, in: item.unit)
    try check(quantity, for: item)
    let available = loose.converted(to: quantity.unit)?.rounded ?? .zero
    guard quantity.value <= available else {
      throw .tooMuch(
        of: item.title, wanted: quantity,
        available: Quantity(max(available, .zero), quantity.unit))
    }
    writeLacks(around: item, by: writer)
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
    // All that it is made with has one stamp: an old day would count for a piece that is frozen only
    // now, or that was kept frozen.
    let wasFrozen = after.freezers.contains(batch.locationID) && !batch.isKeptFrozen
    if !wasFrozen, after.freezers.contains(piece.locationID), piece[.expiryInfo] != nil,
      !fields.contains(where: { $0.name == .expiryInfo })
    {
      piece.write(.storageLocationID, piece[.storageLocationID], at: now.next)
    }
    let candidate = mergeCandidate(MergeKey(of: after.freezers.reading(piece)), for: part.unit)
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
}
