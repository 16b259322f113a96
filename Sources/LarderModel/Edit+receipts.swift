internal import LarderJSON

/// What a receipt does to the stock: every line with an item adds its quantity, once, whoever saves
/// it and however often (rule 2 of the founding documents).
///
/// It goes to the item's loose stock or, where the line says until when it keeps, where it lies or
/// its lot code, into a batch of the line's own.
extension Edit {
  /// Brings the ledgers in line with a receipt that is new, changed, voided or restored.
  ///
  /// Ids of entries and batches are made from the lines', so that two devices that do the same come
  /// to the same.
  public mutating func replenish(
    from old: Entity?, to new: Entity, at now: Instant, device: String
  ) {
    replenish(from: old, to: new, device: device) { $0.stamp(now: now) }
  }

  /// The same; `stamp` tells, for an item or a batch, when the change is written into its ledger.
  mutating func replenish(
    from old: Entity?, to new: Entity, device: String, at stamp: @escaping (Entity) -> Instant
  ) {
    let version = old?.register("items")?.stamp ?? new.createdAt
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
    for line in new {
      let earlier = old.first { $0.id == line.id }
      guard let place = place(of: line, after: earlier) else {
        if let earlier { takeOff(earlier, cause) }
        continue
      }
      if let earlier, place.key == self.place(of: earlier)?.key {
        change(from: earlier, to: line, in: place, cause)
      } else {
        if let earlier { takeOff(earlier, cause) }
        arrive(line, in: place, isNew: known == nil, cause)
      }
    }
    for line in old where !new.contains(where: { $0.id == line.id }) { takeOff(line, cause) }
  }

  /// A line that is gone, or whose quantity goes elsewhere now.
  private mutating func takeOff(_ line: ReceiptLine, _ cause: ReceiptCause) {
    guard let place = place(of: line) else { return }
    change(line, in: place, by: -line.quantity, cause)
  }

  /// A line that its place has not had from this receipt, or has no more.
  ///
  /// On a receipt that was there before, a line that comes back finds its first entry and adds anew,
  /// and its batch is what it says now.
  private mutating func arrive(
    _ line: ReceiptLine, in place: LinePlace, isNew: Bool, _ cause: ReceiptCause
  ) {
    if !isNew, let holder = after[place.key], holder.ledger[line.entryID] != nil {
      change(line, in: place, by: line.quantity, cause)
      if holder.kind == .inventoryItem {
        write(line.batchFields, to: holder.key, now: cause.stamp(holder))
      }
    } else if line.quantity > .zero {
      record(line.entryID, line, in: place, line.quantity, cause)
    }
  }

  /// After a restore: what the lines at each place come to now, less what came back.
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
    let wanted = lines.map { line in
      Quantity(line.quantity, line.unit ?? place.item.unit).converted(to: holder.unit)
    }
    let there = holder.ledger.entries.filter { entry in
      entry.receipt == cause.receipt.id && holder.ledger.counts(entry)
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

  /// Records the new quantity less the old one, in the new line's unit; both where the units don't
  /// convert.
  ///
  /// What the line says of its batch follows.
  private mutating func change(
    from old: ReceiptLine, to new: ReceiptLine, in place: LinePlace, _ cause: ReceiptCause
  ) {
    let before = Quantity(old.quantity, old.unit ?? place.item.unit)
    if let converted = before.converted(to: new.unit ?? place.item.unit) {
      change(new, in: place, by: (new.quantity - converted).rounded, cause)
    } else {
      change(old, in: place, by: -old.quantity, cause)
      change(new, in: place, by: new.quantity, cause)
    }
    guard place.key.kind == .inventoryItem, let batch = after[place.key] else { return }
    let fields = new.batchFields.filter { field in
      old.batchFields.contains { $0.name == field.name && $0.value != field.value }
    }
    guard !fields.isEmpty else { return }
    write(fields, to: batch.key, now: cause.stamp(batch))
  }

  private mutating func change(
    _ line: ReceiptLine, in place: LinePlace, by difference: Number, _ cause: ReceiptCause
  ) {
    guard difference != .zero else { return }
    let id = Identifier.derived(
      from: "edit", line.id, cause.version.description, difference.description,
      (line.unit ?? place.item.unit).rawValue)
    record(id, line, in: place, difference, cause)
  }

  private mutating func record(
    _ id: String, _ line: ReceiptLine, in place: LinePlace, _ number: Number, _ cause: ReceiptCause
  ) {
    let known = after[place.key]
    var holder = known ?? batch(of: line, place, cause)
    guard holder.ledger[id] == nil else { return }
    holder.record(
      LedgerEntry(
        id: id, at: known == nil ? holder.createdAt : cause.stamp(holder), .delta(number),
        unit: line.unit ?? place.item.unit, why: .receipt, by: cause.device,
        receipt: cause.receipt.id))
    put(holder)
  }

  /// Undoes every entry that came from a receipt, but for what another receipt claims as well: two
  /// people who save one basket share its lines.
  private mutating func takeBack(_ cause: ReceiptCause) {
    let claimed = Set(
      after.all(.receipt).filter { !$0.isTombstone && $0.id != cause.receipt.id }
        .flatMap(\.lines).map(\.entryID))
    let own = Set((after[cause.receipt.key]?.lines ?? []).map(\.entryID))
    for var holder in holders() {
      let entries = holder.ledger.entries.filter { entry in
        (entry.receipt == cause.receipt.id || own.contains(entry.id))
          && !claimed.contains(entry.id) && holder.ledger.counts(entry)
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

  /// Batches that were thrown out with the receipt's making, as an undo does, while what came into
  /// them still counts.
  private mutating func revive(_ cause: ReceiptCause) {
    for line in cause.receipt.lines {
      guard let place = place(of: line), place.key.kind == .inventoryItem,
        let batch = after[place.key], batch["status"] == .string("discarded"),
        let entry = batch.ledger[line.entryID], batch.ledger.counts(entry)
      else { continue }
      write([("status", .string("active"))], to: batch.key, now: cause.stamp(batch))
    }
  }

  /// Writes anew, at their own times, the entries that voiding a receipt undid.
  private mutating func bringBack(_ cause: ReceiptCause) {
    for var holder in holders(with: cause.receipt.id) {
      for undo in holder.ledger.entries where undo.receipt == cause.receipt.id {
        guard case .undoes(let id) = undo.event, let entry = holder.ledger[id],
          let quantity = entry.quantity
        else { continue }
        holder.record(
          LedgerEntry(
            id: Identifier.derived(from: "undo", undo.id), at: entry.at, .delta(quantity.value),
            unit: entry.unit, why: .receipt, by: cause.device, receipt: cause.receipt.id))
      }
      put(holder)
    }
  }

  /// All items and batches, or those with entries of a receipt, in order of kind and id.
  private func holders(with receipt: String? = nil) -> [Entity] {
    after.entities.filter { holder in
      guard Schema.of(holder.kind).quantity != nil else { return false }
      return receipt.map { id in holder.ledger.entries.contains { $0.receipt == id } } ?? true
    }
    .sorted { EntityKey.precedes($0.key, $1.key) }
  }
}

/// The receipt behind a change of ledgers.
private struct ReceiptCause {
  let receipt: Entity
  /// When the lines were written that are being replaced.
  let version: Instant
  let device: String
  let stamp: (Entity) -> Instant
}

/// Where a line's quantity goes: its item's loose stock, or the line's own batch.
private struct LinePlace {
  let key: EntityKey
  let item: Entity
}

extension Edit {
  /// Where a line's quantity is: in its batch, where there is one; nil where it has no item.
  private func place(of line: ReceiptLine) -> LinePlace? {
    guard let item = line.itemID.flatMap({ after[.stockItem, $0] }) else { return nil }
    let batch = line.batchKey(of: item)
    return LinePlace(key: after[batch] == nil ? item.key : batch, item: item)
  }

  /// Where a line's quantity goes, after the line as it was before.
  ///
  /// What it says of a batch makes one when it is said first; what lies loose in spite of it, as
  /// programs had it that knew no batches of lines, stays there.
  private func place(of line: ReceiptLine, after earlier: ReceiptLine?) -> LinePlace? {
    guard let place = place(of: line) else { return nil }
    let wasSaid = earlier.map { $0.itemID == line.itemID && $0.isOfBatch } ?? false
    let isLoose = after[place.item.key]?.ledger[line.entryID] != nil
    guard line.isOfBatch, !(wasSaid && isLoose) else { return place }
    return LinePlace(key: line.batchKey(of: place.item), item: place.item)
  }

  /// The line's batch, before anything is in it.
  private func batch(of line: ReceiptLine, _ place: LinePlace, _ cause: ReceiptCause) -> Entity {
    let at = cause.receipt.register("items")?.stamp ?? cause.receipt.createdAt
    let maker = Writer(
      now: at, device: cause.device, userID: cause.receipt.userID ?? "", newID: { place.key.id })
    let details = BatchDetails(productID: place.item.id)
    let fields = fields(of: details, unit: line.unit ?? place.item.unit)
    let own = fields.filter { field in !line.batchFields.contains { $0.name == field.name } }
    return new(.inventoryItem, own + line.batchFields, by: maker)
  }
}

extension ReceiptLine {
  /// The id of the entry by which the line's quantity came.
  var entryID: String { Identifier.derived(from: "receipt", id) }

  /// The batch that the line makes of an item where it says anything of one.
  func batchKey(of item: Entity) -> EntityKey {
    EntityKey(.inventoryItem, batchID(ofItem: item.id))
  }

  func batchID(ofItem item: String) -> String { Identifier.derived(from: "batch", id, item) }

  /// Whether the line says until when it keeps, where it went or its lot code.
  var isOfBatch: Bool {
    expiry != nil || !(locationID ?? "").isEmpty || !(lotCode ?? "").isEmpty
  }

  /// What the line says of its batch, as the batch has it.
  fileprivate var batchFields: [(name: String, value: JSON?)] {
    let lot = lotCode.flatMap { $0.isEmpty ? nil : $0 }
    return [
      ("storageLocationId", .string(locationID ?? "")),
      ("lotOrBatchCode", lot.map { .string($0) }),
      ("expiryInfo", expiry.map { ExpiryInfo(.expiry, $0).json }),
    ]
  }
}
