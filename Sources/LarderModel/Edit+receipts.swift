internal import LarderJSON

/// What a receipt does to the stock: every line with an item adds its quantity to the item's loose
/// stock, once, whoever saves it and however often (rule 2 of the founding documents).
extension Edit {
  /// Brings the ledgers in line with a receipt that is new, changed, voided or restored.
  ///
  /// Entry ids are made from the lines', so that two devices that do the same come to the same.
  public mutating func replenish(
    from old: Entity?, to new: Entity, at now: Instant, device: String
  ) {
    replenish(from: old, to: new, device: device) { $0.stamp(now: now) }
  }

  /// The same; `stamp` tells, for an item, when the change is written into its ledger.
  mutating func replenish(
    from old: Entity?, to new: Entity, device: String, at stamp: @escaping (Entity) -> Instant
  ) {
    let version = old?.register("items")?.stamp ?? new.createdAt
    let cause = ReceiptCause(receipt: new.id, version: version, device: device, stamp: stamp)
    let wasCounted = old.map { !$0.isTombstone } ?? false
    if new.isTombstone {
      if wasCounted { takeBack(cause) }
      return
    }
    if old != nil, !wasCounted {
      bringBack(cause)
      settle(new, cause)
    } else {
      adjust(from: old?.lines, to: new.lines, cause)
    }
  }

  private mutating func adjust(
    from known: [ReceiptLine]?, to new: [ReceiptLine], _ cause: ReceiptCause
  ) {
    let old = known ?? []
    for line in new {
      let earlier = old.first { $0.id == line.id }
      if let earlier, earlier.itemID == line.itemID {
        change(from: earlier, to: line, cause)
      } else {
        if let earlier { change(earlier, by: -earlier.quantity, cause) }
        arrive(line, isNew: known == nil, cause)
      }
    }
    for line in old where !new.contains(where: { $0.id == line.id }) {
      change(line, by: -line.quantity, cause)
    }
  }

  /// A line that its item has not had from this receipt, or has no more.
  ///
  /// On a receipt that was there before, a line that comes back finds its first entry and adds anew.
  private mutating func arrive(_ line: ReceiptLine, isNew: Bool, _ cause: ReceiptCause) {
    let id = Identifier.derived(from: "receipt", line.id)
    let item = line.itemID.flatMap { after[.stockItem, $0] }
    if !isNew, item?.ledger[id] != nil {
      change(line, by: line.quantity, cause)
    } else if line.quantity > .zero {
      record(id, line, line.quantity, cause)
    }
  }

  /// After a restore: what the lines of each item come to now, less what came back.
  private mutating func settle(_ receipt: Entity, _ cause: ReceiptCause) {
    let lines = receipt.lines.filter { line in
      let id = Identifier.derived(from: "receipt", line.id)
      guard let item = line.itemID.flatMap({ after[.stockItem, $0] }) else { return false }
      guard let entry = item.ledger[id] else {
        arrive(line, isNew: true, cause)
        return true
      }
      return entry.receipt == receipt.id || !item.ledger.counts(entry)
    }
    let itemIDs = Set(lines.compactMap(\.itemID)).union(items(with: receipt.id).map(\.id))
    for id in itemIDs.sorted() {
      guard let item = after[.stockItem, id] else { continue }
      let own = lines.filter { $0.itemID == id }
      let wanted = own.map { Quantity($0.quantity, $0.unit ?? item.unit).converted(to: item.unit) }
      let there = item.ledger.entries.filter { $0.receipt == receipt.id && item.ledger.counts($0) }
        .map { $0.quantity?.converted(to: item.unit) }
      let sum = { (numbers: [Number?]) in numbers.compactMap(\.self).reduce(Number.zero, +) }
      let difference = (sum(wanted) - sum(there)).rounded
      var line =
        own.first
        ?? ReceiptLine(
          id: receipt.id, itemName: item.title, quantity: .zero, unit: nil, itemID: id)
      line.unit = item.unit
      change(line, by: difference, cause)
    }
  }

  /// Records the new quantity less the old one, in the new line's unit; both where the units don't
  /// convert.
  private mutating func change(
    from old: ReceiptLine, to new: ReceiptLine, _ cause: ReceiptCause
  ) {
    let item = new.itemID.flatMap { after[.stockItem, $0] }
    let before = Quantity(old.quantity, old.unit ?? item?.unit ?? .piece)
    if let converted = before.converted(to: new.unit ?? item?.unit ?? .piece) {
      change(new, by: (new.quantity - converted).rounded, cause)
    } else {
      change(old, by: -old.quantity, cause)
      change(new, by: new.quantity, cause)
    }
  }

  private mutating func change(
    _ line: ReceiptLine, by difference: Number, _ cause: ReceiptCause
  ) {
    guard difference != .zero, let item = line.itemID.flatMap({ after[.stockItem, $0] }) else {
      return
    }
    let id = Identifier.derived(
      from: "edit", line.id, cause.version.description, difference.description,
      (line.unit ?? item.unit).rawValue)
    record(id, line, difference, cause)
  }

  private mutating func record(
    _ id: String, _ line: ReceiptLine, _ number: Number, _ cause: ReceiptCause
  ) {
    guard var item = line.itemID.flatMap({ after[.stockItem, $0] }), item.ledger[id] == nil else {
      return
    }
    item.record(
      LedgerEntry(
        id: id, at: cause.stamp(item), .delta(number), unit: line.unit ?? item.unit,
        why: .receipt, by: cause.device, receipt: cause.receipt))
    put(item)
  }

  /// Undoes every entry that came from a receipt, but for what another receipt claims as well: two
  /// people who save one basket share its lines.
  private mutating func takeBack(_ cause: ReceiptCause) {
    let claimed = Set(
      after.all(.receipt).filter { !$0.isTombstone && $0.id != cause.receipt }
        .flatMap(\.lines).map { Identifier.derived(from: "receipt", $0.id) })
    let own = Set(
      (after[.receipt, cause.receipt]?.lines ?? []).map {
        Identifier.derived(from: "receipt", $0.id)
      })
    for var item in after.all(.stockItem).sorted(by: { $0.id < $1.id }) {
      let entries = item.ledger.entries.filter { entry in
        (entry.receipt == cause.receipt || own.contains(entry.id)) && !claimed.contains(entry.id)
          && item.ledger.counts(entry)
      }
      guard !entries.isEmpty else { continue }
      let stamp = cause.stamp(item)
      for entry in entries {
        item.record(
          LedgerEntry(
            id: Identifier.derived(from: "undo", entry.id), at: stamp, .undoes(entry.id),
            unit: entry.unit, why: .undo, by: cause.device, receipt: cause.receipt))
      }
      put(item)
    }
  }

  /// Writes anew, at their own times, the entries that voiding a receipt undid.
  private mutating func bringBack(_ cause: ReceiptCause) {
    for var item in items(with: cause.receipt) {
      for undo in item.ledger.entries where undo.receipt == cause.receipt {
        guard case .undoes(let id) = undo.event, let entry = item.ledger[id],
          let quantity = entry.quantity
        else { continue }
        item.record(
          LedgerEntry(
            id: Identifier.derived(from: "undo", undo.id), at: entry.at, .delta(quantity.value),
            unit: entry.unit, why: .receipt, by: cause.device, receipt: cause.receipt))
      }
      put(item)
    }
  }

  private func items(with receipt: String) -> [Entity] {
    after.all(.stockItem).filter { item in
      item.ledger.entries.contains { $0.receipt == receipt }
    }
    .sorted { $0.id < $1.id }
  }
}

/// The receipt behind a change of ledgers.
private struct ReceiptCause {
  let receipt: String
  /// When the lines were written that are being replaced.
  let version: Instant
  let device: String
  let stamp: (Entity) -> Instant
}

extension Edit {
  /// What a receipt is saved from.
  public struct Purchase: Sendable {
    public var shop: String
    public var amount: Number?
    public var currency: String?
    public var timestamp: Instant?
    public var id: String?
    /// The shopping entries that were bought.
    public var entries: [Entity] = []
    /// What was bought of an entry's item where it differs from the entry, and what was on no list.
    public var lines: [ReceiptLine] = []

    public init(shop: String) {
      self.shop = shop
    }
  }

  /// Saves a receipt: its lines replenish the stock and its shopping entries are closed.
  ///
  /// A receipt that is there already, by its id or because its entries make the same one, is
  /// returned as it is and nothing is changed; nothing is where this throws, either.
  public mutating func save(_ purchase: Purchase, by writer: Writer) throws(RuleError) -> Entity {
    var attempt = self
    let receipt = try attempt.saveInPlace(purchase, by: writer)
    self = attempt
    return receipt
  }

  /// Saves and, where it throws, leaves entries ticked off.
  private mutating func saveInPlace(_ purchase: Purchase, by writer: Writer) throws(RuleError)
    -> Entity
  {
    if let id = purchase.id, let known = after[.receipt, id] {
      guard !known.isTombstone else { throw .receiptIsVoid(id: id) }
      return known
    }
    let completed = try complete(purchase.entries, by: writer)
    var lines = try completed.map { entry throws(RuleError) in
      try line(for: entry, purchase.lines)
    }
    let names = lines.map(\.id).sorted { JSON.precedes($0, $1) }.joined(separator: "/")
    lines += purchase.lines.filter { extra in
      extra.itemID == nil || !completed.contains { $0.itemID == extra.itemID }
    }
    guard !lines.isEmpty else { throw .nothingToSave }
    for line in lines { try check(line) }
    let id =
      purchase.id
      ?? (completed.isEmpty ? writer.newID() : Identifier.derived(fromName: "receipt/\(names)"))
    if let known = after[.receipt, id] {
      guard !known.isTombstone else { throw .receiptIsVoid(id: id) }
      return known
    }
    let receipt = new(
      .receipt, id: id,
      [
        ("shopName", .string(purchase.shop)),
        ("timestamp", .string((purchase.timestamp ?? writer.now).description)),
        ("amount", purchase.amount?.json), ("currency", purchase.currency.map { .string($0) }),
        ("items", .array(lines.map(\.json))),
      ], by: writer)
    put(receipt)
    replenish(from: nil, to: receipt, at: writer.now, device: writer.device)
    for entry in completed {
      write([("isDeleted", .bool(true))], to: entry.key, now: writer.now)
    }
    return receipt
  }

  private mutating func complete(_ entries: [Entity], by writer: Writer) throws(RuleError)
    -> [Entity]
  {
    var completed: [Entity] = []
    for entry in entries {
      guard !entry.isTombstone else { throw .entryIsClosed(name: title(of: entry)) }
      write([("isCompleted", .bool(true))], to: entry.key, now: writer.now)
      completed.append(after[entry.key] ?? entry)
    }
    return completed
  }

  /// The line that an entry becomes; its id is made from the entry and when it was ticked off.
  private func line(for entry: Entity, _ corrections: [ReceiptLine]) throws(RuleError)
    -> ReceiptLine
  {
    let ticked = entry.register("isCompleted")?.stamp ?? entry.createdAt
    let item = entry.itemID.flatMap { after[.stockItem, $0] }
    if let item, !entry.unit.converts(to: item.unit) {
      throw .unitsDoNotConvert(of: item.title, entry.unit, item.unit)
    }
    let id = Identifier.derived(from: "line", entry.id, ticked.description)
    var line = ReceiptLine(
      id: id, itemName: title(of: entry), quantity: entry.desired.value, unit: entry.unit,
      itemID: entry.itemID)
    if let correction = corrections.first(where: { $0.itemID != nil && $0.itemID == entry.itemID })
    {
      line.quantity = correction.quantity
      line.unit = correction.unit ?? line.unit
      line.price = correction.price
      line.expiry = correction.expiry
      line.others = correction.others
    }
    return line
  }

  private func check(_ line: ReceiptLine) throws(RuleError) {
    guard let item = line.itemID.flatMap({ after[.stockItem, $0] }), let unit = line.unit,
      !unit.converts(to: item.unit)
    else { return }
    throw .unitsDoNotConvert(of: item.title, unit, item.unit)
  }

  /// What an entry is called: its item's name, or its own.
  public func title(of entry: Entity) -> String {
    entry.itemID.flatMap { after[.stockItem, $0]?.title } ?? entry.title
  }
}
