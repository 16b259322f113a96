internal import LarderModel

/// The rows of a file's receipts, put together by receipt.
struct ReceiptRows {
  private(set) var groups: [[ImportRow]] = []
  private var places: [String: Int] = [:]
  /// The number of receipts without an id.
  private(set) var newCount = 0
  /// The marks of the receipts that were there; nil until somebody asks.
  var known: Set<String>?

  /// Adds a row to those of its receipt: of one id or, without an id, of one shop, time and amount.
  ///
  /// `head` is the shop and the time. A row without an amount is of the receipt above it that has them.
  mutating func add(_ row: ImportRow, _ head: [String], amount: String?) {
    let shared = fold(head.joined(separator: "\n"))
    let key = row.text(.id) ?? amount.map { shared + "\n" + $0 } ?? shared
    if let place = places[key] {
      groups[place].append(row)
    } else {
      places[key] = groups.count
      if !row.hasID {
        newCount += 1
        places[shared] = groups.count
      }
      groups.append([row])
    }
  }
}
