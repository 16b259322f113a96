internal import LarderJSON
internal import LarderKit

/// The shopping list and the receipts.
extension HouseholdState {
  func entries(_ purchases: Purchases) -> [JSON] {
    let list = survey.shoppingList.map(\.entity)
    let prices = ShoppingEstimate(of: list, in: survey, by: purchases).prices
    return list.map { entry in
      let item = entry.itemID.flatMap { survey.household[.stockItem, $0] }
      return [
        "id": .string(entry.id), "itemId": item.map { .string($0.id) },
        "name": .string(survey.naming.title(of: entry)),
        "desiredQuantity": entry.desired.value.json, "unit": .string(entry.unit.rawValue),
        "content": item.flatMap { content(of: entry, as: $0) }?.json,
        "note": entry[.note], "category": item?[.category],
        "isCompleted": .bool(entry.isCompleted),
        "price": prices[entry.id]?.first?.cost.json,
        "createdAt": .string(entry.createdAt.description),
        "updatedAt": .string(entry.updatedAt.description),
      ]
    }
  }

  /// Returns what an entry in another unit than its item's comes to in that one; nil if nobody knows
  /// it, or the units say it.
  private func content(of entry: Entity, as item: Entity) -> Number? {
    guard !entry.unit.converts(to: item.unit) else { return nil }
    return (try? survey.content(of: entry.desired, as: item))?.converted(to: item.unit)?.rounded
  }

  /// Returns receipts, the newest first, from a day on or before a moment.
  func receipts(
    since first: Day? = nil, before end: Instant? = nil, most: Int = .max,
    noting notes: ReceiptNotes = ReceiptNotes()
  ) -> [JSON] {
    let start = first.map { survey.calendar.instant(of: $0) }
    return newestReceipts.filter { receipt in
      start.map { receipt.timestamp >= $0 } ?? true && end.map { receipt.timestamp < $0 } ?? true
    }
    .prefix(most).map { receipt in
      let lines = receipt.lines
      let entries = lines.compactMap { notes.entries[$0.id] }
      return [
        "id": .string(receipt.id), "shopName": .string(receipt.title),
        "timestamp": .string(receipt.timestamp.description), "amount": receipt[.amount],
        "currency": receipt[.currency], "lines": .number("\(lines.count)"),
        "names": .array(lines.prefix(4).map { .string($0.itemName) }),
        "by": notes.savers[receipt.id].map { .string($0) },
        "entries": entries.isEmpty ? nil : .array(entries.map { .string($0) }),
        "toPutAway": notes.toPutAway[receipt.id].map(toPutAway),
      ]
    }
  }

  /// The facts of receipts that are not in their files.
  struct ReceiptNotes {
    /// Who saved them, by their ids.
    var savers: [String: String] = [:]
    /// The entries of the list that they closed, by the ids of their lines.
    var entries: [String: String] = [:]
    /// The things to be put away, by the ids of the receipts.
    var toPutAway: [String: PutAway] = [:]
  }

  func notes(
    on open: [Receipt], of items: [HeldItem], since first: Day, _ keeping: UsualKeeping
  ) -> ReceiptNotes {
    var notes = ReceiptNotes(
      savers: items.savers,
      entries: survey.closedEntries(since: survey.calendar.instant(of: first)))
    guard !open.isEmpty else { return notes }
    let held = Dictionary(items.map { ($0.item.id, $0) }) { first, _ in first }
    for receipt in open {
      notes.toPutAway[receipt.id] = survey.toPutAway(
        receipt, among: held, usual: keeping.usual(of:))
    }
    return notes
  }

  private func toPutAway(_ putAway: PutAway) -> JSON {
    .array(
      putAway.lines.map { line in
        let quantity = line.line.quantity(in: line.item)
        return [
          "line": .string(line.line.id), "item": .string(line.item.id),
          "name": .string(line.item.title), "quantity": quantity.value.json,
          "unit": .string(quantity.unit.rawValue),
          "location": line.locationID.map { .string($0) },
          "expiry": line.lastDay.map { .string($0.description) },
          "usedUp": line.isUsedUp ? .bool(true) : nil,
        ]
      })
  }

  private var newestReceipts: [Entity] {
    survey.receipts.map(\.entity).newestFirst
  }

  /// The shops, those of the newest receipts first.
  var shops: [String] {
    var known: Set<String> = []
    return newestReceipts.map(\.title).filter { known.insert(fold($0)).inserted }.prefix(20)
      .map { $0 }
  }

  /// Returns a receipt with its lines.
  func receipt(_ receipt: Entity) -> JSON {
    let keys: Set<String> = [
      "id", "itemName", "quantity", "unit", "itemId", "price", "expiry", "location",
    ]
    return [
      "id": .string(receipt.id), "shopName": .string(receipt.title),
      "timestamp": .string(receipt.timestamp.description), "amount": receipt[.amount],
      "currency": receipt[.currency], "isDeleted": .bool(receipt.isTombstone),
      "items": .array(
        receipt.lines.map { line in
          .object((line.json.members ?? []).filter { keys.contains($0.key) })
        }),
      "updatedAt": .string(receipt.updatedAt.description),
    ]
  }
}
