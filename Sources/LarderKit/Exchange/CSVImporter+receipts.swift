internal import LarderModel

/// Rows of receipts: one row for each line.
extension CSVImporter {
  mutating func finishReceipts() {
    for rows in receipts.groups {
      attempt { importer throws(RowMistakes) in
        if let receipt = try importer.subject(byID: rows[0]) {
          try importer.change(Receipt(entity: receipt), rows)
        } else {
          try importer.makeReceipt(rows)
        }
      }
    }
    report.newThings = edit.newThings(on: receipts.taken.compactMap { edit.after[$0] })
    var known: Set<String> = []
    report.unknownThings = receipts.unknown.filter { known.insert(fold($0)).inserted }
  }

  /// Makes items of new lines that are none, if that is wanted, or notes their names.
  mutating func keepNewThings(
    of lines: inout [ReceiptLine], _ ids: Set<String>, _ row: ImportRow
  ) throws(RowMistakes) {
    let new = lines.filter { ids.contains($0.id) && $0.isUnknown && !$0.isCharge }
      .filter { names.item($0.itemName) == nil }
    guard !new.isEmpty else { return }
    guard keepsNewThings else {
      receipts.unknown += new.map(\.itemName)
      return
    }
    let before = Set(lines.compactMap(\.itemID))
    try obey(
      row, try edit.makeItems(of: &lines, Set(new.map(\.id)), printed: [], by: writer))
    for id in Set(lines.compactMap(\.itemID)).subtracting(before) {
      guard let item = edit.after[.stockItem, id] else { continue }
      names.note(item)
      receipts.counts[item.key] = Instant(milliseconds: 0)
      report.made += 1
    }
  }

  private mutating func change(_ receipt: Receipt, _ rows: [ImportRow]) throws(RowMistakes) {
    var new = receipt
    var lines = receipt.lines
    var heads: [FieldName: ImportCell] = [:]
    var mistakes = RowMistakes()
    var isNews = false
    var named: [String: Int] = [:]
    var learned: [(name: String, line: String)] = []
    for row in rows {
      let id = row.text(.lineID)?.lowercased()
      let index = id.flatMap { id in lines.firstIndex { $0.id == id } }
      if let id, index == nil {
        mistakes.note(.unknownLine(id), at: row[.lineID]?.offset ?? row.offset)
        continue
      }
      if let index, let other = named[lines[index].id] {
        mistakes.note(
          .twice(lines[index].itemName, line: line(of: other)),
          at: row[.lineID]?.offset ?? row.offset)
        continue
      }
      let news = news(of: row, about: receipt.entity, line: index.map { lines[$0] })
      for cell in news where Self.headFields.contains(cell.field) {
        mistakes.value(try take(cell, over: &heads))
      }
      if let index {
        named[lines[index].id] = row.offset
        let cells = news.filter { !Self.headFields.contains($0.field) }
        isNews = isNews || !cells.isEmpty
        for cell in cells {
          mistakes.value(try write(cell, to: &lines[index], row, receipt.currency))
        }
        lines[index] = edit.after.counted(lines[index])
        let earlier = receipt.lines[index]
        if count(&lines[index], after: earlier, cells),
          fold(earlier.itemName) != fold(lines[index].itemName)
        {
          learned.append((earlier.itemName, earlier.id))
        }
        if cells.contains(where: { Self.countedFields.contains($0.field) }) {
          mistakes.value(try check(lines[index], row))
        }
      } else if row.text(.itemName) != nil,
        let line = mistakes.value(try newLine(row, receipt.currency, paid: nil)),
        !lines.contains(where: { named[$0.id] == nil && $0.isSame(as: line) })
      {
        lines.append(line)
        isNews = true
      }
    }
    for field in ExchangeTable.receipts.fields {
      if let cell = heads[field] { mistakes.value(try write(cell, to: &new)) }
    }
    try mistakes.refuse()
    guard isNews || !heads.isEmpty else { return }
    if isNews {
      let added = Set(lines.map(\.id)).subtracting(receipt.lines.map(\.id))
      try keepNewThings(of: &lines, added, rows[0])
      new.lines = lines
    }
    let wanted = new
    edit.correct(receipt, by: writer) { $0 = wanted }
    edit.learn(learned, of: wanted.lines, in: survey, at: writer.now)
    receipts.taken.append(receipt.key)
    try noteChange(of: receipt.entity, rows[0])
  }

  /// The columns that are about the whole receipt.
  private static let headFields: Set<FieldName> = [.timestamp, .shopName, .amount, .currency]
  /// The columns by which a line counts as an item.
  private static let countedFields: Set<FieldName> = [.itemID, .quantity, .unit]

  /// Lets a line that counts for nothing yet count as the item of its name, if its name or amount is
  /// new.
  ///
  /// False if it does not count.
  private func count(
    _ line: inout ReceiptLine, after earlier: ReceiptLine, _ news: [ImportCell]
  ) -> Bool {
    // A number in another notation is no news.
    let amount = { (line: ReceiptLine) in Quantity(line.quantity, line.unit ?? .piece) }
    let isSaid =
      fold(line.itemName) != fold(earlier.itemName) || amount(line) != amount(earlier)
    guard earlier.itemID == nil, line.itemID == nil, isSaid,
      !news.contains(where: { $0.field == .itemID }),
      let key = names.item(line.itemName) ?? survey.item(printedAs: line)?.key,
      let item = edit.after[key]
    else { return false }
    var counted = line
    counted.itemID = item.id
    counted = edit.after.counted(counted)
    guard counted.unit?.converts(to: item.unit) ?? true else { return false }
    line = counted
    return true
  }

  /// Keeps a cell about the whole receipt; throws if another row differs.
  private func take(
    _ cell: ImportCell, over heads: inout [FieldName: ImportCell]
  ) throws(RowMistakes) {
    guard let other = heads[cell.field], other.text != cell.text else {
      heads[cell.field] = heads[cell.field] ?? cell
      return
    }
    throw RowMistakes(
      .differs(cell.field, of: "the same receipt", line: line(of: other.offset)), at: cell.offset)
  }

  private mutating func write(_ cell: ImportCell, to receipt: inout Receipt) throws(RowMistakes) {
    switch cell.field {
    case .shopName:
      guard !cell.text.isEmpty else { throw RowMistakes(.needed(.shopName), at: cell.offset) }
      receipt.shop = cell.text
    case .timestamp:
      guard let moment = try moment(cell) else { return }
      if !isSameMinute(moment, receipt.timestamp) { receipt.timestamp = moment }
    case .amount:
      let money = try money(cell.filled)
      receipt.amount = money?.amount
      receipt.currency = money?.currency ?? receipt.currency
    case .currency: receipt.currency = try currency(cell.filled)
    default: break
    }
  }

  mutating func write(
    _ cell: ImportCell, to line: inout ReceiptLine, _ row: ImportRow, _ currency: String?
  ) throws(RowMistakes) {
    switch cell.field {
    case .itemName:
      line.itemName = cell.text
      if cell.text.isEmpty { throw RowMistakes(.needed(.itemName), at: cell.offset) }
    case .itemID:
      line.itemID = cell.text.isEmpty ? nil : cell.text.lowercased()
      guard line.itemID.map({ edit.after[.stockItem, $0] != nil }) ?? true else {
        throw RowMistakes(.unknownID(cell.text, .stockItem, actual: nil), at: cell.offset)
      }
    case .quantity:
      guard let typed = try quantity(cell.filled) else {
        throw RowMistakes(.needed(.quantity), at: cell.offset)
      }
      guard typed.value >= .zero else {
        throw RowMistakes(
          .rule(.belowZero(typed.quantity(in: line.unit ?? .piece))), at: cell.offset)
      }
      line.quantity = typed.value
      line.unit = typed.unit ?? line.unit
    case .unit: line.unit = try unit(cell.filled)
    case .price:
      let money = try money(cell.filled)
      line.price = money?.amount
      if let money { try check(money, currency, at: cell) }
    case .expiry: line.expiry = try day(cell.filled)
    case .location: line.locationID = location(cell.text)
    case .lot: line.lotCode = cell.filled?.text
    default: break
    }
  }

  /// Throws if a sum is not in a receipt's currency.
  func check(_ money: TypedMoney, _ code: String?, at cell: ImportCell) throws(RowMistakes) {
    guard let own = money.currency, let code, own != code else { return }
    throw RowMistakes(.currencies(own, code), at: cell.offset)
  }

  /// Throws if the line's unit does not convert to its item's.
  func check(_ line: ReceiptLine, _ row: ImportRow) throws(RowMistakes) {
    guard let item = line.itemID.flatMap({ edit.after[.stockItem, $0] }), let unit = line.unit,
      !unit.converts(to: item.unit)
    else { return }
    throw RowMistakes(
      .rule(.unitsDoNotConvert(of: item.title, unit, item.unit)), at: row[.unit], of: row)
  }
}

extension ReceiptLine {
  /// Whether another line has the same name, quantity and price.
  fileprivate func isSame(as other: ReceiptLine) -> Bool {
    fold(itemName) == fold(other.itemName) && quantity == other.quantity && price == other.price
  }
}

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
