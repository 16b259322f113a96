internal import LarderModel

/// The rows of a file's receipts, put together by receipt.
struct ReceiptRows {
  private(set) var groups: [[ImportRow]] = []
  private var places: [String: Int] = [:]
  /// The groups whose rows have said no amount yet.
  private var withoutAmount: Set<Int> = []
  /// The number of receipts without an id.
  private(set) var newCount = 0
  /// The marks of the receipts that were there; nil until somebody asks.
  var known: Set<String>?
  /// Those receipts by shop, day and amount.
  var twins: [String: Receipt] = [:]
  /// The spellings of shops by their folded names.
  var shops: [String: String] = [:]
  /// The times of the last counts of items.
  var counts: [EntityKey: Instant] = [:]

  /// Adds a row to those of its receipt: of one id or, without an id, of one shop, time and amount.
  ///
  /// `head` is the shop and the time. The rows of a receipt need not all have its amount.
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
