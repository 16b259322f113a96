extension Edit {
  /// The values and counts that this edit could not replace: they have the latest time that can be
  /// written, so no new write is later.
  ///
  /// In all other cases, a write has a later time than its base version, and wins.
  public var standing: [LaterWrite] {
    changed.flatMap { key in
      guard let old = before[key], let new = after[key] else { return [LaterWrite]() }
      return new.withstood(by: old)
    }
  }
}

extension Entity {
  /// Returns the writes of an older version that win against those of this version, which is based
  /// on it.
  func withstood(by old: Entity) -> [LaterWrite] {
    guard old.updatedAt == .latest, old != self else { return [] }
    let joined = old.joined(with: self)
    let cells = Schema.of(kind).cells(of: registers.map(\.name))
    var writes = cells.compactMap { names -> LaterWrite? in
      guard names.contains(where: { joined[$0] != self[$0] }),
        let stamp = Cell(joined, names).stamp
      else { return nil }
      return LaterWrite(key: key, content: .fields(names), at: stamp, isSameValue: false)
    }
    let known = Set(old.ledger.entries.map(\.id))
    let sets = joined.ledger.counting.filter { $0.isCount && $0.unit.converts(to: unit) }
    let isCounted = sets.contains { $0.at == .latest && !known.contains($0.id) }
    if isCounted, let last = sets.last, known.contains(last.id) {
      writes.append(LaterWrite(key: key, content: .entry(last), at: last.at, isSameValue: false))
    }
    return writes
  }
}

extension Entity {
  /// Returns the names of the fields that win; the ledger's name is `changes`.
  func names(withstoodBy old: Entity) -> [FieldName] {
    withstood(by: old).flatMap { write in
      switch write.content {
      case .fields(let names): names
      case .entry: [FieldName.changes]
      }
    }
  }
}

extension LedgerEntry {
  /// Whether the entry is a count, not a change.
  fileprivate var isCount: Bool { if case .set = event { true } else { false } }
}
