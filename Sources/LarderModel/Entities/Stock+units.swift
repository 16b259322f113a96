extension Stock {
  /// Throws `unitIsCounted` if some of an item, loose or in a batch, has a unit that does not
  /// convert to the item's new unit.
  public func check(_ unit: Unit, of item: Entity) throws(RuleError) {
    var counted = item.ledger.entries.isEmpty ? [] : [item.unit]
    counted += batches(of: item).filter(\.makesDifference).map(\.unit)
    guard let other = counted.first(where: { !unit.converts(to: $0) }) else { return }
    throw .unitIsCounted(item: item.title, wanted: unit, counted: other)
  }
}
