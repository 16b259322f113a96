internal import LarderJSON
internal import LarderModel

/// Rows of receipts: one row for each line.
extension CSVImporter {
  mutating func finishReceipts() {
    for rows in receipts.groups {
      switch subject(byID: rows[0]) {
      case .known(let receipt): change(Receipt(entity: receipt), rows)
      case .unknown: makeReceipt(rows)
      case .wrong: break
      }
    }
    report.newThings = edit.newThings(on: receipts.taken.compactMap { edit.after[$0] })
    var known: Set<String> = []
    report.unknownThings = receipts.unknown.filter { known.insert(fold($0)).inserted }
  }

  /// Makes items of new lines that are none, if that is wanted, or notes their names.
  mutating func keepNewThings(
    of lines: inout [ReceiptLine], _ ids: Set<String>, _ row: ImportRow
  ) -> Bool {
    let new = lines.filter { ids.contains($0.id) && $0.isUnknown && !$0.isCharge }
      .filter { names.item($0.itemName) == nil }
    guard !new.isEmpty else { return true }
    guard keepsNewThings else {
      receipts.unknown += new.map(\.itemName)
      return true
    }
    let before = Set(lines.compactMap(\.itemID))
    var known = lines
    let made = follow(row) { importer throws(RuleError) in
      try importer.edit.makeItems(
        of: &known, Set(new.map(\.id)), printed: [], by: importer.writer)
    }
    guard made != nil else { return false }
    lines = known
    for id in Set(lines.compactMap(\.itemID)).subtracting(before) {
      guard let item = edit.after[.stockItem, id] else { continue }
      names.note(item)
      receipts.counts[item.key] = Instant(milliseconds: 0)
      report.made += 1
    }
    return true
  }

  private mutating func change(_ receipt: Receipt, _ rows: [ImportRow]) {
    var new = receipt
    var lines = receipt.lines
    var heads: [FieldName: ImportCell] = [:]
    var isSound = true
    var isNews = false
    var named: [String: Int] = [:]
    var learned: [(name: String, line: String)] = []
    for row in rows {
      let id = row.text(.lineID)?.lowercased()
      let index = id.flatMap { id in lines.firstIndex { $0.id == id } }
      if id != nil, index == nil {
        note(.unknownLine(id ?? ""), at: row[.lineID], of: row)
        isSound = false
        continue
      }
      if let id, let other = named[id] {
        note(.twice(lines[index ?? 0].itemName, line: line(of: other)), at: row[.lineID], of: row)
        isSound = false
        continue
      }
      let news = news(of: row, about: receipt.entity, line: index.map { lines[$0] })
      for cell in news where Self.headFields.contains(cell.field) {
        isSound = take(cell, over: &heads) && isSound
      }
      if let index {
        named[lines[index].id] = row.offset
        let cells = news.filter { !Self.headFields.contains($0.field) }
        isNews = isNews || !cells.isEmpty
        for cell in cells {
          isSound = write(cell, to: &lines[index], row, receipt.currency) && isSound
        }
        lines[index] = edit.after.counted(lines[index])
        let earlier = receipt.lines[index]
        if count(&lines[index], after: earlier, cells),
          fold(earlier.itemName) != fold(lines[index].itemName)
        {
          learned.append((earlier.itemName, earlier.id))
        }
        if cells.contains(where: { Self.countedFields.contains($0.field) }) {
          isSound = check(lines[index], row) && isSound
        }
      } else if row.text(.itemName) != nil {
        guard let line = newLine(row, receipt.currency, paid: nil) else {
          isSound = false
          continue
        }
        let isThere = lines.contains { named[$0.id] == nil && $0.isSame(as: line) }
        if !isThere { lines.append(line) }
        isNews = isNews || !isThere
      }
    }
    for field in ExchangeTable.receipts.fields {
      if let cell = heads[field] { isSound = write(cell, to: &new) && isSound }
    }
    guard isSound, isNews || !heads.isEmpty else { return }
    if isNews {
      let added = Set(lines.map(\.id)).subtracting(receipt.lines.map(\.id))
      guard keepNewThings(of: &lines, added, rows[0]) else { return }
      new.lines = lines
    }
    let wanted = new
    edit.correct(receipt, by: writer) { $0 = wanted }
    edit.learn(learned, of: wanted.lines, in: survey, at: writer.now)
    receipts.taken.append(receipt.key)
    noteChange(of: receipt.entity, rows[0])
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

  /// Keeps a cell about the whole receipt.
  ///
  /// False, with a mistake, if another row differs.
  private mutating func take(_ cell: ImportCell, over heads: inout [FieldName: ImportCell]) -> Bool
  {
    guard let other = heads[cell.field] else {
      heads[cell.field] = cell
      return true
    }
    guard other.text != cell.text else { return true }
    note(
      .differs(cell.field, of: "the same receipt", line: line(of: other.offset)), at: cell.offset)
    return false
  }

  private mutating func write(_ cell: ImportCell, to receipt: inout Receipt) -> Bool {
    switch cell.field {
    case .shopName:
      guard !cell.text.isEmpty else {
        note(.needed(.shopName), at: cell.offset)
        return false
      }
      receipt.shop = cell.text
    case .timestamp:
      guard let moment = moment(cell) else { return false }
      if !isSameMinute(moment, receipt.timestamp) { receipt.timestamp = moment }
    case .amount:
      guard !cell.text.isEmpty else {
        receipt.amount = nil
        return true
      }
      guard let money = money(cell) else { return false }
      receipt.amount = money.amount
      if let currency = money.currency { receipt.currency = currency }
    case .currency:
      let code = cell.text.isEmpty ? nil : currency(cell)
      guard code != nil || cell.text.isEmpty else { return false }
      receipt.currency = code
    default: break
    }
    return true
  }

  mutating func write(
    _ cell: ImportCell, to line: inout ReceiptLine, _ row: ImportRow, _ currency: String?
  ) -> Bool {
    let isEmpty = cell.text.isEmpty
    var isSound = true
    func given<Value>(_ value: Value?) -> Value? {
      if value == nil, !isEmpty { isSound = false }
      return value
    }
    switch cell.field {
    case .itemName:
      if isEmpty { note(.needed(.itemName), at: cell.offset) }
      line.itemName = cell.text
      return !isEmpty
    case .itemID:
      guard !isEmpty else {
        line.itemID = nil
        return true
      }
      guard let item = edit.after[.stockItem, cell.text.lowercased()] else {
        note(.unknownID(cell.text, .stockItem, actual: nil), at: cell.offset)
        return false
      }
      line.itemID = item.id
    case .quantity:
      guard !isEmpty, let typed = quantity(cell) else {
        if isEmpty { note(.needed(.quantity), at: cell.offset) }
        return false
      }
      guard typed.value >= .zero else {
        note(.rule(.belowZero(typed.quantity(in: line.unit ?? .piece))), at: cell.offset)
        return false
      }
      line.quantity = typed.value
      line.unit = typed.unit ?? line.unit
    case .unit: line.unit = given(isEmpty ? nil : unit(cell))
    case .price:
      let money = isEmpty ? nil : money(cell)
      line.price = given(money?.amount)
      if let money { isSound = check(money, currency, at: cell) && isSound }
    case .expiry: line.expiry = given(isEmpty ? nil : day(cell))
    case .location: line.locationID = isEmpty ? nil : location(cell.text)
    case .lot: line.lotCode = isEmpty ? nil : cell.text
    default: break
    }
    return isSound
  }

  /// Whether a sum is in a receipt's currency; notes a mistake if not.
  mutating func check(_ money: TypedMoney, _ code: String?, at cell: ImportCell) -> Bool {
    guard let own = money.currency, let code, own != code else { return true }
    note(.currencies(own, code), at: cell.offset)
    return false
  }

  /// Whether the line's unit converts to its item's; notes a mistake if not.
  mutating func check(_ line: ReceiptLine, _ row: ImportRow) -> Bool {
    guard let item = line.itemID.flatMap({ edit.after[.stockItem, $0] }), let unit = line.unit,
      !unit.converts(to: item.unit)
    else { return true }
    note(.rule(.unitsDoNotConvert(of: item.title, unit, item.unit)), at: row[.unit], of: row)
    return false
  }
}

extension ReceiptLine {
  /// Whether another line has the same name, quantity and price.
  fileprivate func isSame(as other: ReceiptLine) -> Bool {
    fold(itemName) == fold(other.itemName) && quantity == other.quantity && price == other.price
  }
}
