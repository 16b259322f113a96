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
  }

  private mutating func change(_ receipt: Receipt, _ rows: [ImportRow]) {
    var new = receipt
    var lines = receipt.lines
    var heads: [FieldName: ImportCell] = [:]
    var isSound = true
    var isNews = false
    var named: [String: Int] = [:]
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
    if isNews { new.lines = lines }
    let wanted = new
    edit.correct(receipt, by: writer) { $0 = wanted }
    noteChange(of: receipt.entity, rows[0])
  }

  /// The columns that are about the whole receipt.
  private static let headFields: Set<FieldName> = [.timestamp, .shopName, .amount, .currency]
  /// The columns by which a line counts as an item.
  private static let countedFields: Set<FieldName> = [.itemID, .quantity, .unit]

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

  private mutating func write(
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
  private mutating func check(_ money: TypedMoney, _ code: String?, at cell: ImportCell) -> Bool {
    guard let own = money.currency, let code, own != code else { return true }
    note(.currencies(own, code), at: cell.offset)
    return false
  }

  /// Whether the line's unit converts to its item's; notes a mistake if not.
  private mutating func check(_ line: ReceiptLine, _ row: ImportRow) -> Bool {
    guard let item = line.itemID.flatMap({ edit.after[.stockItem, $0] }), let unit = line.unit,
      !unit.converts(to: item.unit)
    else { return true }
    note(.rule(.unitsDoNotConvert(of: item.title, unit, item.unit)), at: row[.unit], of: row)
    return false
  }
}

/// Receipts that are new.
extension CSVImporter {
  private mutating func makeReceipt(_ rows: [ImportRow]) {
    let first = rows[0]
    var isSound = true
    for field in [FieldName.shopName, .timestamp] where first.text(field) == nil {
      note(.needed(field), at: first[field], of: first)
      isSound = false
    }
    let paid = read(first.cell(.timestamp), &isSound) { $0.moment($1) }
    let total = rows.lazy.compactMap { $0.cell(.amount) }.first
    let amount = read(total, &isSound) { $0.money($1) }
    let code = read(first.cell(.currency), &isSound) { $0.currency($1) }
    var purchase = Edit.Purchase(shop: first.text(.shopName).map { spelling($0) } ?? "")
    purchase.id = writer(of: .receipt, first).newID()
    purchase.timestamp = paid
    purchase.amount = amount?.amount
    purchase.currency =
      code ?? amount?.currency ?? currency(ofPricesIn: rows) ?? survey.household.own?.currency
    if let amount, let total { isSound = check(amount, purchase.currency, at: total) && isSound }
    for row in rows {
      guard row.text(.itemName) != nil else {
        note(.needed(.itemName), at: row[.itemName], of: row)
        isSound = false
        continue
      }
      let id = purchase.id.map { Identifier.derived(from: $0, String(row.offset)) }
      if let line = newLine(row, purchase.currency, paid: paid, id: id) {
        purchase.lines.append(line)
      } else {
        isSound = false
      }
    }
    guard isSound, let paid else { return }
    guard !isKnown(purchase, paid, first) else {
      report.known += 1
      return
    }
    let saved = follow(first) { importer throws(RuleError) in
      try importer.edit.saveInPlace(purchase, by: importer.writer)
    }
    guard saved != nil else { return }
    report.made += 1
    let head = head(purchase.shop, paid, purchase.amount, purchase.currency)
    if purchase.amount != nil, let twin = receipts.twins[head] { report.twins.append(twin) }
  }

  /// Returns the currency of the first price that has one.
  private func currency(ofPricesIn rows: [ImportRow]) -> String? {
    rows.lazy.compactMap { row in
      row.text(.price).flatMap { try? TypedMoney(plain($0)) }?.currency
    }.first
  }

  /// Returns a shop's name as the household spells it.
  private mutating func spelling(_ shop: String) -> String {
    let name = fold(shop)
    let known = receipts.shops[name] ?? survey.household.spelling(ofShop: shop)
    receipts.shops[name] = known
    return known
  }

  /// Whether the household has a receipt with this shop, time, amount and these lines.
  ///
  /// If the row has only a day, any time of that day fits.
  private mutating func isKnown(
    _ purchase: Edit.Purchase, _ paid: Instant, _ row: ImportRow
  ) -> Bool {
    let known = receipts.known ?? noteKnown()
    let isDay = row.text(.timestamp).map { (try? survey.calendar.day(reading: $0)) != nil } ?? false
    let day = survey.calendar.day(of: paid).description
    let when = isDay ? day : survey.calendar.text(of: paid)
    return known.contains(
      look(purchase.shop, when, purchase.amount, purchase.currency, purchase.lines))
  }

  private mutating func noteKnown() -> Set<String> {
    var looks: Set<String> = []
    for entity in edit.before.all(.receipt) where !entity.isTombstone {
      let receipt = Receipt(entity: entity)
      receipts.twins[
        head(receipt.shop, receipt.timestamp, receipt.amount, receipt.currency)] = receipt
      let day = survey.calendar.day(of: receipt.timestamp).description
      for when in [day, survey.calendar.text(of: receipt.timestamp)] {
        looks.insert(look(receipt.shop, when, receipt.amount, receipt.currency, receipt.lines))
      }
    }
    receipts.known = looks
    return looks
  }

  private func look(
    _ shop: String, _ when: String, _ amount: Number?, _ currency: String?, _ lines: [ReceiptLine]
  ) -> String {
    let said = lines.map { line in
      "\(fold(line.itemName)) \(line.quantity) \(line.price?.description ?? "")"
    }
    return ([fold(shop), when, amount?.description ?? "", currency ?? ""] + said.sorted())
      .joined(separator: "\n")
  }

  /// Returns a new line.
  ///
  /// Its item is the one with the row's item id or full name. An item's last count includes all
  /// that was paid before it. A line that names its item by name alone and was paid before that
  /// count gets no item.
  private mutating func newLine(
    _ row: ImportRow, _ currency: String?, paid: Instant?, id: String? = nil
  ) -> ReceiptLine? {
    let name = row.text(.itemName) ?? ""
    let item = names.item(name)
    let isInCount = item.map { key in paid.map { $0 < lastCount(of: key) } ?? false } ?? false
    if isInCount, row.text(.itemID) == nil { report.inCounts += 1 }
    var line = ReceiptLine(
      id: id ?? writer.newID(), itemName: name, quantity: Number(1), unit: nil,
      itemID: isInCount ? nil : item?.id)
    var isSound = true
    for field in [FieldName.itemID, .unit, .quantity, .price, .expiry, .location, .lot] {
      guard let cell = row.cell(field) else { continue }
      isSound = write(cell, to: &line, row, currency) && isSound
    }
    return isSound && check(line, row) ? line : nil
  }

  /// Returns the time of an item's last count, or of its creation if nobody counted it.
  private mutating func lastCount(of key: EntityKey) -> Instant {
    if let known = receipts.counts[key] { return known }
    guard let item = survey.household[key] else { return survey.calendar.now }
    let ledgers = ([item] + survey.stock.batches(of: item)).map(\.ledger)
    let counts = ledgers.flatMap { ledger in
      ledger.entries.filter { if case .set = $0.event { true } else { false } }.map(\.at)
        + [ledger.pageFrom].compactMap(\.self)
    }
    let last = counts.max() ?? item.createdAt
    receipts.counts[key] = last
    return last
  }

  private func head(
    _ shop: String, _ paid: Instant, _ amount: Number?, _ currency: String?
  ) -> String {
    look(shop, survey.calendar.day(of: paid).description, amount, currency, [])
  }
}

extension ReceiptLine {
  /// Whether another line has the same name, quantity and price.
  fileprivate func isSame(as other: ReceiptLine) -> Bool {
    fold(itemName) == fold(other.itemName) && quantity == other.quantity && price == other.price
  }
}
