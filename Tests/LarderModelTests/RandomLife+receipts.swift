import LarderJSON
import LarderModel
import TestSupport

/// Receipts that are saved, corrected, voided and restored.
extension RandomLife {
  mutating func saveReceipt() throws {
    let id = uuid(500 + random.number(0...1))
    var lines: [ReceiptLine] = []
    for number in 0..<random.number(0...3) { lines.append(line(id, number)) }
    try perform("save receipt \(id.suffix(3)): \(words(lines))") { [lines] edit, writer in
      var purchase = Edit.Purchase(shop: "Shop")
      (purchase.id, purchase.lines) = (id, lines)
      _ = try edit.save(purchase, by: writer)
      return Answer()
    } _: { [lines] model, new in
      model.save(id, lines, new)
    }
  }

  mutating func correctReceipt() throws {
    guard let id = random.pick(model.receipts.keys.sorted()), let old = model.receipts[id] else {
      return
    }
    var lines = old.lines
    let index = lines.isEmpty ? nil : random.number(0...lines.count - 1)
    switch (random.number(0...4), index) {
    case (0, let index?): lines.remove(at: index)
    case (1, let index?), (2, let index?): lines[index] = line(like: lines[index])
    case (3, _):
      // One that was taken off may be put back.
      let number = random.number(0...4)
      let line = line(id, number)
      if !lines.contains(where: { $0.id == line.id }) { lines.append(line) }
    case (_, let index?):
      let other = line(like: lines[index])
      guard other.itemID == lines[index].itemID else { return }
      (lines[index].quantity, lines[index].unit) = (other.quantity, other.unit)
    default: break
    }
    guard lines != old.lines else { return }
    try perform("correct receipt \(id.suffix(3)): \(words(lines))") { [lines] edit, writer in
      try edit.rewrite(id, [("items", .array(lines.map(\.json)))], by: writer)
      return Answer()
    } _: { [lines] model, new in
      model.correct(id, lines, new)
      return .done(Answer())
    }
  }

  mutating func voidReceipt() throws {
    guard let id = random.pick(model.receipts.keys.sorted()), let old = model.receipts[id] else {
      return
    }
    try perform("\(old.isVoid ? "restore" : "void") receipt \(id.suffix(3))") { edit, writer in
      try edit.rewrite(id, [("isDeleted", .bool(!old.isVoid))], by: writer)
      return Answer()
    } _: { model, new in
      if old.isVoid { model.restore(id, new) } else { model.void(id) }
      return .done(Answer())
    }
  }

  private mutating func line(_ receipt: String, _ number: Int) -> ReceiptLine {
    line(
      like: ReceiptLine(
        id: uuid(60_000 + (Int(receipt.suffix(3)) ?? 0) * 10 + number), itemName: "Thing",
        quantity: .zero, unit: nil, itemID: random.happens(95) ? anyItem().id : nil))
  }

  /// A line with another quantity, and mostly for the same item.
  private mutating func line(like old: ReceiptLine) -> ReceiptLine {
    var line = old
    let item = random.happens(20) ? anyItem() : model.items.first { $0.id == old.itemID }
    line.itemID = item?.id
    let unit = item?.unit ?? .piece
    var amount = amount(unit)
    while !convert(amount.unit, unit) || amount.grains < 0 { amount = self.amount(unit) }
    line.quantity = amount.quantity.value
    line.unit = amount.unit == unit && random.happens(50) ? nil : amount.unit
    if random.happens(40) { line.expiry = anyDay().map { Day(daysSinceEpoch: $0) } }
    if random.happens(40) { line.locationID = anyPlace() }
    if random.happens(30) { line.lotCode = anyLot() }
    return line
  }
}

extension Edit {
  fileprivate mutating func rewrite(
    _ id: String, _ fields: [FieldValue], by writer: Writer
  ) throws {
    let key = EntityKey(.receipt, id)
    guard let old = after[key] else { throw RandomLife.Mismatch("no receipt \(id)") }
    write(fields, to: key, now: writer.now)
    guard let new = after[key], new != old else { return }
    replenish(from: old, to: new, at: writer.now, device: writer.device)
  }
}
