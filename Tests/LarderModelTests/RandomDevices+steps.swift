import LarderJSON
import LarderModel
import TestSupport

/// What people do on one of the devices, drawn at random from what is there.
extension RandomDevices {
  mutating func act(_ device: Int) throws {
    switch random.pick(habits) ?? random.number(0...99) {
    case 0..<20: try request(device)
    case 20..<28: try addBatch(device)
    case 28..<38: try take(device)
    case 38..<45: try takeFromLot(device)
    case 45..<57: try move(device)
    case 57..<64: try open(device)
    case 64..<67: try openLoose(device)
    case 67..<71: try discardOrDate(device)
    case 71..<82: try saveReceipt(device)
    case 82..<88 where !isPlain: try count(device)
    case 88..<96 where !isPlain: try correctReceipt(device)
    default:
      if isPlain { try putIntoBasket(device) } else { try undoEntry(device) }
    }
  }

  /// One of few requests, which another device may have served, or this one.
  private mutating func request(_ device: Int) throws {
    let name = "request-\(random.number(0...3))"
    let item = anyItem(device)
    let product = random.happens(50) ? item.id : item.productIDs[0]
    let amount = amount(item.unit)
    let drawn: Request =
      switch random.number(0...3) {
      case 0: .add(amount, item: item.id)
      case 1: .addBatch(amount, details(product))
      case 2: .take(amount, item: item.id)
      default: .takeProduct(amount, item.productIDs[0])
      }
    let request = requests[name] ?? drawn
    requests[name] = request
    var change: QuantityChange?
    try perform(device, "\(name): \(request)") { edit, writer in
      change =
        switch request {
        case .add(let amount, let id):
          try edit.add(amount.quantity, to: edit.after.item(id), request: name, by: writer)
        case .addBatch(let amount, let details):
          try edit.add(amount.quantity, details, request: name, by: writer)
        case .take(let amount, let id):
          try edit.take(
            amount.quantity, from: edit.after.item(id), partially: true, request: name, by: writer)
        case .takeProduct(let amount, let product):
          try edit.take(
            amount.quantity, ofProduct: product, partially: true, request: name, by: writer)
        }
    }
    guard let change, !change.isRepeated else { return }
    let isTaking =
      switch request {
      case .add, .addBatch: false
      case .take, .takeProduct: true
      }
    note(change, name, isTaking: isTaking)
  }

  private mutating func addBatch(_ device: Int) throws {
    let item = anyItem(device)
    let (amount, details) = (
      amount(item.unit), details(random.happens(50) ? item.id : item.productIDs[0])
    )
    var change: QuantityChange?
    try perform(device, "add \(amount) as \(details.productID)") { edit, writer in
      change = try edit.add(amount.quantity, details, by: writer)
    }
    if let change { note(change, isTaking: false) }
  }

  private mutating func take(_ device: Int) throws {
    let item = anyItem(device)
    let amount = amount(item.unit)
    let isArchiving = random.happens(20)
    let why = random.happens(20) ? LedgerEntry.Reason.spoil : .consume
    var change: QuantityChange?
    try perform(device, "\(why) \(amount) of \(item.title)") { edit, writer in
      change = try edit.take(amount.quantity, from: item, partially: true, why: why, by: writer)
      if isArchiving { edit.archiveConsumed(now: writer.now) }
    }
    if let change { note(change, isTaking: true) }
  }

  private mutating func takeFromLot(_ device: Int) throws {
    guard let (item, lot) = anyLot(device) else { return }
    let amount = amount(item.unit)
    var change: QuantityChange?
    try perform(device, "take \(amount) of \(lot.batches.map(\.id))") { edit, writer in
      change = try edit.take(amount.quantity, from: item, lot: lot, partially: true, by: writer)
    }
    if let change { note(change, isTaking: true) }
  }

  private mutating func move(_ device: Int) throws {
    guard let (item, lot) = anyLot(device) else { return }
    let (batch, amount) = (lot.first, random.happens(40) ? nil : amount(item.unit))
    let place = uuid(random.number(300...301))
    try perform(device, "move \(amount.map { "\($0)" } ?? "all") of \(batch.id) to \(place)") {
      edit, writer in
      _ = try edit.move(batch, to: place, quantity: amount?.quantity, by: writer)
    }
  }

  private mutating func open(_ device: Int) throws {
    guard let (item, lot) = anyLot(device) else { return }
    let (batch, amount) = (lot.first, random.happens(40) ? nil : amount(item.unit))
    let moment = Instant(milliseconds: RandomLife.start + Int64(random.number(0...1)))
    try perform(device, "open \(amount.map { "\($0)" } ?? "all") of \(batch.id)") { edit, writer in
      _ = try edit.open(batch, quantity: amount?.quantity, at: moment, by: writer)
    }
  }

  private mutating func openLoose(_ device: Int) throws {
    let item = anyItem(device)
    let amount = amount(item.unit)
    try perform(device, "open \(amount) of what lies loose of \(item.title)") { edit, writer in
      _ = try edit.open(item, quantity: amount.quantity, at: writer.now, by: writer)
    }
  }

  private mutating func discardOrDate(_ device: Int) throws {
    guard let (_, lot) = anyLot(device) else { return }
    let day = random.happens(50) ? anyDay() : nil
    try perform(device, "\(day.map { "date to \($0)" } ?? "discard") \(lot.first.id)") {
      edit, writer in
      if let day {
        _ = try edit.date(lot.first, expiry: .set(ExpiryInfo(.expiry, day)), by: writer)
      } else {
        try edit.discard(lot.first, by: writer)
      }
    }
  }

  private mutating func count(_ device: Int) throws {
    let item = anyItem(device)
    let lot = random.happens(60) ? anyLot(device) : nil
    let amount = amount(lot?.item.unit ?? item.unit)
    try perform(device, "count \(amount) of \(lot?.lot.first.id ?? item.id)") { edit, writer in
      _ = try edit.count(amount.quantity, of: lot?.item ?? item, lot: lot?.lot, by: writer)
    }
  }

  private mutating func undoEntry(_ device: Int) throws {
    let all = devices[device].household.entities.filter { entity in
      entity.ledger.entries.contains { entity.ledger.counts($0) }
    }
    guard var holder = random.pick(all.sorted { $0.id < $1.id }),
      let entry = random.pick(holder.ledger.counting)
    else { return }
    try perform(device, "undo \(entry.event) of \(holder.id)") { edit, writer in
      holder.record(
        LedgerEntry(
          id: Identifier.derived(from: "undo", entry.id), at: holder.stamp(now: writer.now),
          .undoes(entry.id), unit: entry.unit, why: .undo, by: writer.device))
      edit.put(holder)
    }
  }
}

// MARK: - Shopping and receipts

extension RandomDevices {
  private mutating func putIntoBasket(_ device: Int) throws {
    let open = devices[device].household.all(.shoppingListEntry)
      .filter { !$0.isTombstone && !$0.isCompleted }
    guard let entry = random.pick(open.sorted { $0.id < $1.id }) else { return }
    try perform(device, "put \(entry.id) into the basket") { edit, writer in
      edit.write([("isCompleted", .bool(true))], to: entry.key, now: writer.now)
    }
  }

  /// What is in the basket, which others may save as well; if nothing is, something else.
  private mutating func saveReceipt(_ device: Int) throws {
    var purchase = Edit.Purchase(shop: "Shop")
    purchase.entries = devices[device].household.all(.shoppingListEntry)
      .filter { !$0.isTombstone && $0.isCompleted }.sorted { $0.id < $1.id }
    if purchase.entries.isEmpty { return try putIntoBasketOrSave(device) }
    // One says when it keeps, the other does not, or knows another day.
    for entry in purchase.entries where random.happens(50) {
      var line = ReceiptLine(
        id: uuid(9), itemName: "Item", quantity: entry.desired.value, unit: entry.unit,
        itemID: entry.itemID)
      line.expiry = anyDay()
      purchase.lines.append(line)
    }
    try save(purchase, device)
  }

  private mutating func putIntoBasketOrSave(_ device: Int) throws {
    if random.happens(60) { return try putIntoBasket(device) }
    var purchase = Edit.Purchase(shop: "Shop")
    purchase.lines = (0..<random.number(1...2)).map { _ in line(device) }
    try save(purchase, device)
  }

  private mutating func line(_ device: Int) -> ReceiptLine {
    let item = anyItem(device)
    let amount = amount(item.unit)
    var line = ReceiptLine(
      id: ids.next(), itemName: item.title, quantity: amount.quantity.value, unit: amount.unit,
      itemID: item.id)
    if random.happens(50) { line.expiry = anyDay() }
    if random.happens(30) { line.locationID = uuid(random.number(300...301)) }
    return line
  }

  private mutating func save(_ purchase: Edit.Purchase, _ device: Int) throws {
    var receipt: Entity?
    try perform(device, "save \(purchase.entries.map(\.id)) and \(purchase.lines.count) lines") {
      edit, writer in
      receipt = try edit.save(purchase, by: writer)
    }
    for line in receipt?.lines ?? [] {
      let quantity = Quantity(line.quantity, line.unit ?? .piece)
      flow[[line.itemID ?? "", line.id]] = NaiveStock.grains(quantity)
    }
  }

  private mutating func correctReceipt(_ device: Int) throws {
    let receipts = devices[device].household.all(.receipt).sorted { $0.id < $1.id }
    guard let old = random.pick(receipts) else { return }
    var lines = old.lines
    let index = random.number(0...max(0, lines.count - 1))
    switch random.number(0...5) {
    case 0 where !lines.isEmpty: lines.remove(at: index)
    case 1 where !lines.isEmpty: lines[index].quantity = Number(random.number(0...4))
    case 2 where !lines.isEmpty: lines[index].expiry = anyDay()
    case 3: lines.append(line(device))
    default: break
    }
    let fields: [FieldValue] =
      lines == old.lines
      ? [("isDeleted", .bool(!old.isTombstone))] : [("items", .array(lines.map(\.json)))]
    try perform(device, "write \(fields[0].name) of \(old.id)") { edit, writer in
      edit.write(fields, to: old.key, now: writer.now)
      guard let new = edit.after[old.key], new != old else { return }
      edit.replenish(from: old, to: new, at: writer.now, device: writer.device)
    }
  }
}

// MARK: - What is drawn

extension RandomDevices {
  private mutating func anyItem(_ device: Int) -> Entity {
    let items = devices[device].household.all(.stockItem).sorted { $0.id < $1.id }
    return items[random.number(0...items.count - 1)]
  }

  /// A lot that there is something of.
  private mutating func anyLot(_ device: Int) -> (item: Entity, lot: Lot)? {
    let item = anyItem(device)
    let batches = Stock(devices[device].household).firstExpiredFirst(of: item)
    return random.pick(Lot.grouped(batches)).map { (item, $0) }
  }

  private mutating func anyDay() -> Day {
    Day(daysSinceEpoch: Int(RandomLife.start / 86_400_000) + random.number(0...2) * 10)
  }

  /// Few, so that devices buy the same lot.
  private mutating func details(_ product: String) -> BatchDetails {
    var details = BatchDetails(productID: product)
    details.expiry = random.happens(60) ? ExpiryInfo(.expiry, anyDay()) : nil
    details.locationID = random.happens(30) ? uuid(300) : nil
    return details
  }

  private mutating func amount(_ unit: Unit) -> Amount {
    guard unit == .kilogram else {
      return Amount(grains: random.number(1...4) * 1_000_000, unit: unit)
    }
    let grams = random.number(1...20) * 100
    return Amount(
      grains: grams * 1_000_000 + random.number(0...1) * 1000,
      unit: random.happens(50) ? .gram : unit)
  }

  /// Takes down what came or went.
  private mutating func note(_ change: QuantityChange, _ request: String? = nil, isTaking: Bool) {
    guard let item = change.item else { return }
    for part in change.parts {
      let grains = NaiveStock.grains(part.quantity) * (isTaking ? -1 : 1)
      let cause = [item.id, request ?? "\(journal.count)", part.key.id]
      // Two devices that take different amounts from one file for one request: the earlier counts.
      if let other = flow[cause], other != grains { isUnclear = true }
      flow[cause] = grains
    }
  }
}

extension Household {
  fileprivate func item(_ id: String) -> Entity {
    self[.stockItem, id] ?? Entity(.stockItem, id: id, createdAt: moment(1))
  }
}
