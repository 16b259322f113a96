extension Ledger {
  /// Returns the entries that count in place of an entry: itself, or the copies added after it was
  /// undone.
  func counting(for id: String) -> [LedgerEntry] {
    guard let entry = self[id] else { return [] }
    let later = undoing(id)
    if later.isEmpty { return entry.quantity == nil ? [] : [entry] }
    return later.flatMap { counting(for: Identifier.derived(from: "undo", $0.id)) }
  }

  /// Takes back an entry or its copies; an entry that does not count stays so.
  mutating func undo(_ id: String, at stamp: Instant, by device: String) {
    for entry in counting(for: id) {
      insert(
        LedgerEntry(
          id: Identifier.derived(from: "undo", entry.id), at: stamp, .undoes(entry.id),
          unit: entry.unit, why: .undo, by: device, receipt: entry.receipt))
    }
  }

  /// The entries for people.
  ///
  /// An entry that was undone and redone is listed once.
  public var told: [LedgerEntry] {
    var untold: Set<String> = []
    for entry in entries {
      guard case .undoes(let id) = entry.event,
        self[Identifier.derived(from: "undo", entry.id)] != nil
      else { continue }
      untold.formUnion([entry.id, id])
    }
    return entries.filter { !untold.contains($0.id) }
  }

  /// Adds again, with its own time, the entry that another one undid.
  ///
  /// Does nothing if it counts already.
  mutating func redo(_ undo: LedgerEntry, by device: String) {
    guard case .undoes(let id) = undo.event, let entry = self[id], entry.quantity != nil,
      counting(for: id).isEmpty
    else { return }
    var last = undo
    while let next = undoing(Identifier.derived(from: "undo", last.id)).first { last = next }
    insert(
      LedgerEntry(
        id: Identifier.derived(from: "undo", last.id), at: entry.at, entry.event, unit: entry.unit,
        why: entry.why, by: device, receipt: entry.receipt, note: entry.note))
  }
}
