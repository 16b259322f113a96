import LarderJSON
import LarderModel

/// The meaning of plain columns, from a client that knows neither ledgers nor stamps.
extension CloudTables {
  /// Returns the client's `updated_at`, limited to the server's time.
  ///
  /// Without one, it is the server's time, but later than everything in the row.
  private func stamp(_ key: EntityKey, _ claimed: Instant?, now: Instant) -> Instant {
    if let claimed { return min(claimed, now) }
    return household[key].map { max(now, $0.updatedAt.next) } ?? now
  }

  /// Writes the changed fields, except those that were written later than the given time.
  mutating func update(
    _ key: EntityKey, _ fields: [(name: String, value: JSON?)], at claimed: Instant?, now: Instant
  ) {
    guard let known = household[key] else { return }
    let at = stamp(key, claimed, now: now)
    var edited = known
    for (name, value) in fields where known[FieldName(name)] != value {
      let group = RecordedEntity.group(of: name, in: key.kind.folder ?? "")
      let isLate = group.contains { known.register(FieldName($0)).map { $0.stamp > at } ?? false }
      if isLate { continue }
      edited.write(FieldName(name), value, at: at)
    }
    let before = household
    join(edited)
    wantWhatRanOut(since: before)
  }

  /// Inserts a new row.
  mutating func insert(_ entity: Entity) { join(entity) }

  /// Records a number as a count of the total; for an item, without what its batches have.
  mutating func count(_ key: EntityKey, _ number: Number, at claimed: Instant?, now: Instant) {
    guard let entity = household[key] else { return }
    let at = stamp(key, claimed, now: now)
    let shown = key.kind == .stockItem ? Stock(household).total(of: entity) : entity.quantity.value
    guard shown != number else { return }
    let counted = (number - (shown - entity.quantity.value)).rounded
    let id = Identifier.derived(
      from: "edit", key.id, at.description, counted.description, entity.unit.rawValue)
    let before = household
    join(
      LedgerEntry(id: id, at: at, .set(counted), unit: entity.unit, why: .edit, by: "edit"),
      of: key)
    wantWhatRanOut(since: before)
  }
}
