internal import LarderGit
public import LarderModel
internal import LarderStore
internal import LarderText

/// A basket that somebody saved: its receipt, and who saved it when.
public struct SavedBasketNews: Hashable, Sendable {
  /// The receipt's id.
  public let receipt: String
  /// The person or the device that saved it; nil if no commit says so.
  public let saver: String?
  /// The device on which it was saved; nil if no commit says so.
  public let device: String?
  public let at: Instant
  /// The news in words: `Mira saved this basket at 16:04: Aldi, 10.00 EUR`.
  public let sentence: String
}

extension Larder {
  /// Returns who saved a receipt, and when.
  public func saving(of receipt: Entity) throws -> SavedBasketNews {
    let at = receipt.register(.isDeleted)?.stamp ?? receipt.createdAt
    let commits = try store.commits(
      overtaking: [Overtaken(key: receipt.key, names: [.isDeleted], at: at)])
    let commit = commits.first.flatMap(\.self)
    let saver = commit?.author.name
    let calendar = try survey().calendar
    let day = calendar.day(of: at)
    let time = calendar.text(of: at).suffix(5)
    let moment = day == calendar.today ? "at \(time)" : "on \(day) at \(time)"
    let bought = Receipt(entity: receipt)
    let amount = bought.amount.map { ", \(TypedMoney($0, bought.currency))" } ?? ""
    return SavedBasketNews(
      receipt: receipt.id, saver: saver, device: commit?.device, at: at,
      sentence: "\(saver ?? "somebody") saved this basket \(moment): \(bought.shop)\(amount)")
  }

  /// Returns who saved the basket that is empty by now; nil if nobody did within a day.
  public func lastSavedBasket() throws -> SavedBasketNews? {
    try survey().lastSavedBasket.map { try saving(of: $0) }
  }
}

extension Survey {
  /// The last receipt of entries of the shopping list that was saved within a day; nil if there is
  /// none.
  fileprivate var lastSavedBasket: Entity? {
    let first = calendar.now.adding(milliseconds: -86_400_000)
    let recent = household.all(.receipt).filter { !$0.isTombstone && $0.createdAt >= first }
    guard !recent.isEmpty else { return nil }
    let closed = Set(household.all(.shoppingListEntry).filter(\.isTombstone).map(\.lineID))
    return recent.filter { $0.lines.contains { closed.contains($0.id) } }
      .max { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
  }

  /// Returns the basket that was saved last, if a receipt of which nothing was on the list may be of
  /// it: it has a thing of it, and its shop, unless nobody said that.
  public func savedBasket(like receipt: Receipt) -> Entity? {
    guard let saved = lastSavedBasket, saved.id != receipt.id else { return nil }
    let isSameShop =
      fold(saved.title) == fold(receipt.shop)
      || saved.register(.shopName).map { $0.stamp < saved.createdAt } ?? true
    let isAlike = receipt.lines.contains { line in
      saved.lines.contains { $0.isOfSameThing(as: line) }
    }
    return isSameShop && isAlike ? saved : nil
  }
}

extension ReceiptLine {
  /// Whether it is of the same item, or of the same name if one of both has no item.
  func isOfSameThing(as other: ReceiptLine) -> Bool {
    guard itemID == nil, other.itemID == nil else { return itemID == other.itemID }
    return fold(itemName) == fold(other.itemName)
  }
}

extension Household {
  /// Returns the receipt on which an entry of the shopping list was bought; nil if there is none.
  func receipt(of entry: Entity) -> Entity? {
    let line = entry.lineID
    return all(.receipt).first { receipt in
      !receipt.isTombstone && receipt.lines.contains { $0.id == line }
    }
  }
}
