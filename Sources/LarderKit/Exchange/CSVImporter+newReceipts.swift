internal import LarderModel

/// Receipts that are new.
extension CSVImporter {
  mutating func makeReceipt(_ rows: [ImportRow]) throws(RowMistakes) {
    let first = rows[0]
    var mistakes = RowMistakes()
    for field in [FieldName.shopName, .timestamp] where first.text(field) == nil {
      mistakes.note(.needed(field), at: first[field]?.offset ?? first.offset)
    }
    let paid = mistakes.value(try moment(first.cell(.timestamp)))
    let total = rows.lazy.compactMap { $0.cell(.amount) }.first
    let amount = mistakes.value(try money(total))
    let code = mistakes.value(try currency(first.cell(.currency)))
    var purchase = Edit.Purchase(shop: first.text(.shopName).map { spelling($0) } ?? "")
    purchase.id = writer(of: .receipt, first).newID()
    purchase.timestamp = paid
    purchase.amount = amount?.amount
    purchase.currency =
      code ?? amount?.currency ?? currency(ofPricesIn: rows) ?? survey.household.own?.currency
    if let amount, let total {
      mistakes.value(try check(amount, purchase.currency, at: total))
    }
    for row in rows {
      guard row.text(.itemName) != nil else {
        mistakes.note(.needed(.itemName), at: row[.itemName]?.offset ?? row.offset)
        continue
      }
      let id = purchase.id.map { Identifier.derived(from: $0, String(row.offset)) }
      let line = mistakes.value(try newLine(row, purchase.currency, paid: paid, id: id))
      if let line { purchase.lines.append(line) }
    }
    try mistakes.refuse()
    guard let paid else { return }
    guard !isKnown(purchase, paid, first) else {
      report.known += 1
      return
    }
    let ids = Set(purchase.lines.map(\.id))
    try keepNewThings(of: &purchase.lines, ids, first)
    let saved = try obey(first, try edit.saveInPlace(purchase, by: writer))
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
  mutating func newLine(
    _ row: ImportRow, _ currency: String?, paid: Instant?, id: String? = nil
  ) throws(RowMistakes) -> ReceiptLine {
    let name = row.text(.itemName) ?? ""
    let item = names.item(name)
    let isInCount = item.map { key in paid.map { $0 < lastCount(of: key) } ?? false } ?? false
    if isInCount, row.text(.itemID) == nil { report.inCounts += 1 }
    var line = ReceiptLine(
      id: id ?? writer.newID(), itemName: name, quantity: Number(1), unit: nil,
      itemID: isInCount ? nil : item?.id)
    var mistakes = RowMistakes()
    for field in [FieldName.itemID, .unit, .quantity, .price, .expiry, .location, .lot] {
      if let cell = row.cell(field) {
        mistakes.value(try write(cell, to: &line, row, currency))
      }
    }
    try mistakes.refuse()
    line = edit.after.counted(line)
    try check(line, row)
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

  private func head(
    _ shop: String, _ paid: Instant, _ amount: Number?, _ currency: String?
  ) -> String {
    look(shop, survey.calendar.day(of: paid).description, amount, currency, [])
  }
}
