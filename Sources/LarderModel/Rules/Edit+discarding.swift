internal import LarderJSON

/// Taking batches out of the stock, and bringing them back.
extension Edit {
  /// Discards a batch, as if it had never been kept; its file stays as a tombstone.
  public mutating func discard(
    _ batch: Entity, unchangedSince version: Instant? = nil, by writer: Writer
  ) throws(RuleError) {
    try checkCanChange(batch, version, isActive: false)
    guard batch[.status] != .string("discarded") else { return }
    writeLacks(around: batch, by: writer)
    write([(.status, .string("discarded"))], to: batch.key, now: writer.now)
  }

  /// Removes a batch and its file; only for a batch that no other device can know.
  public mutating func remove(_ batch: Entity, unchangedSince version: Instant? = nil)
    throws(RuleError)
  {
    try checkCanChange(batch, version, isActive: false)
    remove(batch.key)
  }

  /// Restores a discarded or archived batch, with the quantity of its ledger.
  public mutating func restore(_ batch: Entity, by writer: Writer) throws(RuleError) {
    try checkIsOurs(batch)
    write([(.status, .string("active"))], to: batch.key, now: writer.now)
  }

  /// Restores a batch that was discarded or archived, and undoes its last spoiling.
  ///
  /// The spoiling is undone only if nothing is left of the batch, or if the batch was in the stock.
  /// Nothing changes if the newest event of its quantity is not a spoiling.
  public mutating func bringBack(_ batch: Entity, by writer: Writer) throws(RuleError) {
    try checkIsOurs(batch)
    if !batch.isActive { try restore(batch, by: writer) }
    guard batch.isActive || batch.quantity.value <= .zero, var back = after[batch.key],
      let last = back.ledger.counting.last, last.why == .spoil
    else { return }
    back.ledger.undo(last.id, at: back.stamp(now: writer.now), by: writer.device)
    put(back)
  }

  /// Archives the batches that this edit used up or spoiled completely.
  ///
  /// A household can turn this on.
  public mutating func archiveConsumed(now: Instant) {
    for key in changed where key.kind == .inventoryItem {
      guard let batch = after[key], batch.isActive, batch.quantity.value == .zero,
        let old = before[key], old.hasSomethingLeft
      else { continue }
      let known = old.ledger
      let isUsedUp = batch.ledger.entries.contains { entry in
        (entry.why == .consume || entry.why == .spoil) && known[entry.id] == nil
      }
      guard isUsedUp else { continue }
      write([(.status, .string("archived"))], to: key, now: now)
    }
  }
}
