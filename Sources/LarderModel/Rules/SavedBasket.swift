internal import LarderJSON

/// A basket that is saved, perhaps by two people who do not know of each other: the ids that both
/// derive, and the moments of what both write.
///
/// A value that nobody said has the moment at which the last thing came into the basket, which is the same
/// for both. What somebody said is later, so it wins.
struct SavedBasket {
  /// When the last thing came into the basket; nil if nothing of the list was bought.
  private let filled: Instant?
  /// When somebody said something.
  private let said: Instant
  /// The receipt's id; nil if nothing of the list was bought.
  let receiptID: String?

  init(_ entries: [Entity], at now: Instant) {
    filled = entries.map(\.tickedAt).max()
    said = filled.map { max(now, $0.next) } ?? now
    receiptID = entries.isEmpty ? nil : entries.map(\.lineID).receiptID
  }

  /// Returns the lines that are on no list with ids that both derive.
  func named(_ extras: [ReceiptLine]) -> [ReceiptLine] {
    guard let receiptID else { return extras }
    var seen: [String: Int] = [:]
    return extras.map { line in
      var line = line
      line.id = ReceiptLine.id(
        beside: receiptID, of: line.itemID ?? fold(line.itemName), after: &seen)
      return line
    }
  }

  /// Says in a line what of it somebody said; `listed` is what the list says of its quantity.
  func mark(_ line: inout ReceiptLine, listed: Quantity?) {
    guard filled != nil else { return }
    for name in line.said(listed: listed) { line.edited[name] = said }
  }

  /// Gives what nobody said of a receipt the moment that it has for both.
  func stamp(_ receipt: inout Entity, of purchase: Edit.Purchase) {
    guard let filled else { return }
    var guessed = purchase.guessed
    if purchase.timestamp == nil { guessed.insert(.timestamp) }
    if purchase.amount == nil { guessed.insert(.amount) }
    if guessed.contains(.amount) { guessed.insert(.currency) }
    for name in [FieldName.shopName, .timestamp, .amount, .currency] {
      guard let value = receipt[name] else { continue }
      receipt.write(name, value, at: guessed.contains(name) ? filled : said)
    }
    receipt.write(.items, receipt[.items], at: filled)
  }
}

extension Entity {
  /// Whether nobody said these fields of a receipt, or of what was put away of it, which were written
  /// at a time: they are from before it was made.
  func isFilledIn(_ names: [FieldName], at stamp: Instant) -> Bool {
    (kind == .receipt || kind == .inventoryItem) && names != [.items] && stamp < createdAt
  }

  /// When an entry of the shopping list came into the basket.
  package var tickedAt: Instant { register(.isCompleted)?.stamp ?? createdAt }

  /// The id of the line of an entry of the shopping list that was bought, which is another one if it
  /// is ticked off anew.
  package var lineID: String { Identifier.derived(from: "line", id, tickedAt.description) }
}

extension [String] {
  /// The id of the receipt with the lines of these ids.
  fileprivate var receiptID: String {
    let names = sorted { JSON.precedes($0, $1) }.joined(separator: "/")
    return Identifier.derived(fromName: "receipt/\(names)")
  }
}

extension ReceiptLine {
  /// Returns the id of a line on a receipt beside those of the list, by its item's id or its folded
  /// name; of those that are alike, the next one after those `seen`.
  package static func id(
    beside receipt: String, of thing: String, after seen: inout [String: Int]
  ) -> String {
    seen[thing, default: 0] += 1
    return Identifier.derived(fromName: "line/\(receipt)/\(thing)/\(seen[thing] ?? 1)")
  }

  /// The members that somebody said, if the list says this of the quantity.
  package func said(listed: Quantity?) -> [FieldName] {
    let isListed = listed.map { $0.value == quantity && $0.unit == unit } ?? false
    let details: [(FieldName, Bool)] = [
      (.quantity, !isListed), (.unit, !isListed && unit != nil), (.price, price != nil),
      (.expiry, expiry != nil), (.location, locationID != nil), (.lot, lotCode != nil),
    ]
    return details.filter(\.1).map(\.0)
  }
}
