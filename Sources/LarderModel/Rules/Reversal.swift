internal import LarderJSON

/// One entity's part of taking a change back: the conflicting writes, and the version without the
/// change.
struct Reversal {
  let change: EntityDifference
  /// The current version of the entity.
  let current: Entity
  /// The batches of an item, as they are now.
  var batches: [Entity] = []

  private var schema: Schema { Schema.of(current.kind) }

  /// The writes since the change that would be lost.
  var laterWrites: [LaterWrite] {
    guard let left = change.after else { return [] }
    guard change.before != nil else { return current.isTombstone ? [] : writes(since: left) }
    return open.compactMap { laterWrite($0, since: left) } + unconvertible
  }

  /// Returns the entity with the change taken back: fields have their earlier values, ledger
  /// entries are undone or added again, and a created entity is deleted.
  func reversed(at stamp: Instant, by device: String) -> Entity {
    guard let before = change.before else {
      guard current.kind == .inventoryItem, !current.isTombstone else {
        return current.deleted(at: stamp)
      }
      // It never was: its own entries don't count, and what others put in or took meanwhile does, as
      // it comes after this status.
      var entity = current
      for entry in change.entries { entity.ledger.undo(entry.id, at: stamp, by: device) }
      return entity.deleted(at: current.register(.status)?.stamp.next ?? stamp)
    }
    var entity = current
    for name in open.flatMap(\.self) where entity[name] != before[name] {
      entity.write(name, before[name], at: stamp)
    }
    if entity.isInBasket, !current.isInBasket, entity[.isCompleted] == current[.isCompleted] {
      // A receipt's line is identified by the time when its entry was ticked off. A new time allows
      // this one to be bought again.
      entity.write(.isCompleted, entity[.isCompleted], at: stamp)
    }
    for entry in change.entries {
      if let counted = correction(of: entry, since: before, at: stamp, by: device) {
        entity.ledger.insert(counted)
        continue
      }
      entity.ledger.undo(entry.id, at: stamp, by: device)
      entity.ledger.redo(entry, by: device)
    }
    return entity
  }

  /// Returns the entry that undoes a count with which the change began a page, of this ledger or of
  /// one that is counted with it; nil for other entries.
  ///
  /// The ledger no longer has the entries before that count. So the returned entry is the
  /// difference between the count and what there was before it. Changes after the count still
  /// count.
  private func correction(
    of entry: LedgerEntry, since before: Entity, at stamp: Instant, by device: String
  ) -> LedgerEntry? {
    let isPaged = ([current] + batches).contains { $0.pageFrom == entry.at }
    guard case .set(let set) = entry.event, isPaged,
      let there =
        (entry.total == nil
        ? before.quantity
        : Quantity(Holding.total(of: before, batches, before: entry.at), before.unit))
        .converted(to: entry.unit)
    else { return nil }
    let number = entry.total ?? set
    return LedgerEntry(
      id: Identifier.derived(from: "undo", entry.id), at: stamp, .delta((there - number).rounded),
      unit: entry.unit, why: .undo, by: device, receipt: entry.receipt)
  }

  /// The fields that the change wrote and that don't have their earlier values yet, in cells.
  private var open: [[FieldName]] {
    guard let before = change.before, change.after != nil else { return [] }
    return schema.cells(of: change.fields.map(\.name)).filter { names in
      names.contains { before[$0] != current[$0] }
    }
  }

  /// Returns the writes to an entity since its creation.
  private func writes(since left: Entity) -> [LaterWrite] {
    let own = current.registers.map(\.name).filter { !EntityDifference.isBookkeeping($0) }
    let fields = schema.cells(of: own).compactMap { laterWrite($0, since: left) }
    let (ledger, known) = (current.ledger, left.ledger)
    let entries = ledger.entries.filter { ledger.counts($0) && known[$0.id] == nil }
    return fields + entries.map { later($0) }
  }

  private func laterWrite(_ names: [FieldName], since left: Entity) -> LaterWrite? {
    let now = Cell(current, names)
    let then = Cell(left, names)
    guard now.registers != then.registers, let stamp = now.stamp else { return nil }
    return LaterWrite(
      key: current.key, content: .fields(names.filter { current.register($0) != nil }), at: stamp,
      isSameValue: now.valueBytes == then.valueBytes)
  }

  /// The ledger entries that would not convert to the earlier unit.
  private var unconvertible: [LaterWrite] {
    guard let before = change.before, before.unit != current.unit,
      open.contains(where: { $0.contains(.unit) || $0.contains(.quantity) })
    else { return [] }
    let own = Set(change.entries.map(\.id))
    return current.ledger.unconvertible(to: before.unit)
      .filter { entry in !own.contains(entry.id) }
      .map { later($0) }
  }

  private func later(_ entry: LedgerEntry) -> LaterWrite {
    LaterWrite(key: current.key, content: .entry(entry), at: entry.at, isSameValue: false)
  }
}

extension Entity {
  /// Whether a shopping entry is ticked off and not yet saved in a receipt.
  fileprivate var isInBasket: Bool {
    kind == .shoppingListEntry && isCompleted && !isTombstone
  }
}
