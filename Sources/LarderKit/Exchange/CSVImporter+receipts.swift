internal import LarderModel

/// Rows of receipts: one row for each line.
extension CSVImporter {
  /// Adds a row to the rows of its receipt.
  mutating func group(_ row: ImportRow) {
    let moment = row.text(.timestamp)
    let head = [
      row.text(.shopName) ?? "", row.text(.currency) ?? "",
      moment.flatMap { survey.calendar.instant(typed: $0)?.description } ?? moment ?? "",
    ]
    receipts.add(row, head, amount: row.text(.amount).map { Number(plain($0))?.description ?? $0 })
  }

  mutating func finishReceipts() {
    for rows in receipts.groups {
      begin()
      if let receipt = subject(byID: rows[0]) {
        if isSound { change(Receipt(entity: receipt), rows) }
      } else if isSound {
        makeReceipt(rows)
      }
    }
    report.newThings = edit.newThings(on: receipts.taken.compactMap { edit.after[$0] })
    var known: Set<String> = []
    report.unknownThings = receipts.unknown.filter { known.insert(fold($0)).inserted }
  }

  /// Makes items of new lines that are none, if that is wanted, or notes their names.
  private mutating func keepNewThings(
    of lines: inout [ReceiptLine], _ ids: Set<String>, _ row: ImportRow
  ) {
    let new = lines.filter {
      ids.contains($0.id) && $0.isUnknown && !$0.isCharge
        && names[.stockItem, $0.itemName] == nil
    }
    guard !new.isEmpty else { return }
    guard keepsNewThings else {
      receipts.unknown += new.map(\.itemName)
      return
    }
    let before = Set(lines.compactMap(\.itemID))
    obey(
      tried(try edit.makeItems(of: &lines, Set(new.map(\.id)), printed: [], by: writer)), row)
    for id in Set(lines.compactMap(\.itemID)).subtracting(before) {
      guard let item = edit.after[.stockItem, id] else { continue }
      names.note(item)
      receipts.counts[item.key] = Instant(milliseconds: 0)
      report.made += 1
    }
  }

  private mutating func change(_ receipt: Receipt, _ rows: [ImportRow]) {
    var new = receipt
    var lines = receipt.lines
    var heads: [FieldName: ImportCell] = [:]
    var isNews = false
    var named: [String: Int] = [:]
    var learned: [(name: String, line: String)] = []
    for row in rows {
      let id = row.text(.lineID)?.lowercased()
      let index = id.flatMap { id in lines.firstIndex { $0.id == id } }
      if let id, index == nil {
        note(.unknownLine(id), row, at: .lineID)
        continue
      }
      if let index, let other = named[lines[index].id] {
        note(.twice(lines[index].itemName, line: line(of: other)), row, at: .lineID)
        continue
      }
      let news = news(of: row, about: receipt.entity, line: index.map { lines[$0] })
      for cell in news where ExchangeTable.receiptFields.contains(cell.field) {
        take(cell, over: &heads)
      }
      if let index {
        named[lines[index].id] = row.offset
        let cells = news.filter { !ExchangeTable.receiptFields.contains($0.field) }
        isNews = isNews || !cells.isEmpty
        let earlier = receipt.lines[index]
        if change(&lines[index], to: cells, row, receipt.currency),
          fold(earlier.itemName) != fold(lines[index].itemName)
        {
          learned.append((earlier.itemName, earlier.id))
        }
      } else if row.text(.itemName) != nil,
        let line = newLine(row, receipt.currency, paid: nil),
        !lines.contains(where: { named[$0.id] == nil && $0.isSame(as: line) })
      {
        lines.append(line)
        isNews = true
      }
    }
    for field in ExchangeTable.receipts.fields {
      if let cell = heads[field] { write(cell, to: &new) }
    }
    guard isSound, isNews || !heads.isEmpty else { return }
    if isNews {
      let added = Set(lines.map(\.id)).subtracting(receipt.lines.map(\.id))
      keepNewThings(of: &lines, added, rows[0])
      new.lines = lines
    }
    let wanted = new
    edit.correct(receipt, by: writer) { $0 = wanted }
    edit.learn(learned, of: wanted.lines, in: survey, at: writer.now)
    receipts.taken.append(receipt.key)
    noteChange(of: receipt.entity, rows[0])
  }

  /// Changes a line as cells say; true if it counts as an item from now on.
  private mutating func change(
    _ line: inout ReceiptLine, to cells: [ImportCell], _ row: ImportRow, _ currency: String?
  ) -> Bool {
    let earlier = line
    for cell in cells { write(cell, to: &line, row, currency) }
    line = edit.after.counted(line)
    let isCounted = count(&line, after: earlier, cells)
    if cells.contains(where: { Self.countedFields.contains($0.field) }) { check(line, row) }
    return isCounted
  }

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
      let item = named(line.itemName, .stockItem)
        ?? survey.item(printedAs: line).flatMap({ edit.after[$0.key] })
    else { return false }
    var counted = line
    counted.itemID = item.id
    counted = edit.after.counted(counted)
    guard counted.unit?.converts(to: item.unit) ?? true else { return false }
    line = counted
    return true
  }

  /// Keeps a cell about the whole receipt; if another row differs, that is a mistake.
  private mutating func take(_ cell: ImportCell, over heads: inout [FieldName: ImportCell]) {
    guard let other = heads[cell.field], other.text != cell.text else {
      heads[cell.field] = heads[cell.field] ?? cell
      return
    }
    note(
      .differs(cell.field, of: "the same receipt", line: line(of: other.offset)), at: cell.offset)
  }

  private mutating func write(_ cell: ImportCell, to receipt: inout Receipt) {
    switch cell.field {
    case .shopName:
      if cell.text.isEmpty { note(.needed(.shopName), at: cell.offset) }
      receipt.shop = cell.text
    case .timestamp:
      guard let moment = moment(cell) else { return }
      if !isSameMinute(moment, receipt.timestamp) { receipt.timestamp = moment }
    case .amount:
      let money = money(cell.filled)
      receipt.amount = money?.amount
      receipt.currency = money?.currency ?? receipt.currency
    case .currency: receipt.currency = currency(cell.filled)
    default: break
    }
  }

  private mutating func write(
    _ cell: ImportCell, to line: inout ReceiptLine, _ row: ImportRow, _ currency: String?
  ) {
    switch cell.field {
    case .itemName:
      line.itemName = cell.text
      if cell.text.isEmpty { note(.needed(.itemName), at: cell.offset) }
    case .itemID:
      line.itemID = cell.text.isEmpty ? nil : cell.text.lowercased()
      if let id = line.itemID, edit.after[.stockItem, id] == nil {
        note(.unknownID(cell.text, .stockItem, actual: nil), at: cell.offset)
      }
    case .quantity:
      guard let cell = cell.filled else { return note(.needed(.quantity), at: cell.offset) }
      guard let typed = quantity(cell) else { return }
      if typed.value < .zero {
        note(.rule(.belowZero(typed.quantity(in: line.unit ?? .piece))), at: cell.offset)
      }
      line.quantity = typed.value
      line.unit = typed.unit ?? line.unit
    case .unit: line.unit = unit(cell.filled)
    case .price:
      let money = money(cell.filled)
      line.price = money?.amount
      if let money { check(money, currency, at: cell) }
    case .expiry: line.expiry = day(cell.filled)
    case .location: line.locationID = location(cell.text)
    case .lot: line.lotCode = cell.filled?.text
    default: break
    }
  }

  /// Notes a mistake if a sum is not in a receipt's currency.
  private mutating func check(_ money: TypedMoney, _ code: String?, at cell: ImportCell) {
    guard let own = money.currency, let code, own != code else { return }
    note(.currencies(own, code), at: cell.offset)
  }

  /// Notes a mistake if the line's unit does not convert to its item's.
  private mutating func check(_ line: ReceiptLine, _ row: ImportRow) {
    guard let item = line.itemID.flatMap({ edit.after[.stockItem, $0] }), let unit = line.unit,
      !unit.converts(to: item.unit)
    else { return }
    note(.rule(.unitsDoNotConvert(of: item.title, unit, item.unit)), row, at: .unit)
  }
}

/// Receipts that are new.
extension CSVImporter {
  private mutating func makeReceipt(_ rows: [ImportRow]) {
    let first = rows[0]
    for field in [FieldName.shopName, .timestamp] { needed(field, first, at: field) }
    let paid = moment(first.cell(.timestamp))
    let total = rows.lazy.compactMap { $0.cell(.amount) }.first
    let amount = money(total)
    let code = currency(first.cell(.currency))
    var purchase = Edit.Purchase(shop: first.text(.shopName).map { spelling($0) } ?? "")
    let id = writer(of: .receipt, first).newID()
    purchase.id = id
    purchase.timestamp = paid
    purchase.amount = amount?.amount
    purchase.currency =
      code ?? amount?.currency ?? currency(ofPricesIn: rows) ?? survey.household.own?.currency
    if let amount, let total { check(amount, purchase.currency, at: total) }
    for row in rows where needed(.itemName, row, at: .itemName) != nil {
      let lineID = Identifier.derived(from: id, String(row.offset))
      let line = newLine(row, purchase.currency, paid: paid, id: lineID)
      if let line { purchase.lines.append(line) }
    }
    guard let paid, isSound else { return }
    guard !isKnown(purchase, paid, first) else {
      report.known += 1
      return
    }
    keepNewThings(of: &purchase.lines, Set(purchase.lines.map(\.id)), first)
    let saved = obey(tried(try edit.saveInPlace(purchase, by: writer)), first)
    guard let saved else { return }
    receipts.taken.append(saved.key)
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
    let written = row.text(.timestamp).map { dates.sorted($0) }
    let isDay = written.map { (try? survey.calendar.day(reading: $0)) != nil } ?? false
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

  private func head(
    _ shop: String, _ paid: Instant, _ amount: Number?, _ currency: String?
  ) -> String {
    look(shop, survey.calendar.day(of: paid).description, amount, currency, [])
  }

  /// Returns a new line; nil, with a mistake, if it can't be read.
  ///
  /// Its item is the one with the row's item id or full name. An item's last count includes all
  /// that was paid before it. A line that names its item by name alone and was paid before that
  /// count gets no item.
  private mutating func newLine(
    _ row: ImportRow, _ currency: String?, paid: Instant?, id: String? = nil
  ) -> ReceiptLine? {
    let before = mistakes.count
    let name = row.text(.itemName) ?? ""
    let item = names[.stockItem, name]
    let isInCount = item.map { key in paid.map { $0 < lastCount(of: key) } ?? false } ?? false
    if isInCount, row.text(.itemID) == nil { report.inCounts += 1 }
    var line = ReceiptLine(
      id: id ?? writer.newID(), itemName: name, quantity: Number(1), unit: nil,
      itemID: isInCount ? nil : item?.id)
    for field in [FieldName.itemID, .unit, .quantity, .price, .expiry, .location, .lot] {
      if let cell = row.cell(field) { write(cell, to: &line, row, currency) }
    }
    guard mistakes.count == before else { return nil }
    line = edit.after.counted(line)
    check(line, row)
    return line
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
}

extension ReceiptLine {
  /// Whether another line has the same name, quantity and price.
  fileprivate func isSame(as other: ReceiptLine) -> Bool {
    fold(itemName) == fold(other.itemName) && quantity == other.quantity && price == other.price
  }
}
