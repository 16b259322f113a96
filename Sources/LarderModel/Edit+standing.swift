extension Edit {
  /// What stands in place of something that this edit wrote: a value or a count with the last time
  /// that can be written, which nothing written now comes after.
  ///
  /// Everywhere else a write has a time above all that the version below it has, and stands.
  public var standing: [LaterWrite] {
    changed.flatMap { key in
      guard let old = before[key], let new = after[key] else { return [LaterWrite]() }
      return new.withstood(by: old)
    }
  }
}

extension Entity {
  /// What of an older version stands against what this one, made on top of it, writes.
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
  /// The same by the names of fields, of which `changes` is the ledger.
  func names(withstoodBy old: Entity) -> [String] {
    withstood(by: old).flatMap { write in
      switch write.content {
      case .fields(let names): names
      case .entry: ["changes"]
      }
    }
  }
}

extension LedgerEntry {
  /// Whether it says what there is, not what came or went.
  fileprivate var isCount: Bool { if case .set = event { true } else { false } }
}
