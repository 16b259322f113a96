public import LarderModel
internal import LarderText

extension Survey {
  /// Returns the first other receipt of the same shop and day with the same amount.
  public func twin(of receipt: Receipt) -> Receipt? {
    guard let amount = receipt.amount else { return nil }
    let (shop, day) = (fold(receipt.shop), calendar.day(of: receipt.timestamp))
    return liveReceipts.filter { other in
      other.id != receipt.id && other.amount == amount && other.currency == receipt.currency
        && fold(other.shop) == shop && calendar.day(of: other.timestamp) == day
    }
    .min { ($0.timestamp, $0.id) < ($1.timestamp, $1.id) }
  }

  /// Returns words that name this receipt and no other: the shop with the day or the time, or the
  /// path.
  public func reference(to receipt: Receipt) -> String {
    let time = calendar.text(of: receipt.timestamp)
    let day = calendar.day(of: receipt.timestamp).description
    return ["\(receipt.shop) \(day)", "\(receipt.shop) \(time)"]
      .first { (try? naming.find($0, .receipt))?.id == receipt.id }
      ?? household.path(of: receipt.key)?.text ?? receipt.id
  }

  /// Returns the receipt lines that have one of an item's names but no item, the newest first.
  public func linesWithoutItem(
    named names: [String]
  ) -> [(receipt: Receipt, line: ReceiptLine)] {
    let wanted = Set(names.map(fold))
    let found = liveReceipts.flatMap { receipt in
      receipt.lines.filter { $0.itemID == nil && wanted.contains(fold($0.itemName)) }
        .map { (receipt: receipt, line: $0) }
    }
    return found.sorted { one, other in
      (one.receipt.timestamp, one.receipt.id) > (other.receipt.timestamp, other.receipt.id)
    }
  }

  /// Returns the names of a receipt's items whose totals were the same in an earlier survey.
  public func unchangedItems(of receipt: Receipt, since before: Survey) -> [String] {
    let ids = receipt.lines.compactMap(\.itemID)
    return ids.enumerated().filter { ids[..<$0.offset].contains($0.element) == false }.compactMap {
      guard let item = household[.stockItem, $0.element],
        before.household[.stockItem, $0.element].map({ before.stock.total(of: $0) })
          == stock.total(of: item)
      else { return nil }
      return item.title
    }
  }

  private var liveReceipts: [Receipt] {
    naming.all(.receipt).filter { !$0.isTombstone }.map { Receipt(entity: $0) }
  }
}
