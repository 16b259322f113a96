internal import LarderModel

/// The rows of a file's receipts, grouped by receipt.
struct ReceiptRows {
  private(set) var groups: [[ImportRow]] = []
  private var places: [String: Int] = [:]
  /// The groups whose rows have no amount yet.
  private var withoutAmount: Set<Int> = []
  /// The number of receipts without an id.
  private(set) var newCount = 0
  /// The household's receipts as comparable texts; nil until they are needed.
  var known: Set<String>?
  /// The household's receipts by shop, day and amount.
  var twins: [String: Receipt] = [:]
  /// The spelling of each shop, by its folded name.
  var shops: [String: String] = [:]
  /// The time of each item's last count.
  var counts: [EntityKey: Instant] = [:]

  /// The receipts that were made or changed.
  var taken: [EntityKey] = []
  /// The names on new lines that are no items.
  var unknown: [String] = []

  /// Adds a row to the group of its receipt.
  ///
  /// Rows with an id belong together by it, others by `head`, which is the shop and the time, and
  /// the amount. Not every row of a receipt needs the amount.
  mutating func add(_ row: ImportRow, _ head: [String], amount: String?) {
    let shared = fold(head.joined(separator: "\n"))
    let key = row.text(.id) ?? amount.map { shared + "\n" + $0 } ?? shared
    if let place = places[key] {
      groups[place].append(row)
    } else if !row.hasID, amount != nil, let place = places[shared], withoutAmount.contains(place) {
      withoutAmount.remove(place)
      places[key] = place
      groups[place].append(row)
    } else {
      places[key] = groups.count
      if !row.hasID {
        newCount += 1
        places[shared] = groups.count
        if amount == nil { withoutAmount.insert(groups.count) }
      }
      groups.append([row])
    }
  }
}
