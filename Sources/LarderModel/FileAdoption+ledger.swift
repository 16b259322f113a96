internal import LarderJSON

extension FileAdoption {
  /// Entries that are missing or altered come back; new ones are taken.
  func takeLedger(_ outcome: inout Outcome, known: Entity) {
    for entry in after.ledger.entries where known.ledger[entry.id] == nil {
      if isMerge, isAdoptedEdit(entry) { continue }
      outcome.entity.record(entry)
    }
    let wasThere = befores.contains { before in
      before.ledger.entries.contains { after.ledger[$0.id] != $0 }
    }
    if wasThere { outcome.stale.append("changes") }
  }

  /// An entry that git's driver made of an edit which a parent of the merge means with its own time.
  private func isAdoptedEdit(_ entry: LedgerEntry) -> Bool {
    guard entry.why == .edit, entry.by == "edit", let quantity = entry.quantity else {
      return false
    }
    return entry.id
      == Identifier.derived(
        from: "edit", id, entry.at.description, quantity.value.description, quantity.unit.rawValue)
  }

  func takeLooseEntries(_ entity: inout Entity, at stamp: Instant) {
    for loose in newLooseEntries {
      var time = loose.at ?? stamp
      while true {
        let id = loose.id ?? looseID(loose.json, at: time)
        guard let entry = LedgerEntry(loose.json, id: id, at: time) else { break }
        // What is undone already has the same id at any time.
        if case .undoes = entry.event, entity.ledger[id] != nil { break }
        guard loose.id == nil, loose.at == nil, entity.ledger[id] != nil else {
          entity.record(entry)
          break
        }
        time = time.next
      }
    }
  }

  /// Those that no version before has: plain git leaves them in the file as people wrote them.
  private var newLooseEntries: [EntityFile.LooseEntry] {
    var new: [EntityFile.LooseEntry] = []
    for loose in after.looseEntries {
      let earlier = befores.map { $0.looseEntries.count { $0 == loose } }.max() ?? 0
      let mine = after.looseEntries.count { $0 == loose }
      if new.count(where: { $0 == loose }) < mine - earlier { new.append(loose) }
    }
    return new
  }

  private func looseID(_ json: JSON, at time: Instant) -> String {
    if let undone = json["undoes"]?.string { return Identifier.derived(from: "undo", undone) }
    let number = (json["delta"] ?? json["set"])?.number.flatMap { Number($0) } ?? .zero
    let unit = json["unit"]?.string ?? Unit.piece.rawValue
    return Identifier.derived(from: "edit", id, time.description, number.description, unit)
  }

  /// A number that is neither what the file's own ledger says nor what stood there before is a count.
  ///
  /// It is in the file's own unit, also where that one is an old buffer's and another one stands.
  func takeNumber(_ entity: inout Entity, at stamp: Instant) {
    guard Schema.of(after.kind).quantity != nil, let number = countedNumber(at: stamp)
    else { return }
    let time = hasReceipt ? stamp.next : stamp
    let unit = after.unit.converts(to: entity.unit) ? after.unit : entity.unit
    entity.record(
      LedgerEntry(
        id: Identifier.derived(
          from: "edit", id, time.description, number.description, unit.rawValue),
        at: time, .set(number), unit: unit, why: .edit, by: "edit"))
  }

  private func countedNumber(at stamp: Instant) -> Number? {
    let own = writtenLedger(of: after, at: stamp).total(in: after.unit)
    if let number = after.number, !befores.contains(where: { $0.number == number }),
      number.rounded != own || takesBackNumber(at: stamp)
    {
      return number
    }
    let wasConsumed = befores.contains { $0.saysConsumed }
    if after.saysConsumed { return !wasConsumed && own > .zero ? .zero : nil }
    return wasConsumed && takesBackNumber(at: stamp) ? after.number ?? own : nil
  }

  /// Whether the version before had a number that its ledger did not give, and this one, with the
  /// same ledger, has it no more: what one plain commit wrote is taken back by another.
  private func takesBackNumber(at stamp: Instant) -> Bool {
    befores.contains { before in
      let total = writtenLedger(of: before, at: stamp).total(in: before.unit)
      let wasCounted = before.number.map { $0.rounded != total } ?? false
      return before.ledger == after.ledger && before.looseEntries == after.looseEntries
        && (wasCounted || before.saysConsumed && total > .zero)
    }
  }

  /// A file's own ledger, with the lines that people wrote without an id or a time.
  private func writtenLedger(of file: EntityFile, at stamp: Instant) -> Ledger {
    var ledger = file.ledger
    for (index, loose) in file.looseEntries.enumerated() {
      let time = loose.at ?? stamp.adding(milliseconds: Int64(index))
      let id = loose.id ?? "\(index)"
      if let entry = LedgerEntry(loose.json, id: id, at: time) { ledger.insert(entry) }
    }
    return ledger
  }
}
