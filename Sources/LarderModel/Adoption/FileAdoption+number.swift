internal import LarderJSON

/// A count of all there is of an item, which somebody wrote into its file.
struct TotalCount {
  let quantity: Quantity
  /// When it was counted.
  let at: Instant
  /// Whether it says nothing new if so much is there by now.
  let mayBeKnown: Bool
}

extension FileAdoption {
  /// Records the number or the `consumed` that people wrote, if it is a count.
  ///
  /// The number is in the file's own unit, even if the file comes from an old editor buffer and the
  /// unit has changed since. The entry comes after lines written beside it. Throws if the number
  /// has more digits than an entry may have.
  func takeNumber(
    _ outcome: inout Outcome, at stamp: Instant, after lines: Instant?
  ) throws(EntityProblem) {
    guard Schema.of(after.kind).quantity != nil else { return }
    let entity = outcome.entity
    let unit = after.unit.converts(to: entity.unit) ? after.unit : entity.unit
    let time = max(hasReceipt ? stamp.next : stamp, lines?.next ?? stamp)
    let there = entity.ledger.total(in: unit)
    let own = OwnTotals(
      ofPage: ownTotal(there: there, from: after.pageFrom, at: stamp),
      ofKnownPage: ownTotal(there: there, from: known?.pageFrom, at: stamp))
    if after.kind == .stockItem, let count = countedTotal(own, noting: &outcome) {
      try checkDigits(count.number, .quantityInStock)
      outcome.total = TotalCount(
        quantity: Quantity(count.number, unit), at: time, mayBeKnown: count.mayBeKnown)
      if isAlone { outcome.countAlone() }
      return
    }
    if isFromBeforeCount { return outcome.stale.append(.quantityInStock) }
    guard let count = counted(\.number, own),
      !count.mayBeKnown || count.number.rounded != there
    else {
      if after.saysConsumed, isNewlyConsumed, hasLedgerOfBefore ? there > .zero : own.ofPage > .zero
      {
        outcome.entity.record(.counted(Quantity(.zero, unit), of: id, at: time))
      }
      return
    }
    try checkDigits(count.number, after.kind == .stockItem ? .quantityLoose : .quantity)
    outcome.entity.record(.counted(Quantity(count.number, unit), of: id, at: time))
  }

  private func checkDigits(_ number: Number, _ name: FieldName) throws(EntityProblem) {
    guard Number(number.description) == nil else { return }
    let path: [JSONStep] =
      name == .quantity ? [.key("quantity"), .key("value")] : [.key(name.text)]
    throw EntityProblem(
      .unexpected(found: number.description, expected: FieldType.number.phrase), path)
  }

  /// A number that people counted.
  private struct Count {
    let number: Number
    /// Whether it says nothing new if so much is there by now.
    var mayBeKnown = false
  }

  /// What the file's own ledger gives, from its own page on and from the known one on.
  private struct OwnTotals {
    let ofPage: Number
    let ofKnownPage: Number
  }

  /// Returns what people counted of an item, loose and in batches.
  ///
  /// A file that says what lies loose says nothing of that unless somebody added it. One that says
  /// only what there is in all, where it is known what lies loose, may be an old version.
  private func countedTotal(_ own: OwnTotals, noting outcome: inout Outcome) -> Count? {
    guard let total = after.total else { return nil }
    guard after.showsLoose || known?.showsLoose ?? false else { return counted(\.total, own) }
    if befores.contains(where: { $0.total == total }) { return nil }
    if !after.showsLoose, isOldVersion {
      outcome.stale.append(.quantityInStock)
      return nil
    }
    return Count(number: total, mayBeKnown: true)
  }

  /// Whether a file is as it was before somebody counted all there is in it.
  private var isFromBeforeCount: Bool {
    after.showsLoose && after.total == nil && !befores.isEmpty
      && befores.allSatisfy { $0.total != nil } && known?.showsLoose ?? false && isOldVersion
  }

  /// Whether an older version of an item's file had the same numbers and the same ledger.
  private var isOldVersion: Bool {
    history().contains { version in
      version.file.total == after.total && version.file.number == after.number
        && version.file.ledger == after.ledger && version.isTaken()
    }
  }

  /// Returns the number that people counted; nil if the file's own says nothing new.
  private func counted(_ shown: KeyPath<EntityFile, Number?>, _ own: OwnTotals) -> Count? {
    let number = after[keyPath: shown]
    let written = number.flatMap { number in
      befores.contains { $0[keyPath: shown] == number } ? nil : number
    }
    // If people changed or removed the page, the number may be the sum of the known ledger.
    if let written, written.rounded != own.ofPage, written.rounded != own.ofKnownPage {
      return Count(number: written)
    }
    // The ledger has no news, so the file's number may undo what an earlier commit wrote.
    // That an item's file names what lies loose, where the one before did not, says nothing.
    let hasKey = !after.showsLoose || befores.contains { $0.showsLoose }
    guard hasLedgerOfBefore, hasKey else { return nil }
    let isBack =
      !after.saysConsumed && !befores.isEmpty && befores.allSatisfy { $0.saysConsumed }
    return (written ?? (isBack ? number ?? own.ofPage : nil)).map {
      Count(number: $0, mayBeKnown: true)
    }
  }

  private var isNewlyConsumed: Bool { !befores.contains { $0.saysConsumed } }

  private var hasLedgerOfBefore: Bool {
    befores.contains { $0.ledger == after.ledger && $0.looseEntries == after.looseEntries }
  }

  /// Returns the sum of the file's own ledger from a page on, with the lines that people wrote
  /// without an id or a time.
  private func ownTotal(there: Number, from pageFrom: Instant?, at stamp: Instant) -> Number {
    // For a new file, its ledger is everything, and its lines have their times already.
    guard known != nil else { return there }
    let lines = entries(of: after.looseEntries, beside: after.ledger, at: stamp)
    return Ledger(after.ledger.entries + lines, from: pageFrom).total(in: after.unit)
  }
}

extension FileAdoption.Outcome {
  /// Records a count of all there is where nothing is in batches.
  mutating func countAlone() {
    guard let total else { return }
    self.total = nil
    let there = entity.ledger.total(in: total.quantity.unit)
    if total.mayBeKnown, total.quantity.value.rounded == there { return }
    entity.record(
      .counted(total.quantity, of: entity.id, total: total.quantity.value, at: total.at))
  }
}

extension LedgerEntry {
  /// Returns the entry for a quantity that people wrote into a file; every device derives its id.
  ///
  /// `total` is all there is, where the quantity is what lies loose of it.
  static func counted(
    _ quantity: Quantity, of id: String, total: Number? = nil, at time: Instant
  ) -> LedgerEntry {
    LedgerEntry(
      id: Identifier.derived(
        from: "edit", id, time.description, quantity.value.description, quantity.unit.rawValue),
      at: time, .set(quantity.value), unit: quantity.unit, why: .edit, by: "edit", total: total)
  }
}
