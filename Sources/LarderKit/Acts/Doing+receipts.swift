internal import LarderJSON
internal import LarderModel
internal import LarderText

/// Receipts: what was bought, corrected and taken back.
extension Doing {
  func buy(_ bought: Deed.Bought, _ change: inout Change) throws -> EntityKey {
    if let receipt = bought.joins { return try join(bought, to: receipt, &change) }
    let entries = try bought.entries.map { try find(.shoppingListEntry, $0, change) }
    try refuseSaved(entries, change)
    var basket = Basket(entries, change.survey, change.writer)
    for line in bought.lines {
      basket.add(try self.line(line, id: change.writer.newID(), change))
    }
    var purchase = Edit.Purchase(shop: bought.shop)
    purchase.amount = bought.amount
    let isPriced = bought.amount != nil || bought.lines.contains { $0.price != nil }
    purchase.currency = bought.currency ?? (isPriced ? change.edit.after.own?.currency : nil)
    purchase.timestamp = bought.timestamp
    purchase.guessed = bought.guessed
    if entries.isEmpty { purchase.id = act.id }
    let receipt = try basket.save(purchase, in: &change.edit)
    change.subject = "save a receipt of \(receipt.title)"
    return receipt.key
  }

  func line(_ line: Deed.Line, id: String, _ change: Change) throws -> ReceiptLine {
    let (name, item, unit): (String, String?, Unit)
    var listed: Quantity?
    switch line.subject {
    case .entry(let id):
      let entry = try find(.shoppingListEntry, id, change)
      (name, item, unit) = (change.edit.title(of: entry), entry.itemID, entry.unit)
      listed = entry.desired
    case .item(let id):
      let found = try find(.stockItem, id, change)
      (name, item, unit) = (found.title, found.id, found.unit)
    case .name(let words):
      let found = change.survey.naming.named(words, .stockItem)
      (name, item, unit) = (found?.title ?? words, found?.id, found?.unit ?? .piece)
    }
    var quantity = line.amount?.quantity(in: unit) ?? listed ?? Quantity(Number(1), unit)
    guard quantity.value > .zero else { throw RuleError.lineOfNothing(name) }
    if let item = item.flatMap({ change.edit.after[.stockItem, $0] }) {
      quantity = try change.survey.content(of: quantity, as: item)
    }
    var made = ReceiptLine(
      id: id, itemName: name, quantity: quantity.value, unit: quantity.unit, itemID: item)
    made.price = line.price
    made.expiry = line.expiry
    made.locationID = line.location
    return made
  }

  func correct(
    _ id: String, _ correction: Deed.Correction, _ change: inout Change
  ) throws {
    let receipt = Receipt(entity: try find(.receipt, id, change))
    guard !receipt.entity.isTombstone else { throw RuleError.receiptIsVoid(id: receipt.id) }
    var lines = receipt.lines
    let place = { (lines: [ReceiptLine], id: String) throws(RuleError) in
      guard let place = lines.firstIndex(where: { $0.id == id }) else {
        throw .notOnReceipt(id, shop: receipt.shop)
      }
      return place
    }
    for line in correction.lines {
      // A phone without a connection knows what was bought, and not yet the ids of its lines.
      let named = lines.indices.filter { lines[$0].itemID == line.id }
      for index in named.isEmpty ? [try place(lines, line.id)] : named {
        lines[index].write(line.fields)
      }
    }
    if let removed = correction.removed { lines.remove(at: try place(lines, removed)) }
    if let added = correction.added {
      if lines.contains(where: { $0.id == act.id }) { throw ActError.takenID(receipt.shop) }
      lines.append(try line(added, id: act.id, change))
    }
    var fields = correction.fields
    if lines != receipt.lines { fields.append((.items, .array(lines.map(\.json)))) }
    change.edit.correct(receipt.key, fields, by: change.writer)
    change.subject = "edit a receipt of \(receipt.shop)"
  }

  func mark(receipt id: String, isVoid: Bool, _ change: inout Change) throws {
    let receipt = Receipt(entity: try find(.receipt, id, change))
    if isVoid {
      change.edit.void(receipt, by: change.writer)
    } else {
      change.edit.restore(receipt, by: change.writer)
    }
    change.subject = "\(isVoid ? "void" : "restore") a receipt of \(receipt.shop)"
  }
}

extension ReceiptLine {
  /// Writes fields by their names; without a value to remove.
  fileprivate mutating func write(_ fields: [FieldValue]) {
    for (name, value) in fields {
      switch name {
      case .quantity: quantity = value?.number.flatMap { Number($0) } ?? quantity
      case .unit: unit = value?.string.flatMap { Unit(rawValue: $0) }
      case .price: price = value?.number.flatMap { Number($0) }
      case .expiry: expiry = value?.string.flatMap { Day($0) }
      case .location: locationID = value?.string
      default: break
      }
    }
  }
}
