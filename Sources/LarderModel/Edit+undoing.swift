/// Undoing and redoing: a change that was made before is taken back as a change of today.
extension Edit {
  /// What was written since a change and would be lost by taking it back; nothing where it can be.
  ///
  /// Quantities never stand in the way of each other: what came or went since still counts.
  public func laterWrites(than changes: [EntityDifference]) -> [LaterWrite] {
    let following = following(from: changes)
    return changes.flatMap { change -> [LaterWrite] in
      guard !following.contains(change.key), let current = after[change.key] else { return [] }
      return Reversal(change: change, current: current).laterWrites
    }
  }

  /// Takes a change back, as ``laterWrites(than:)`` allows it.
  ///
  /// Fields get the values they had before it, and files their paths where these are free. Its
  /// ledger entries are undone under ids made from theirs, those it had undone are written anew at
  /// their own times, so that two devices that do it apart do it once. What it made becomes a
  /// tombstone. An entry that came onto the shopping list because the item ran out leaves it again,
  /// unless the item is used up still or somebody has changed the entry.
  public mutating func takeBack(_ changes: [EntityDifference], by writer: Writer) {
    let following = following(from: changes)
    for change in changes where !following.contains(change.key) { reverse(change, by: writer) }
    let stock = Stock(after)
    for change in changes where following.contains(change.key) {
      guard let made = change.after, let entry = after[change.key],
        let item = entry.itemID.flatMap({ after[.stockItem, $0] }),
        stock.total(of: item) > .zero, hasSameValues(entry, made)
      else { continue }
      reverse(change, by: writer)
    }
  }

  private mutating func reverse(_ change: EntityDifference, by writer: Writer) {
    guard let current = after[change.key] else { return bringBack(change) }
    let reversal = Reversal(change: change, current: current)
    let entity = reversal.reversed(at: current.stamp(now: writer.now), by: writer.device)
    put(entity, at: pathBefore(change))
  }

  /// What was removed with its file is there again as it was.
  private mutating func bringBack(_ change: EntityDifference) {
    guard change.after == nil, let removed = change.before else { return }
    put(removed, at: change.oldPath.flatMap { after.key(at: $0) == nil ? $0 : nil })
  }

  /// The path that the change moved the file from, where it still lies where that put it.
  private func pathBefore(_ change: EntityDifference) -> String? {
    guard let old = change.oldPath, old != change.path, after.path(of: change.key) == change.path,
      after.key(at: old) == nil, after.unreadable[old] == nil
    else { return nil }
    return old
  }

  /// The items' own shopping entries that were opened because the same change used the items up.
  private func following(from changes: [EntityDifference]) -> Set<EntityKey> {
    let stock = Stock(after)
    var items: Set<String> = []
    for change in changes where !change.entries.isEmpty {
      if change.key.kind == .stockItem { items.insert(change.key.id) }
      if change.key.kind == .inventoryItem, let item = change.after.flatMap({ stock.item(of: $0) })
      {
        items.insert(item.id)
      }
    }
    let opened = changes.compactMap(\.after).filter { entry in
      entry.kind == .shoppingListEntry && !entry.isTombstone && !entry.isCompleted
        && entry.itemID.map { items.contains($0) } ?? false
        && entry.id == entry.itemID.map { ShoppingEntry.id(ofItem: $0) }
    }
    return Set(opened.map(\.key))
  }

  private func hasSameValues(_ entity: Entity, _ other: Entity) -> Bool {
    let names = Set((entity.registers + other.registers).map(\.name))
    return names.allSatisfy { EntityDifference.isBookkeeping($0) || entity[$0] == other[$0] }
  }
}
