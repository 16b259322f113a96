import LarderJSON
import LarderModel
import TestSupport

/// What people buy, and when it gets into the books.
extension World {
  /// One or two things, saved at once or later.
  mutating func buy(_ device: Int) throws {
    var parts: [Purchase.Part] = []
    for _ in 0..<random.number(1...2) {
      let item = try anyItem(device)
      guard let amount = amount(item), !parts.contains(where: { $0.item == item.id }) else {
        continue
      }
      var line = ReceiptLine(
        id: ids.next(), itemName: item.title, quantity: amount.quantity.value, unit: amount.unit,
        itemID: item.id)
      if random.happens(50) { line.expiry = anyDay() }
      if random.happens(30) { line.locationID = uuid(random.number(300...301)) }
      parts.append(part(of: item.id, amount.grains, line))
    }
    purchases.append(Purchase(at: time, parts: parts))
    if random.happens(50) { try save(purchases.count - 1, on: device) }
  }

  /// Something on the list goes into the basket.
  mutating func tickOff(_ device: Int) throws {
    let open = devices[device].household.all(.shoppingListEntry).filter { entry in
      !entry.isTombstone && !entry.isCompleted && entry.itemID.map(items.contains) ?? false
        && !purchases.contains { $0.basket?.entry == entry.key && $0.savings.count < 2 }
    }
    guard let entry = random.pick(open.sorted { $0.id < $1.id }), let item = entry.itemID,
      entry.desired.value > .zero
    else { return }
    try perform(device, "tick off", entry.title) { edit, writer in
      edit.write([("isCompleted", .bool(true))], to: entry.key, now: writer.now)
    }
    guard let ticked = devices[device].household[entry.key]?.register("isCompleted")?.stamp else {
      return
    }
    var line = ReceiptLine(
      id: Identifier.derived(from: "line", entry.id, ticked.description), itemName: entry.title,
      quantity: entry.desired.value, unit: entry.unit, itemID: item)
    if random.happens(30) { line.expiry = anyDay() }
    let part = part(of: item, NaiveStock.grains(entry.desired), line)
    purchases.append(Purchase(at: time, parts: [part], basket: (entry.key, ticked)))
  }

  private mutating func part(
    of item: String, _ grains: Int, _ line: ReceiptLine
  ) -> Purchase.Part {
    let lot = Identifier.derived(from: "batch", line.id, item)
    truth.put(grains, of: item, into: lot)
    journal.append("\(time) bought: \(line.quantity) \(line.unit ?? .piece) of \(line.itemName)")
    done["buy", default: 0] += 1
    return Purchase.Part(item: item, grains: grains, line: line, lot: lot)
  }

  /// A purchase that is not saved yet, or whose basket another one saved without this device's knowing.
  mutating func saveSomething(_ device: Int) throws {
    let open = purchases.indices.filter { index in
      let purchase = purchases[index]
      return purchase.savings.isEmpty
        || purchase.basket != nil && purchase.savings.count < 2
          && devices[device].known.isDisjoint(with: purchase.savings)
    }
    if let index = random.pick(open) { try save(index, on: device) }
  }

  /// Saves a purchase with the time when it was paid, sometimes with a wrong amount.
  ///
  /// What is in no basket any more is saved without it, `atLast`.
  mutating func save(_ index: Int, on device: Int, atLast: Bool = false) throws {
    let purchase = purchases[index]
    var lines = purchase.parts.map(\.line)
    var bought = Edit.Purchase(shop: "Shop")
    bought.timestamp = purchase.at
    if let basket = purchase.basket {
      if let entry = devices[device].household[basket.entry], !entry.isTombstone,
        entry.isCompleted, entry.register("isCompleted")?.stamp == basket.ticked
      {
        bought.entries = [entry]
        // One says when it keeps, the other does not.
        if random.happens(50) { lines[0].expiry = nil }
      } else if !atLast || !purchase.savings.isEmpty {
        return
      }
    }
    let isWrong = bought.entries.isEmpty && !lines.isEmpty && random.happens(25)
    if isWrong {
      lines[0].quantity = Number(random.number(0...3))
      done["save wrongly", default: 0] += 1
    }
    bought.lines = lines
    var receipt: Entity?
    let words = lines.map { "\($0.quantity) \($0.unit ?? .piece) \($0.itemName)" }
    guard
      let saved = try perform(
        device, bought.entries.isEmpty ? "save" : "save basket", "\(words) paid \(purchase.at)",
        { edit, writer in receipt = try edit.save(bought, by: writer) })
    else { return }
    purchases[index].savings.append(saved.act)
    placeLots(of: purchase, device)
    guard isWrong, let receipt else { return }
    var right = receipt.lines
    right[0].quantity = purchase.parts[0].line.quantity
    slips.append(
      Slip(
        words: "the receipt", act: saved.act, item: purchase.parts[0].item,
        repair: .correct(receipt: receipt.id, from: receipt.lines, to: right), mayBeTwice: true))
  }

  /// What was put to no batch of its own lies loose.
  private mutating func placeLots(of purchase: Purchase, _ device: Int) {
    for part in purchase.parts where devices[device].household[.inventoryItem, part.lot] == nil {
      let rest = truth.rest(of: part.item, in: part.lot)
      truth.move(rest, of: part.item, from: part.lot, to: part.item)
    }
  }
}
