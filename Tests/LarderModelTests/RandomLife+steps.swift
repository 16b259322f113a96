import LarderJSON
import LarderModel
import TestSupport

/// What people do, drawn at random from what the model has.
extension RandomLife {
  typealias Answer = NaiveStock.Answer

  mutating func act() throws {
    switch random.pick(habits) ?? random.number(0...99) {
    case 0..<8: try addLoose()
    case 8..<25: try addBatch()
    case 25..<36: try takeFromItem()
    case 36..<43: try takeFromLot()
    case 43..<47: try takeFromBatch()
    case 47..<52: try takeOfProduct()
    case 52..<55: try count()
    case 55..<59: try countLot()
    case 59..<61: try countBatch()
    case 61..<68: try move()
    case 68..<70: try moveLoose()
    case 70..<76: try open()
    case 76..<79: try openLoose()
    case 79..<82: try date()
    case 82..<84: try discard()
    case 84..<86: try restore()
    case 86..<91: try saveReceipt()
    case 91..<95: try correctReceipt()
    default: try voidReceipt()
    }
  }

  private mutating func addLoose() throws {
    let item = anyItem()
    let amount = amount(item.unit)
    let request = anyRequest()
    try perform("add \(amount) to \(item.id)\(words(request))") { edit, writer in
      Answer(
        try edit.add(amount.quantity, to: try edit.after.entity(item), request: request, by: writer)
      )
    } _: { model, _ in
      model.serve(request) { $0.add(amount, to: item) }
    }
  }

  private mutating func addBatch() throws {
    let products =
      ["ean_1", "ean_2", "ean_4", "ean_5"] + model.items.map(\.id) + model.items.map(\.id)
    let product = one(of: products)
    var like = NaiveStock.Pile(
      id: "", product: product, unit: model.item(of: product)?.unit ?? one(of: [.gram, .kilogram]))
    let amount = amount(like.unit)
    like = NaiveStock.Pile(id: "", product: product, unit: amount.unit)
    (like.expiry, like.place, like.lot) = (anyDay(), anyPlace(), anyLot())
    like.opened = random.happens(20) ? anyMoment() : nil
    let (isStrict, request) = (random.happens(30), anyRequest())
    let details = BatchDetails(like)
    try perform("add \(amount) as \(like)\(isStrict ? " strictly" : "")\(words(request))") {
      edit, writer in
      Answer(
        try edit.add(amount.quantity, details, strict: isStrict, request: request, by: writer))
    } _: { [like] model, new in
      model.serve(request) { $0.add(amount, like, isStrict: isStrict, new) }
    }
  }

  private mutating func takeFromItem() throws {
    let item = anyItem()
    let amount = amount(item.unit, like: model.total(of: item))
    let (partially, archiving, request) = taking()
    let why = random.happens(20) ? LedgerEntry.Reason.spoil : .consume
    try perform("\(why) \(amount) of \(item.id)\(words(request, partially, archiving))") {
      edit, writer in
      let change = try edit.take(
        amount.quantity, from: try edit.after.entity(item), partially: partially, why: why,
        request: request, by: writer)
      if archiving { edit.archiveConsumed(now: writer.now) }
      return Answer(change)
    } _: { model, _ in
      model.serve(request) {
        $0.take(amount, from: item, partially: partially, archiving: archiving)
      }
    }
  }

  private mutating func takeFromLot() throws {
    guard let batch = anyBatch(), let item = model.item(of: model.piles[batch].product) else {
      return
    }
    let amount = amount(model.piles[batch].unit, like: model.piles[batch].rest)
    let (partially, archiving, request) = taking()
    let lot = random.happens(70) ? model.lot(of: batch) : [batch]
    let ids = lot.map { model.piles[$0].id }
    try perform("take \(amount) of \(ids)\(words(request, partially, archiving))") {
      edit, writer in
      let change = try edit.take(
        amount.quantity, from: try edit.after.entity(item),
        lot: try edit.after.lot(ids), partially: partially, request: request, by: writer)
      if archiving { edit.archiveConsumed(now: writer.now) }
      return Answer(change)
    } _: { model, _ in
      model.serve(request) {
        $0.take(amount, fromLot: lot, of: item, partially: partially, archiving: archiving)
      }
    }
  }

  private mutating func takeFromBatch() throws {
    guard let batch = anyBatch() else { return }
    let id = model.piles[batch].id
    let amount = amount(model.piles[batch].unit, like: model.piles[batch].rest)
    let (partially, archiving, request) = taking()
    try perform("take \(amount) of \(id) alone\(words(request, partially, archiving))") {
      edit, writer in
      let change = try edit.take(
        amount.quantity, fromBatch: try edit.after.batch(id), partially: partially,
        request: request, by: writer)
      if archiving { edit.archiveConsumed(now: writer.now) }
      return Answer(change)
    } _: { model, _ in
      model.serve(request) {
        $0.take(amount, fromBatch: batch, partially: partially, archiving: archiving)
      }
    }
  }

  private mutating func takeOfProduct() throws {
    let product = one(of: ["ean_1", "ean_1", "ean_2", "ean_4", "ean_5", uuid(101)])
    let amount = amount(
      model.item(of: product)?.unit ?? .gram, like: model.total(ofProduct: product))
    let (partially, archiving, request) = taking()
    try perform("take \(amount) of product \(product)\(words(request, partially, archiving))") {
      edit, writer in
      let change = try edit.take(
        amount.quantity, ofProduct: product, partially: partially, request: request, by: writer)
      if archiving { edit.archiveConsumed(now: writer.now) }
      return Answer(change)
    } _: { model, _ in
      model.serve(request) {
        $0.take(amount, ofProduct: product, partially: partially, archiving: archiving)
      }
    }
  }

  private mutating func count() throws {
    let item = anyItem()
    let amount = amount(item.unit, like: model.total(of: item), canBeZero: true)
    try perform("count \(amount) of \(item.id)") { edit, writer in
      Answer(try edit.count(amount.quantity, of: try edit.after.entity(item), by: writer))
    } _: { model, _ in
      model.count(amount, of: item, lot: nil)
    }
  }

  private mutating func countLot() throws {
    guard let batch = anyBatch(), let item = model.item(of: model.piles[batch].product) else {
      return
    }
    let amount = amount(model.piles[batch].unit, canBeZero: true)
    let lot = random.happens(70) ? model.lot(of: batch) : [batch]
    let ids = lot.map { model.piles[$0].id }
    try perform("count \(amount) of \(ids)") { edit, writer in
      Answer(
        try edit.count(
          amount.quantity, of: try edit.after.entity(item),
          lot: try edit.after.lot(ids), by: writer))
    } _: { model, _ in
      model.count(amount, of: item, lot: lot)
    }
  }
}

extension RandomLife {
  private mutating func countBatch() throws {
    guard let batch = anyBatch() else { return }
    let id = model.piles[batch].id
    let amount = amount(model.piles[batch].unit, canBeZero: true)
    try perform("count \(amount) of \(id) alone") { edit, writer in
      try edit.count(amount.quantity, ofBatch: try edit.after.batch(id), by: writer)
      return Answer()
    } _: { model, _ in
      model.count(amount, ofBatch: batch)
    }
  }

  private mutating func moveLoose() throws {
    let item = anyItem()
    let amount = amount(item.unit, like: model.index(item.id).map { model.piles[$0].rest })
    let place = uuid(random.number(300...301))
    try perform("move \(amount) of what lies loose of \(item.id) to \(place)") { edit, writer in
      let target = try edit.moveLoose(
        amount.quantity, of: try edit.after.entity(item), to: place, by: writer)
      return Answer(target: target.id)
    } _: { model, new in
      model.moveLoose(amount, of: item, to: place, new)
    }
  }

  private mutating func restore() throws {
    let all = model.piles.indices.filter { !model.piles[$0].isLoose && !model.piles[$0].isActive }
    guard let batch = random.pick(all) else { return }
    let id = model.piles[batch].id
    try perform("restore \(id)") { edit, writer in
      try edit.restore(try edit.after.batch(id), by: writer)
      return Answer()
    } _: { model, _ in
      model.restore(batch)
    }
  }

  private mutating func move() throws {
    guard let batch = anyBatch() else { return }
    let id = model.piles[batch].id
    let (amount, version) = (part(of: batch), version(of: batch))
    let place = random.happens(5) ? uuid(random.number(302...304)) : uuid(random.number(300...301))
    try perform("move \(words(amount)) of \(id) to \(place)\(words(version))") {
      edit, writer in
      let target = try edit.move(
        try edit.after.batch(id), to: place, quantity: amount?.quantity,
        unchangedSince: version?.instant, by: writer)
      return Answer(target: target.id)
    } _: { model, new in
      model.move(batch, to: place, amount, isStale: version?.isStale ?? false, new)
    }
  }

  private mutating func open() throws {
    guard let batch = anyBatch() else { return }
    let id = model.piles[batch].id
    let (amount, version) = (part(of: batch), version(of: batch))
    let (moment, isStrict) = (anyMoment(), random.happens(30))
    try perform(
      "open \(words(amount)) of \(id) at \(moment)\(isStrict ? " strictly" : "")\(words(version))"
    ) { edit, writer in
      let opening = try edit.open(
        try edit.after.batch(id), quantity: amount?.quantity,
        at: Instant(milliseconds: moment), strict: isStrict, unchangedSince: version?.instant,
        by: writer)
      return Answer(target: opening.batch.id, warnings: opening.warnings.count)
    } _: { model, new in
      model.open(
        batch, amount, at: moment, isStrict: isStrict, isStale: version?.isStale ?? false, new)
    }
  }

  private mutating func openLoose() throws {
    let item = anyItem()
    let amount = amount(item.unit, like: model.index(item.id).map { model.piles[$0].rest })
    let moment = anyMoment()
    try perform("open \(amount) of what lies loose of \(item.id) at \(moment)") { edit, writer in
      let opening = try edit.openLoose(
        amount.quantity, of: try edit.after.entity(item), at: Instant(milliseconds: moment),
        by: writer)
      return Answer(target: opening.batch.id)
    } _: { model, new in
      model.openLoose(amount, of: item, at: moment, new)
    }
  }

  private mutating func date() throws {
    guard let batch = anyBatch() else { return }
    let id = model.piles[batch].id
    let version = version(of: batch)
    let expiry: Int?? = random.happens(70) ? .some(anyDay()) : nil
    let opened: Int64?? = random.happens(30) ? .some(random.happens(50) ? anyMoment() : nil) : nil
    let isStrict = random.happens(30)
    try perform(
      "date \(id): \(String(describing: expiry)) \(String(describing: opened))"
    ) { edit, writer in
      let warnings = try edit.date(
        try edit.after.batch(id),
        expiry: DateUpdate(expiry) { ExpiryInfo(.expiry, Day(daysSinceEpoch: $0)) },
        opened: DateUpdate(opened) { OpenedInfo(.opened, Instant(milliseconds: $0)) },
        strict: isStrict, unchangedSince: version?.instant, by: writer)
      return Answer(warnings: warnings.count)
    } _: { model, _ in
      model.date(
        batch, expiry: expiry, opened: opened, isStrict: isStrict,
        isStale: version?.isStale ?? false)
    }
  }

  private mutating func discard() throws {
    guard let batch = anyBatch() else { return }
    let id = model.piles[batch].id
    let version = version(of: batch)
    try perform("discard \(id)\(words(version))") { edit, writer in
      try edit.discard(
        try edit.after.batch(id), unchangedSince: version?.instant, by: writer)
      return Answer()
    } _: { model, _ in
      model.discard(batch, isStale: version?.isStale ?? false)
    }
  }
}

extension RandomLife {
  private mutating func saveReceipt() throws {
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

  private mutating func correctReceipt() throws {
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

  private mutating func voidReceipt() throws {
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
    _ id: String, _ fields: [(name: String, value: JSON?)], by writer: Writer
  ) throws {
    let key = EntityKey(.receipt, id)
    guard let old = after[key] else { throw RandomLife.Mismatch("no receipt \(id)") }
    write(fields, to: key, now: writer.now)
    guard let new = after[key], new != old else { return }
    replenish(from: old, to: new, at: writer.now, device: writer.device)
  }
}

extension Household {
  fileprivate func entity(_ item: NaiveStock.Item) throws -> Entity {
    guard let entity = self[.stockItem, item.id] else { throw RandomLife.Mismatch("no \(item.id)") }
    return entity
  }

  fileprivate func batch(_ id: String) throws -> Entity {
    guard let batch = self[.inventoryItem, id] else { throw RandomLife.Mismatch("no \(id)") }
    return batch
  }

  /// The lot of these batches, as the household groups them; a single one is taken as it is.
  fileprivate func lot(_ ids: [String]) throws -> Lot {
    let first = try batch(ids[0])
    guard ids.count > 1, let item = Stock(self).item(of: first) else { return Lot(first) }
    let lots = Lot.grouped(Stock.firstExpiredFirst(Stock(self).batches(of: item)))
    guard let lot = lots.first(where: { $0.batches.map(\.id) == ids }) else {
      throw RandomLife.Mismatch("other lots: \(lots.map { $0.batches.map(\.id) })")
    }
    return lot
  }
}

extension BatchDetails {
  fileprivate init(_ pile: NaiveStock.Pile) {
    self.init(productID: pile.product)
    expiry = pile.expiry.map { ExpiryInfo(.bestBefore, Day(daysSinceEpoch: $0)) }
    opened = pile.opened.map { OpenedInfo(.opened, Instant(milliseconds: $0)) }
    locationID = pile.place
    lotCode = pile.lot
  }
}

extension DateUpdate {
  fileprivate init<Value>(_ date: Value??, _ info: (Value) -> DateInfo<Date>) {
    switch date {
    case .none: self = .keep
    case .some(.none): self = .remove
    case .some(.some(let date)): self = .set(info(date))
    }
  }
}
