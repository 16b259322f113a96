internal import LarderJSON
internal import LarderText

/// The check of ledgers against receipts.
///
/// They differ if two devices corrected one receipt separately, if a line named an item that was
/// added later, or if somebody rewrote history.
extension HouseholdCheck {
  mutating func checkReceipts() {
    var ledgers: [String: CountingEntries] = [:]
    for receipt in household.all(.receipt) where !receipt.isTombstone {
      let lines = receipt.lines
      for id in Set(lines.compactMap(\.itemID)) {
        guard let item = household[.stockItem, id] else { continue }
        let entries = ledgers[id] ?? CountingEntries(of: item)
        ledgers[id] = entries
        compare(receipt, lines, with: item, entries)
      }
    }
  }

  private mutating func compare(
    _ receipt: Entity, _ all: [ReceiptLine], with item: Entity, _ entries: CountingEntries
  ) {
    let id = item.id
    let lines = all.enumerated().filter { $0.element.itemID == id }
    let bought = lines.map { line in
      line.element.quantity(in: item).converted(to: item.unit)
    }
    let loose = entries.from(receipt.id, lines.map(\.element))
    let came = (loose + batched(receipt, lines.map(\.element), of: item)).map {
      $0.quantity?.converted(to: item.unit)
    }
    // Units that don't convert are reported separately, and the sums would be meaningless.
    guard !bought.contains(nil), !came.contains(nil), let first = lines.first else { return }
    let sum = { (numbers: [Number?]) in
      numbers.compactMap(\.self).reduce(Number.zero, +).rounded
    }
    guard sum(bought) != sum(came) else { return }
    findings.append(
      Finding(
        path: household.path(of: receipt.key) ?? "",
        place: .value([.key("items"), .index(first.offset), .key("quantity")]),
        kind: .receiptDiffers(
          item: item.title, bought: Quantity(sum(bought), item.unit),
          ledger: came.isEmpty ? nil : Quantity(sum(came), item.unit))))
  }
}

extension HouseholdCheck {
  /// Returns the entries that lines added to their own batches.
  private func batched(_ receipt: Entity, _ lines: [ReceiptLine], of item: Entity)
    -> [LedgerEntry]
  {
    lines.flatMap { line -> [LedgerEntry] in
      guard let batch = household[line.batchKey(of: item)] else { return [] }
      return batch.ledger.counting.filter { entry in
        entry.receipt == receipt.id || entry.id == line.entryID
      }
    }
  }
}

/// The entries of an item's ledger that count, by receipt and by id.
private struct CountingEntries {
  private var byReceipt: [String: [LedgerEntry]] = [:]
  private var byID: [String: LedgerEntry] = [:]

  init(of item: Entity) {
    for entry in item.ledger.counting {
      byID[entry.id] = entry
      if let receipt = entry.receipt { byReceipt[receipt, default: []].append(entry) }
    }
  }

  /// Returns the entries of a receipt, or of lines that it shares with another one.
  func from(_ receipt: String, _ lines: [ReceiptLine]) -> [LedgerEntry] {
    let own = byReceipt[receipt] ?? []
    let shared = lines.flatMap(\.entryIDs).compactMap { byID[$0] }
    let known = Set(own.map(\.id))
    return own + shared.filter { !known.contains($0.id) }
  }
}
