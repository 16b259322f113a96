extension Edit {
  /// Writes a value that lost in a merge, as an edit made now.
  ///
  /// For a receipt, the stock follows.
  ///
  /// Throws if it restores a unit to which later entries don't convert.
  public mutating func restore(_ value: LostValue, by writer: Writer) throws(RuleError) {
    guard let old = after[value.key] else { return }
    if value.names.contains(.unit) || value.names.contains(.quantity),
      let entry = old.ledger.unconvertible(to: value.lost.unit).first
    {
      throw .unitIsCounted(item: title(of: old), wanted: value.lost.unit, counted: entry.unit)
    }
    write(value.names.map { ($0, value.lost[$0]) }, to: value.key, now: writer.now)
    guard let new = after[value.key], new != old, new.kind == .receipt else { return }
    replenish(from: old, to: new, at: writer.now, device: writer.device)
  }
}
