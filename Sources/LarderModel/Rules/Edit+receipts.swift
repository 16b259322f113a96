internal import LarderJSON

/// The effect of a receipt on the stock: every line with an item adds its quantity once, however
/// often and by whichever device the receipt is saved.
///
/// The quantity goes to the item's loose stock. If the line has an expiry, a location or a lot
/// code, it goes on from there into the line's own batch.
extension Edit {
  /// Updates the ledgers for a receipt that is new, changed, voided or restored.
  ///
  /// Ids of entries and batches are derived from the ids of the lines. So two devices that do the
  /// same get the same result.
  public mutating func replenish(
    from old: Entity?, to new: Entity, at now: Instant, device: String
  ) {
    replenish(from: old, to: new, device: device) { $0.stamp(now: now) }
  }

  /// Updates the ledgers; `stamp` returns the time of the change for an item or a batch.
  mutating func replenish(
    from old: Entity?, to new: Entity, device: String, at stamp: @escaping (Entity) -> Instant
  ) {
    let version = old?.register(.items)?.stamp ?? new.createdAt
    let cause = ReceiptCause(receipt: new, version: version, device: device, stamp: stamp)
    let wasCounted = old.map { !$0.isTombstone } ?? false
    if new.isTombstone {
      if wasCounted { takeBack(cause) }
      return
    }
    if old != nil, !wasCounted {
      revive(cause)
      bringBack(cause)
      settle(cause)
    } else {
      adjust(from: old?.lines, cause)
    }
  }

  private mutating func adjust(from known: [ReceiptLine]?, _ cause: ReceiptCause) {
    let old = known ?? []
    let new = cause.receipt.lines
    let before = Dictionary(old.map { ($0.id, $0) }) { first, _ in first }
    let kept = Set(new.map(\.id))
    for line in new {
      let earlier = before[line.id]
      guard let place = place(of: line, after: earlier) else {
        if let earlier { takeOff(earlier, cause) }
        continue
      }
      let last = earlier.flatMap { self.place(of: $0)?.key }
      if let earlier, place.key == last {
        change(from: earlier, to: line, in: place, cause)
      } else if let earlier, place.item.key == last, line.quantity > .zero {
        putAway(line, after: earlier, in: place, cause)
      } else {
        if let earlier { takeOff(earlier, cause) }
        arrive(line, in: place, isNew: known == nil, cause)
      }
    }
    for line in old where !kept.contains(line.id) { takeOff(line, cause) }
  }

  /// Takes back the quantity of a line that is gone or whose quantity goes elsewhere.
  private mutating func takeOff(_ line: ReceiptLine, _ cause: ReceiptCause) {
    guard let place = place(of: line) else { return }
    change(line, in: place, by: -line.quantity, cause)
  }

  /// Adds the quantity of a line that its place does not have from this receipt.
  ///
  /// On an existing receipt, a line that comes back finds its first entry. Then a new entry is
  /// added, and the batch gets the line's current details.
  private mutating func arrive(
    _ line: ReceiptLine, in place: LinePlace, isNew: Bool, _ cause: ReceiptCause
  ) {
    let isKnown = after[place.key]?.ledger[line.entryID] != nil
    if isKnown, !isNew {
      change(line, in: place, by: line.quantity, cause)
      if let batch = after[place.key], batch.kind == .inventoryItem {
        write(line.batchFields(over: batch), to: batch.key, now: cause.stamp(batch))
      }
    } else if !isKnown, line.quantity > .zero {
      if place.isBatch {
        putAway(line, in: place, isNew: isNew, cause)
      } else {
        record(line.entryID, line.quantity(in: place.item), of: line, in: place, cause)
      }
    }
  }

  /// Puts the quantity of a line into its batch, which has nothing of it yet.
  ///
  /// `earlier` is the version whose quantity is loose.
  ///
  /// The entry adds to the loose stock, and a second one moves the quantity into the batch. Their
  /// ids are derived from the line only. So it counts once, even if another device has it as loose
  /// stock and has changed it there.
  private mutating func putAway(
    _ line: ReceiptLine, after earlier: ReceiptLine? = nil, in place: LinePlace,
    isNew: Bool = false, _ cause: ReceiptCause
  ) {
    let loose = LinePlace(key: place.item.key, item: place.item)
    var brought = line
    if let first = after[loose.key]?.ledger[line.entryID]?.quantity {
      (brought.quantity, brought.unit) = (first.value, first.unit)
      if let earlier {
        change(from: earlier, to: brought, in: loose, cause)
      } else if !isNew {
        change(brought, in: loose, by: brought.quantity, cause)
      }
    } else if let earlier {
      takeOff(earlier, cause)
    }
    let quantity = brought.quantity(in: place.item)
    record(line.entryID, quantity, of: line, in: loose, cause)
    let batchTime =
      after[place.key].map(cause.stamp) ?? batch(of: line, place, cause).createdAt
    let at = after[loose.key].map { max(cause.stamp($0), batchTime) }
    let gone = Quantity(-quantity.value, quantity.unit)
    record(line.moveID, gone, of: line, in: loose, why: .move, at: at, cause)
    record(line.entryID, quantity, of: line, in: place, why: .move, at: at, cause)
    if !isNew { change(from: brought, to: line, in: place, cause) }
  }

  /// Corrects each place after a restore, by the difference between the lines' quantities and the
  /// entries that came back.
  private mutating func settle(_ cause: ReceiptCause) {
    var lines: [EntityKey: [ReceiptLine]] = [:]
    var places: [EntityKey: LinePlace] = [:]
    for line in cause.receipt.lines {
      guard let place = place(of: line, after: line) else { continue }
      places[place.key] = place
      let ledger = after[place.key]?.ledger
      if let entry = ledger?[line.entryID] {
        guard entry.receipt == cause.receipt.id || !(ledger?.counts(entry) ?? false) else {
          continue
        }
      } else {
        arrive(line, in: place, isNew: true, cause)
      }
      lines[place.key, default: []].append(line)
    }
    for holder in holders(with: cause.receipt.id) where places[holder.key] == nil {
      places[holder.key] = LinePlace(key: holder.key, item: holder)
    }
    for (key, place) in places.sorted(by: { EntityKey.precedes($0.key, $1.key) }) {
      settle(lines[key] ?? [], in: place, cause)
    }
  }

  private mutating func settle(
    _ lines: [ReceiptLine], in place: LinePlace, _ cause: ReceiptCause
  ) {
    guard let holder = after[place.key] else { return }
    let wanted = lines.map { $0.quantity(in: place.item).converted(to: holder.unit) }
    let ledger = holder.ledger
    let there = ledger.entries.filter { entry in
      entry.receipt == cause.receipt.id && ledger.counts(entry)
    }.map { $0.quantity?.converted(to: holder.unit) }
    let sum = { (numbers: [Number?]) in numbers.compactMap(\.self).reduce(Number.zero, +) }
    var line =
      lines.first
      ?? ReceiptLine(
        id: cause.receipt.id, itemName: holder.title, quantity: .zero, unit: nil,
        itemID: place.item.id)
    line.unit = holder.unit
    change(line, in: place, by: (sum(wanted) - sum(there)).rounded, cause)
  }

  /// Records the difference of two versions of a line, in the new line's unit.
  ///
  /// If the units don't convert, it records both.
  ///
  /// The batch's fields follow the line.
  private mutating func change(
    from old: ReceiptLine, to new: ReceiptLine, in place: LinePlace, _ cause: ReceiptCause
  ) {
    let unit = new.quantity(in: place.item).unit
    if let converted = old.quantity(in: place.item).converted(to: unit) {
      change(new, in: place, by: (new.quantity - converted).rounded, cause)
    } else {
      change(old, in: place, by: -old.quantity, cause)
      change(new, in: place, by: new.quantity, cause)
    }
    guard place.isBatch, let batch = after[place.key] else { return }
    let differing = new.batchFields.filter { field in
      old.batchFields.contains { $0.name == field.name && $0.value != field.value }
    }.map(\.name)
    let fields = new.batchFields(over: batch).filter { differing.contains($0.name) }
    guard !fields.isEmpty else { return }
    write(fields, to: batch.key, now: cause.stamp(batch))
  }

  private mutating func change(
    _ line: ReceiptLine, in place: LinePlace, by difference: Number, _ cause: ReceiptCause
  ) {
    guard difference != .zero else { return }
    let quantity = Quantity(difference, line.quantity(in: place.item).unit)
    let id = Identifier.derived(
      from: "edit", line.id, cause.version.description, difference.description,
      quantity.unit.rawValue)
    record(id, quantity, of: line, in: place, cause)
  }

  /// Adds an entry that a place does not have, at a time or when what was bought came.
  private mutating func record(
    _ id: String, _ quantity: Quantity, of line: ReceiptLine, in place: LinePlace,
    why: LedgerEntry.Reason = .receipt, at time: Instant? = nil, _ cause: ReceiptCause
  ) {
    if after[place.key] == nil { put(batch(of: line, place, cause)) }
    // Who holds the entity while the entry is added copies its ledger.
    guard after[place.key]?.ledger[id] == nil,
      let time = time ?? after[place.key].map({ cause.moment(recordedAt: cause.stamp($0)) })
    else { return }
    let entry = LedgerEntry(
      id: id, at: time, .delta(quantity.value), unit: quantity.unit, why: why, by: cause.device,
      receipt: cause.receipt.id)
    record(entry, in: place.key)
  }

  /// Undoes every entry of a receipt, except those that another receipt also claims: two people who
  /// save the same basket share its lines.
  private mutating func takeBack(_ cause: ReceiptCause) {
    let claimed = Set(
      after.all(.receipt).filter { !$0.isTombstone && $0.id != cause.receipt.id }
        .flatMap(\.lines).flatMap(\.entryIDs))
    let own = Set((after[cause.receipt.key]?.lines ?? []).flatMap(\.entryIDs))
    for var holder in holders() {
      let ledger = holder.ledger
      let entries = ledger.entries.filter { entry in
        (entry.receipt == cause.receipt.id || own.contains(entry.id))
          && !claimed.contains(entry.id) && ledger.counts(entry)
      }
      guard !entries.isEmpty else { continue }
      let stamp = cause.stamp(holder)
      for entry in entries {
        holder.record(
          LedgerEntry(
            id: Identifier.derived(from: "undo", entry.id), at: stamp, .undoes(entry.id),
            unit: entry.unit, why: .undo, by: cause.device, receipt: cause.receipt.id))
      }
      put(holder)
    }
  }

  /// Restores batches that were discarded together with the receipt, for example by an undo, if
  /// their entries still count.
  private mutating func revive(_ cause: ReceiptCause) {
    for line in cause.receipt.lines {
      guard let place = place(of: line), place.isBatch,
        let batch = after[place.key], batch[.status] == .string("discarded"),
        let entry = batch.ledger[line.entryID], batch.ledger.counts(entry)
      else { continue }
      write([(.status, .string("active"))], to: batch.key, now: cause.stamp(batch))
    }
  }

  /// Adds again, with their own times, the entries that voiding a receipt undid.
  private mutating func bringBack(_ cause: ReceiptCause) {
    for var holder in holders(with: cause.receipt.id) {
      let ledger = holder.ledger
      for undo in ledger.entries where undo.receipt == cause.receipt.id {
        guard case .undoes(let id) = undo.event, let entry = ledger[id],
          let quantity = entry.quantity
        else { continue }
        holder.record(
          LedgerEntry(
            id: Identifier.derived(from: "undo", undo.id), at: entry.at, .delta(quantity.value),
            unit: entry.unit, why: entry.why, by: cause.device, receipt: cause.receipt.id))
      }
      put(holder)
    }
  }

  /// Returns all items and batches, or those with entries of a receipt, ordered by kind and id.
  private func holders(with receipt: String? = nil) -> [Entity] {
    after.entities.filter { holder in
      guard Schema.of(holder.kind).quantity != nil else { return false }
      return receipt.map { id in holder.ledger.entries.contains { $0.receipt == id } } ?? true
    }
    .sorted { EntityKey.precedes($0.key, $1.key) }
  }
}
