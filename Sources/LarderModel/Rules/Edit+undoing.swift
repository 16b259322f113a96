internal import LarderText

/// Undo and redo: both take back an earlier change by a new change.
extension Edit {
  /// Returns the writes since a change that taking it back would lose.
  ///
  /// If there are none, it can be taken back.
  ///
  /// Quantities never conflict: later changes of a quantity still count.
  public func laterWrites(than changes: [EntityDifference]) -> [LaterWrite] {
    let following = following(from: changes)
    return changes.flatMap { change -> [LaterWrite] in
      guard !following.contains(change.key), let current = after[change.key] else { return [] }
      return Reversal(change: change, current: current).laterWrites
    }
  }

  /// Takes a change back, if ``laterWrites(than:)`` is empty, with what it brought about.
  ///
  /// Fields get their earlier values, and files their earlier paths if these are free. Ledger
  /// entries of the change are undone under ids derived from theirs. Entries that the change had
  /// undone are added again with their own times. So two devices that do the same do it once.
  /// Entities that the change created become tombstones. What it did to the shopping entry of an
  /// item that it made low is taken back too, unless the item is lower than before the change,
  /// because others took of it, or somebody changed the entry. An item that was as low before the
  /// change is not put on the list anew.
  public mutating func takeBack(_ changes: [EntityDifference], by writer: Writer) {
    let following = following(from: changes)
    takesBack = true
    noteLevels(before: changes)
    for change in changes where !following.contains(change.key) { reverse(change, by: writer) }
    let stock = Stock(after)
    for change in changes where following.contains(change.key) {
      guard let made = change.after, let entry = after[change.key],
        let item = entry.itemID.flatMap({ after[.stockItem, $0] }),
        item.isTombstone || stock.holding(of: item).level <= levelBefore(item),
        hasSameValues(entry, made)
      else { continue }
      reverse(change, by: writer)
    }
  }

  /// Notes the levels that the items had before some changes.
  private mutating func noteLevels(before changes: [EntityDifference]) {
    var then = after
    for change in changes {
      if let old = change.before {
        then.put(old, at: then.path(of: change.key) ?? change.anyPath)
      } else if let path = then.path(of: change.key) {
        then.forget(path: path)
      }
    }
    let stock = Stock(then)
    for id in items(of: changes, in: [stock, Stock(after)]) {
      if let item = then[.stockItem, id] { levels[id] = stock.holding(of: item).level }
    }
  }

  private mutating func reverse(_ change: EntityDifference, by writer: Writer) {
    guard let current = after[change.key] else { return bringBack(change) }
    let batches = current.kind == .stockItem ? Stock(after).holding(of: current).batches : []
    let reversal = Reversal(change: change, current: current, batches: batches)
    let entity = reversal.reversed(at: stamp(of: current, now: writer.now), by: writer.device)
    put(entity, at: pathBefore(change))
    if let before = change.before { keepStanding(of: before, by: writer) }
  }

  /// Lets the day of a batch that is back in a freezer count if it counted before the change, and only
  /// then: what is written last tells that.
  private mutating func keepStanding(of before: Entity, by writer: Writer) {
    guard let now = after[before.key], now.locationID == before.locationID,
      after.freezers.contains(now.locationID), let day = now[.expiryInfo]
    else { return }
    let wasKept = after.freezers.reading(before).isKeptFrozen
    guard wasKept != now.isKeptFrozen, before[.expiryInfo] == day else { return }
    let field: FieldValue =
      wasKept ? (.storageLocationID, now[.storageLocationID]) : (.expiryInfo, day)
    write([field], to: now.key, now: writer.now, again: true)
  }

  /// Puts back an entity that was removed with its file.
  private mutating func bringBack(_ change: EntityDifference) {
    guard change.after == nil, let removed = change.before else { return }
    put(removed, at: change.oldPath.flatMap { after.key(at: $0) == nil ? $0 : nil })
  }

  /// Returns the path before the change moved the file, if the file is still where the change put
  /// it.
  private func pathBefore(_ change: EntityDifference) -> FilePath? {
    guard let old = change.oldPath, old != change.path, after.path(of: change.key) == change.path,
      after.key(at: old) == nil, after.untaken[old] == nil
    else { return nil }
    return old
  }

  /// Returns the items' own shopping entries that were opened with a change of the item or of its
  /// stock.
  private func following(from changes: [EntityDifference]) -> Set<EntityKey> {
    let items = items(of: changes, in: [Stock(after)])
    let opened = changes.compactMap(\.after).filter { entry in
      entry.kind == .shoppingListEntry && !entry.isTombstone && !entry.isCompleted
        && entry.itemID.map { items.contains($0) } ?? false
        && entry.id == entry.itemID.map { ShoppingEntry.id(ofItem: $0) }
    }
    return Set(opened.map(\.key))
  }

  /// Returns the ids of the items that changes are about, themselves or by their batches.
  private func items(of changes: [EntityDifference], in stocks: [Stock]) -> Set<String> {
    var items: Set<String> = []
    for change in changes {
      if change.key.kind == .stockItem { items.insert(change.key.id) }
      guard change.key.kind == .inventoryItem else { continue }
      for batch in [change.before, change.after].compactMap(\.self) {
        items.formUnion(stocks.compactMap { $0.item(of: batch)?.id })
      }
    }
    return items
  }

  private func hasSameValues(_ entity: Entity, _ other: Entity) -> Bool {
    let names = Set((entity.registers + other.registers).map(\.name))
    return names.allSatisfy { EntityDifference.isBookkeeping($0) || entity[$0] == other[$0] }
  }
}

/// A write after a change; taking the change back would lose it.
public struct LaterWrite: Hashable, Sendable {
  /// The written content.
  public enum Content: Hashable, Sendable {
    /// A field, or several that have a meaning only together.
    case fields([FieldName])
    /// A ledger entry.
    case entry(LedgerEntry)
  }

  public let key: EntityKey
  public let content: Content
  /// The stamp of the write.
  public let at: Instant
  /// Whether the fields have exactly the values of the change, for example after an undo of the
  /// writes in between.
  public let isSameValue: Bool

  package init(key: EntityKey, content: Content, at: Instant, isSameValue: Bool) {
    self.key = key
    self.content = content
    self.at = at
    self.isSameValue = isSameValue
  }

  /// Whether a version of the entity contains the write.
  public func isIn(_ entity: Entity) -> Bool {
    guard entity.key == key else { return false }
    return switch content {
    case .fields(let names): names.contains { entity.register($0)?.stamp == at }
    case .entry(let entry): entity.ledger[entry.id] != nil
    }
  }
}

extension Edit {
  /// Writes a value that lost in a merge, as an edit made now.
  ///
  /// For a receipt, the stock follows. Changes that came too late for a page are counted on it.
  ///
  /// Throws if it restores a unit to which later entries don't convert.
  public mutating func restore(_ value: LostValue, by writer: Writer) throws(RuleError) {
    guard let old = after[value.key] else { return }
    guard value.late.isEmpty else { return countAnew(value.late, in: old, by: writer) }
    if value.names.contains(.unit) || value.names.contains(.quantity),
      let entry = old.ledger.unconvertible(to: value.lost.unit).first
    {
      throw .unitIsCounted(item: title(of: old), wanted: value.lost.unit, counted: entry.unit)
    }
    let fields: [FieldValue] = value.names.map { ($0, value.lost[$0]) }
    if value.key.kind == .receipt {
      correct(value.key, fields, by: writer)
    } else {
      write(fields, to: value.key, now: writer.now)
    }
  }

  /// Adds changes of a quantity again, at a time after everything in the ledger.
  private mutating func countAnew(
    _ entries: [LedgerEntry], in target: Entity, by writer: Writer
  ) {
    var target = target
    let at = stamp(of: target, now: writer.now)
    for entry in entries {
      target.record(
        LedgerEntry(
          id: entry.idAfterPage, at: at, entry.event, unit: entry.unit, why: entry.why,
          by: writer.device, receipt: entry.receipt, note: entry.note))
    }
    put(target)
  }
}
