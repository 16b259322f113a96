internal import LarderJSON
internal import LarderModel

/// Rows of receipts: a line of a receipt each.
extension CSVImporter {
  mutating func finishReceipts() {
    for rows in receipts.groups {
      switch subject(byID: rows[0]) {
      case .known(let receipt): change(Receipt(entity: receipt), rows)
      case .unknown: makeReceipt(rows)
      case .wrong: break
      }
    }
  }

  private mutating func change(_ receipt: Receipt, _ rows: [ImportRow]) {
    var new = receipt
    var lines = receipt.lines
    var heads: [FieldName: ImportCell] = [:]
    var isSound = true
    var isNews = false
    var named: Set<String> = []
    for row in rows {
      let id = row.text(.lineID)?.lowercased()
      let index = id.flatMap { id in lines.firstIndex { $0.id == id } }
      if id != nil, index == nil {
        note(.unknownLine(id ?? ""), at: row[.lineID], of: row)
        isSound = false
        continue
      }
      let news = news(of: row, about: receipt.entity, line: index.map { lines[$0] })
      for cell in news where Self.headFields.contains(cell.field) {
        isSound = take(cell, over: &heads) && isSound
      }
      if let index {
        named.insert(lines[index].id)
        let cells = news.filter { !Self.headFields.contains($0.field) }
        isNews = isNews || !cells.isEmpty
        for cell in cells { isSound = write(cell, to: &lines[index], row) && isSound }
        isSound = check(lines[index], row) && isSound
      } else if row.text(.itemName) != nil {
        guard let line = newLine(row) else {
          isSound = false
          continue
        }
        let isThere = lines.contains { !named.contains($0.id) && $0.isSame(as: line) }
        if !isThere { lines.append(line) }
        isNews = isNews || !isThere
      }
    }
    for cell in heads.values { isSound = write(cell, to: &new) && isSound }
    guard isSound, isNews || !heads.isEmpty else { return }
    if isNews { new.lines = lines }
    let wanted = new
    edit.correct(receipt, by: writer) { $0 = wanted }
    noteChange(of: receipt.entity, rows[0])
  }

  /// The columns that are about the whole receipt.
  private static let headFields: Set<FieldName> = [.timestamp, .shopName, .amount, .currency]

  /// Notes what a row says about the whole receipt; false if another row says something else.
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

  private mutating func write(
    _ cell: ImportCell, to line: inout ReceiptLine, _ row: ImportRow
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
    case .price: line.price = given(isEmpty ? nil : money(cell)?.amount)
    case .expiry: line.expiry = given(isEmpty ? nil : day(cell))
    case .location: line.locationID = isEmpty ? nil : location(cell.text)
    case .lot: line.lotCode = isEmpty ? nil : cell.text
    default: break
    }
    return isSound
  }

  /// Whether the line's unit is one of its item; notes a mistake if not.
  private mutating func check(_ line: ReceiptLine, _ row: ImportRow) -> Bool {
    guard let item = line.itemID.flatMap({ edit.after[.stockItem, $0] }), let unit = line.unit,
      !unit.converts(to: item.unit)
    else { return true }
    note(.rule(.unitsDoNotConvert(of: item.title, unit, item.unit)), at: row[.unit], of: row)
    return false
  }
}

/// Receipts that are not known yet.
extension CSVImporter {
  private mutating func makeReceipt(_ rows: [ImportRow]) {
    let first = rows[0]
    var isSound = true
    for field in [FieldName.shopName, .timestamp] where first.text(field) == nil {
      note(.needed(field), at: first[field], of: first)
      isSound = false
    }
    let paid = read(first.cell(.timestamp), &isSound) { $0.moment($1) }
    let amount = read(first.cell(.amount), &isSound) { $0.money($1) }
    let code = read(first.cell(.currency), &isSound) { $0.currency($1) }
    var purchase = Edit.Purchase(shop: first.text(.shopName) ?? "")
    purchase.timestamp = paid
    purchase.amount = amount?.amount
    purchase.currency = code ?? amount?.currency ?? survey.household.own?.currency
    for row in rows {
      guard row.text(.itemName) != nil else {
        note(.needed(.itemName), at: row[.itemName], of: row)
        isSound = false
        continue
      }
      if let line = newLine(row) { purchase.lines.append(line) } else { isSound = false }
    }
    guard isSound, let paid, !isKnown(purchase, paid) else { return }
    let saved = follow(first) { importer throws(RuleError) in
      try importer.edit.save(purchase, by: importer.writer)
    }
    if saved != nil { report.made += 1 }
  }

  /// Whether the household has a receipt of this shop, minute, amount and number of lines.
  private mutating func isKnown(_ purchase: Edit.Purchase, _ paid: Instant) -> Bool {
    let known =
      receipts.known
      ?? Set(
        edit.after.all(.receipt).filter { !$0.isTombstone }.map { receipt in
          look(receipt.title, receipt.timestamp, receipt.number(.amount), receipt.lines.count)
        })
    receipts.known = known
    return known.contains(look(purchase.shop, paid, purchase.amount, purchase.lines.count))
  }

  private func look(_ shop: String, _ paid: Instant, _ amount: Number?, _ lines: Int) -> String {
    "\(survey.calendar.text(of: paid)) \(amount?.description ?? "") \(lines) \(fold(shop))"
  }

  /// Returns a new line; its item is the one with its id or its full name.
  private mutating func newLine(_ row: ImportRow) -> ReceiptLine? {
    let name = row.text(.itemName) ?? ""
    var line = ReceiptLine(
      id: writer.newID(), itemName: name, quantity: Number(1), unit: nil,
      itemID: names.item(name)?.id)
    var isSound = true
    for field in [FieldName.itemID, .unit, .quantity, .price, .expiry, .location, .lot] {
      guard let cell = row.cell(field) else { continue }
      isSound = write(cell, to: &line, row) && isSound
    }
    return isSound && check(line, row) ? line : nil
  }
}

extension ReceiptLine {
  /// Whether another line says the same, whatever its id is.
  fileprivate func isSame(as other: ReceiptLine) -> Bool {
    fold(itemName) == fold(other.itemName) && quantity == other.quantity && price == other.price
  }
}
