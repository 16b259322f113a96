import LarderJSON
import LarderModel
import TestSupport

/// What people do, drawn at random from what the model has.
extension RandomLife {
  typealias Answer = NaiveStock.Answer

  mutating func act() throws {
    if random.happens(5), !asked.isEmpty {
      let again = one(of: asked)
      return try again(&self)
    }
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
    try perform("add \(amount) to \(item.id)\(words(request))", request: request) { edit, writer in
      Answer(
        try edit.add(amount.quantity, to: try edit.after.entity(item), request: request, by: writer)
      )
    } _: { model, _ in
      model.serve(request, "add", amount, model.isOf(item.id)) { $0.add(amount, to: item) }
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
    try perform(
      "add \(amount) as \(like)\(isStrict ? " strictly" : "")\(words(request))", request: request
    ) {
      edit, writer in
      Answer(
        try edit.add(amount.quantity, details, strict: isStrict, request: request, by: writer))
    } _: { [like] model, new in
      model.serve(request, "add", amount, model.isOf(like.product, batchesOnly: true)) {
        $0.add(amount, like, isStrict: isStrict, new)
      }
    }
  }

  private mutating func takeFromItem() throws {
    let item = anyItem()
    let amount = amount(item.unit, like: model.total(of: item))
    let (partially, archiving, request) = taking()
    let why = random.happens(20) ? LedgerEntry.Reason.spoil : .consume
    try perform(
      "\(why) \(amount) of \(item.id)\(words(request, partially, archiving))", request: request
    ) {
      edit, writer in
      let change = try edit.take(
        amount.quantity, from: try edit.after.entity(item), partially: partially, why: why,
        request: request, by: writer)
      if archiving { edit.archiveConsumed(now: writer.now) }
      return Answer(change)
    } _: { model, _ in
      model.serve(request, "\(why)", amount, partially: partially, model.isOf(item.id)) {
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
    try perform("take \(amount) of \(ids)\(words(request, partially, archiving))", request: request)
    {
      edit, writer in
      let change = try edit.take(
        amount.quantity, from: try edit.after.entity(item),
        lot: try edit.after.lot(ids), partially: partially, request: request, by: writer)
      if archiving { edit.archiveConsumed(now: writer.now) }
      return Answer(change)
    } _: { model, _ in
      model.serve(request, "consume", amount, partially: partially) {
        ids.contains($0.id)
      } _: {
        $0.take(amount, fromLot: lot, of: item, partially: partially, archiving: archiving)
      }
    }
  }

  private mutating func takeFromBatch() throws {
    guard let batch = anyBatch() else { return }
    let id = model.piles[batch].id
    let amount = amount(model.piles[batch].unit, like: model.piles[batch].rest)
    let (partially, archiving, request) = taking()
    try perform(
      "take \(amount) of \(id) alone\(words(request, partially, archiving))", request: request
    ) {
      edit, writer in
      let change = try edit.take(
        amount.quantity, fromBatch: try edit.after.batch(id), partially: partially,
        request: request, by: writer)
      if archiving { edit.archiveConsumed(now: writer.now) }
      return Answer(change)
    } _: { model, _ in
      model.serve(request, "consume", amount, partially: partially) {
        $0.id == id
      } _: {
        $0.take(amount, fromBatch: batch, partially: partially, archiving: archiving)
      }
    }
  }

  private mutating func takeOfProduct() throws {
    let product = one(of: ["ean_1", "ean_1", "ean_2", "ean_4", "ean_5", uuid(101)])
    let amount = amount(
      model.item(of: product)?.unit ?? .gram, like: model.total(ofProduct: product))
    let (partially, archiving, request) = taking()
    try perform(
      "take \(amount) of product \(product)\(words(request, partially, archiving))",
      request: request
    ) {
      edit, writer in
      let change = try edit.take(
        amount.quantity, ofProduct: product, partially: partially, request: request, by: writer)
      if archiving { edit.archiveConsumed(now: writer.now) }
      return Answer(change)
    } _: { model, _ in
      let isItem = model.items.contains { $0.id == product }
      let isOf = model.isOf(product, batchesOnly: !isItem)
      return model.serve(request, "consume", amount, partially: partially, isOf) {
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

extension Household {
  func entity(_ item: NaiveStock.Item) throws -> Entity {
    guard let entity = self[.stockItem, item.id] else { throw RandomLife.Mismatch("no \(item.id)") }
    return entity
  }

  func batch(_ id: String) throws -> Entity {
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
    expiry = pile.expiry.map { ExpiryInfo(.expiry, Day(daysSinceEpoch: $0)) }
    opened = pile.opened.map { OpenedInfo(.opened, Instant(milliseconds: $0)) }
    locationID = pile.place
    lotCode = pile.lot
  }
}
