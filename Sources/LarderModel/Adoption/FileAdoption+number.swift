internal import LarderJSON

extension FileAdoption {
  /// Records the number or the `consumed` that people wrote, if it is a count.
  ///
  /// The number is in the file's own unit, even if the file comes from an old editor buffer and the
  /// unit has changed since. The entry comes after lines written beside it. Throws if the number
  /// has more digits than an entry may have.
  func takeNumber(
    _ entity: inout Entity, at stamp: Instant, after lines: Instant?
  ) throws(EntityProblem) {
    guard Schema.of(after.kind).quantity != nil else { return }
    let unit = after.unit.converts(to: entity.unit) ? after.unit : entity.unit
    let there = entity.ledger.total(in: unit)
    guard let number = countedNumber(there: there, at: stamp) else { return }
    guard Number(number.description) != nil else { throw tooLong(number) }
    let time = max(hasReceipt ? stamp.next : stamp, lines?.next ?? stamp)
    entity.record(
      LedgerEntry(
        id: Identifier.derived(
          from: "edit", id, time.description, number.description, unit.rawValue),
        at: time, .set(number), unit: unit, why: .edit, by: "edit"))
  }

  private func tooLong(_ number: Number) -> EntityProblem {
    let path: [JSONStep] =
      after.kind == .inventoryItem
      ? [.key("quantity"), .key("value")] : [.key("quantityInStock")]
    return EntityProblem(
      .unexpected(found: number.description, expected: FieldType.number.phrase), path)
  }

  /// Returns the number that people counted.
  ///
  /// Nil if the file says nothing new about the quantity.
  ///
  /// `there` is the sum of the entity's known ledger.
  private func countedNumber(there: Number, at stamp: Instant) -> Number? {
    let own = ownTotal(there: there, from: after.pageFrom, at: stamp)
    let written = after.number.flatMap { number in
      befores.contains { $0.number == number } ? nil : number
    }
    // If people changed or removed the page, the number may be the sum of the known ledger.
    if let written, written.rounded != own,
      written.rounded != ownTotal(there: there, from: known?.pageFrom, at: stamp)
    {
      return written
    }
    let isConsumed = after.saysConsumed && !befores.contains { $0.saysConsumed }
    guard hasLedgerOfBefore else { return isConsumed && own > .zero ? .zero : nil }
    // The ledger has no news, so the file's number may undo what an earlier commit wrote.
    let isBack =
      !after.saysConsumed && !befores.isEmpty && befores.allSatisfy { $0.saysConsumed }
    if let shown = written ?? (isBack ? after.number ?? own : nil), shown.rounded != there {
      return shown
    }
    return isConsumed && there > .zero ? .zero : nil
  }

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
