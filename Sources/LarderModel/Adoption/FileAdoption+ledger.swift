internal import LarderJSON

extension FileAdoption {
  /// Restores entries that are missing or altered, and takes new ones.
  func takeLedger(_ outcome: inout Outcome, known: Entity) {
    let isSame = after.ledger == known.ledger && befores.allSatisfy { $0.ledger == after.ledger }
    if isSame { return }
    let there = known.ledger.byID
    let new = after.ledger.entries.filter { entry in
      there[entry.id] == nil && !(isMerge && (isAdoptedEdit(entry) || isOfParent(entry)))
    }
    outcome.entity.ledger = outcome.entity.ledger.joined(with: Ledger(new))
    let written = after.ledger.byID
    let wasThere = befores.contains { before in
      before.ledger.entries.contains { there[$0.id] != nil && written[$0.id] != $0 }
    }
    if wasThere { outcome.stale.append(.changes) }
  }

  /// Whether git's merge driver made the entry from an edit that a parent of the merge records with
  /// its own time.
  private func isAdoptedEdit(_ entry: LedgerEntry) -> Bool {
    guard entry.why == .edit, entry.by == "edit", let quantity = entry.quantity else {
      return false
    }
    return [id, after.id ?? id].contains { id in
      entry.id
        == Identifier.derived(
          from: "edit", id, entry.at.description, quantity.value.description,
          quantity.unit.rawValue)
    }
  }

  /// Whether a parent's file has the entry; if the known ledger lacks it, it is another entity's.
  private func isOfParent(_ entry: LedgerEntry) -> Bool {
    befores.contains { before in before.ledger.entries.contains { $0.id == entry.id } }
  }

  /// Takes the lines that people wrote without an id or a time; returns the latest of their times.
  func takeLooseEntries(_ entity: inout Entity, at stamp: Instant) -> Instant? {
    guard !after.looseEntries.isEmpty else { return nil }
    let new = entries(of: newLooseEntries, beside: entity.ledger, at: stamp)
    entity.ledger = entity.ledger.joined(with: Ledger(new))
    return new.map(\.at).max()
  }

  /// Returns the entries for lines beside a ledger, with the missing ids and times filled in.
  func entries(
    of lines: [EntityFile.LooseEntry], beside ledger: Ledger, at stamp: Instant
  ) -> [LedgerEntry] {
    let known = ledger.byID
    var taken = known
    var new: [LedgerEntry] = []
    // The time from which the next identical line looks for a free time.
    var free: [JSON: Instant] = [:]
    for loose in lines {
      let isTimeless = loose.id == nil && loose.at == nil
      var time = loose.at ?? (isTimeless ? free[loose.json] : nil) ?? stamp
      var step: Int64 = 1
      while let entry = LedgerEntry(loose.json, id: id(of: loose, at: time), at: time) {
        let isTaken = taken[entry.id] != nil
        // An entry that undoes another has the same id at any time.
        if case .undoes = entry.event, isTaken { break }
        // Entries of the ledger don't change.
        if !isTimeless, known[entry.id] != nil { break }
        if isTimeless, isTaken {
          // At the latest time, free times exist only before it.
          if time == .latest { step = -1 }
          time = time.adding(milliseconds: step)
          continue
        }
        taken[entry.id] = entry
        new.append(entry)
        break
      }
      if isTimeless { free[loose.json] = time }
    }
    return new
  }

  /// The lines that no earlier version has: plain git leaves them in the file as people wrote them.
  private var newLooseEntries: [EntityFile.LooseEntry] {
    var open = Self.counts(of: after)
    var earlier: [EntityFile.LooseEntry: Int] = [:]
    for before in befores { earlier.merge(Self.counts(of: before), uniquingKeysWith: max) }
    for (loose, count) in earlier { open[loose]? -= count }
    return after.looseEntries.filter { loose in
      guard let left = open[loose], left > 0 else { return false }
      open[loose] = left - 1
      return true
    }
  }

  private static func counts(of file: EntityFile) -> [EntityFile.LooseEntry: Int] {
    file.looseEntries.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  private func id(of loose: EntityFile.LooseEntry, at time: Instant) -> String {
    loose.id ?? looseID(loose.json, at: time)
  }

  private func looseID(_ json: JSON, at time: Instant) -> String {
    if let undone = json[.undoes]?.string { return Identifier.derived(from: "undo", undone) }
    let number = (json[.delta] ?? json[.set])?.number.flatMap { Number($0) } ?? .zero
    let unit = json[.unit]?.string ?? Unit.piece.rawValue
    return Identifier.derived(from: "edit", id, time.description, number.description, unit)
  }
}
