import LarderJSON
import LarderModel
import TestSupport

/// What people do with what there is.
extension World {
  mutating func act(_ device: Int) throws {
    switch random.number(0...99) {
    case 0..<16: try use(device)
    case 16..<23: try useLot(device)
    case 23..<28: try put(device)
    case 28..<36: try putBatch(device)
    case 36..<42: try move(device)
    case 42..<47: try open(device)
    case 47..<50: try date(device)
    case 50..<55: try discard(device)
    case 55..<64: if let item = random.pick(items) { try count(item, on: device) }
    case 64..<72: try buy(device)
    case 72..<75: try tickOff(device)
    case 75..<81: try saveSomething(device)
    case 81..<84: forget()
    case 84..<92: try slip(device)
    case 92..<98: try putSomethingRight(device)
    default: try reorder(device)
    }
  }

  /// An item with what its device knows of it.
  mutating func anyItem(_ device: Int) throws -> Entity {
    guard let id = random.pick(items), let item = devices[device].household[.stockItem, id] else {
      throw Mismatch("no item")
    }
    return item
  }

  mutating func use(_ device: Int) throws {
    let item = try anyItem(device)
    guard let amount = amount(item, upTo: min(truth.total(of: item.id), there(item, device)))
    else { return }
    var change: QuantityChange?
    try perform(device, "use", "\(amount) of \(item.title)") { edit, writer in
      change = try edit.take(amount.quantity, from: item, by: writer)
    }
    guard let change else { throw Mismatch("\(amount) are there and can't be used") }
    take(amount.grains, of: item.id, change)
  }

  mutating func useLot(_ device: Int) throws {
    guard let (item, lot) = try anyLot(device) else { return }
    let there = min(truth.total(of: item.id), NaiveStock.grains(lot.quantity))
    guard let amount = amount(item, upTo: there) else { return }
    var change: QuantityChange?
    try perform(device, "use", "\(amount) of \(lot.first.id)") { edit, writer in
      change = try edit.take(amount.quantity, from: item, lot: lot, by: writer)
    }
    if let change { take(amount.grains, of: item.id, change) }
  }

  /// Mostly people take from where the device says, as far as it is there.
  private mutating func take(_ grains: Int, of item: String, _ change: QuantityChange) {
    let told = change.parts.map { (lot: $0.key.id, grains: NaiveStock.grains($0.quantity)) }
    let others = (truth.lots[item] ?? [:]).keys.sorted().shuffled(using: &random)
    truth.take(
      grains, of: item, from: random.happens(80) ? told : others.map { (lot: $0, grains: grains) })
  }

  mutating func put(_ device: Int) throws {
    let item = try anyItem(device)
    guard let amount = amount(item) else { return }
    var change: QuantityChange?
    try perform(device, "put", "\(amount) of \(item.title)") { edit, writer in
      change = try edit.add(amount.quantity, to: item, by: writer)
    }
    for part in change?.parts ?? [] {
      truth.put(NaiveStock.grains(part.quantity), of: item.id, into: part.key.id)
    }
  }

  mutating func putBatch(_ device: Int) throws {
    let item = try anyItem(device)
    guard let amount = amount(item) else { return }
    let details = details(item)
    var change: QuantityChange?
    try perform(device, "put", "\(amount) of \(item.title) until \(details.expiry?.lastDay as Any)")
    {
      edit, writer in
      change = try edit.add(amount.quantity, details, by: writer)
    }
    for part in change?.parts ?? [] {
      truth.put(NaiveStock.grains(part.quantity), of: item.id, into: part.key.id)
    }
  }

  /// A part of a batch, or of what lies loose, comes to another place.
  mutating func move(_ device: Int) throws {
    let item = try anyItem(device)
    let place = uuid(random.number(300...301))
    guard let (pile, amount) = part(of: item, device) else { return }
    var target: EntityKey?
    try perform(device, "move", "\(amount) of \(pile.id) to \(place)") { edit, writer in
      target = try edit.move(pile, to: place, quantity: amount.quantity, by: writer)
    }
    guard let target else { return }
    truth.move(amount.grains, of: item.id, from: pile.id, to: target.id)
  }

  mutating func open(_ device: Int) throws {
    let item = try anyItem(device)
    guard let (pile, amount) = part(of: item, device) else { return }
    var target: EntityKey?
    try perform(device, "open", "\(amount) of \(pile.id)") { edit, writer in
      target = try edit.open(pile, quantity: amount.quantity, at: writer.now, by: writer).batch
    }
    guard let target else { return }
    truth.move(amount.grains, of: item.id, from: pile.id, to: target.id)
  }

  mutating func date(_ device: Int) throws {
    guard let (_, lot) = try anyLot(device) else { return }
    let day = anyDay()
    try perform(device, "date", "\(lot.first.id) to \(day)") { edit, writer in
      _ = try edit.date(lot.first, expiry: .set(ExpiryInfo(.expiry, day)), by: writer)
    }
  }

  /// A batch goes into the bin: whole, where what is written of it is what is there; else as much as is
  /// there.
  mutating func discard(_ device: Int) throws {
    guard let (item, lot) = try anyLot(device) else { return }
    let batch = lot.first
    let real = truth.rest(of: item.id, in: batch.id)
    guard real > 0 else { return }
    let edit = try tried(device, "discard \(batch.id)") { edit, writer in
      try edit.discard(batch, by: writer)
    }
    if let edit, !isUncertain(item.id), record(of: batch.key, edit.after) == real {
      keep(edit, on: device, "discard", batch.id)
      return truth.take(real, of: item.id, from: [(batch.id, real)])
    }
    let amount = Amount(grains: min(real, NaiveStock.grains(batch.quantity)), unit: batch.unit)
    guard amount.grains > 0 else { return }
    let noted = try perform(device, "throw away", "\(amount) of \(batch.id)") { edit, writer in
      _ = try edit.take(amount.quantity, fromBatch: batch, why: .spoil, by: writer)
    }
    if noted != nil { truth.take(amount.grains, of: item.id, from: [(batch.id, amount.grains)]) }
  }

  /// What all ledgers joined say of a batch.
  func record(of batch: EntityKey, _ household: Household) -> Int {
    everything(household)[batch].map { NaiveStock.grains($0.ownQuantity) } ?? 0
  }

  /// Whether something of an item is false in the books, and will be put right.
  func isUncertain(_ item: String) -> Bool {
    slips.contains { $0.item == item && $0.repairs.isEmpty }
  }

  mutating func count(_ id: String, on device: Int) throws {
    guard let item = devices[device].household[.stockItem, id] else { return }
    let amount = Amount(grains: truth.total(of: id), unit: unit(for: item))
    let counted = try perform(device, "count", "\(amount) of \(item.title)") { edit, writer in
      _ = try edit.count(amount.quantity, of: item, by: writer)
    }
    guard counted != nil else { throw Mismatch("\(amount) of \(item.title) can't be counted") }
    forgotten.remove(id)
    for index in slips.indices where slips[index].item == id { slips[index].isCounted = true }
  }

  /// Something is used and nobody writes it down.
  mutating func forget() {
    guard let id = random.pick(items), let item = devices[0].household[.stockItem, id],
      let amount = amount(item, upTo: truth.total(of: id))
    else { return }
    let lots = (truth.lots[id] ?? [:]).keys.sorted().shuffled(using: &random)
    truth.take(amount.grains, of: id, from: lots.map { ($0, amount.grains) })
    forgotten.insert(id)
    done["forget", default: 0] += 1
    journal.append("\(time) nobody writes down that \(amount) of \(item.title) were used")
  }
}

// MARK: - Items that are merged, and products that are given away

extension World {
  mutating func reorder(_ device: Int) throws {
    let item = try anyItem(device)
    let others = items.filter { id in
      id != item.id
        && devices[device].household[.stockItem, id]?.unit.converts(to: item.unit) ?? false
    }
    guard let other = random.pick(others), isSettled(item.id), isSettled(other) else { return }
    joinAll()
    if random.happens(50) {
      try merge(other, into: item.id, device)
    } else {
      try give(to: item.id, from: other, device)
    }
    joinAll()
  }

  private func isSettled(_ item: String) -> Bool {
    !isUncertain(item) && !forgotten.contains(item)
      && !purchases.contains { $0.savings.isEmpty && $0.parts.contains { $0.item == item } }
  }

  private mutating func merge(_ other: String, into id: String, _ device: Int) throws {
    guard let item = devices[device].household[.stockItem, id],
      let old = devices[device].household[.stockItem, other]
    else { return }
    let merged = try perform(device, "merge", "\(old.title) into \(item.title)") { edit, writer in
      try edit.merge(old, into: item, by: writer)
    }
    guard merged != nil else { return }
    truth.merge(other, into: id)
    items.removeAll { $0 == other }
  }

  /// All batches of a product count as another item, if each of them holds what is written of it.
  private mutating func give(to id: String, from other: String, _ device: Int) throws {
    let household = devices[device].household
    guard let item = household[.stockItem, id], let old = household[.stockItem, other],
      let product = random.pick(old.productIDs)
    else { return }
    let batches = Stock(household).batches(of: old).filter { $0.productID == product }
    guard
      batches.allSatisfy({ batch in
        NaiveStock.grains(batch.ownQuantity) == truth.rest(of: other, in: batch.id)
      })
    else { return }
    try perform(device, "give", "\(product) of \(old.title) to \(item.title)") { edit, writer in
      let rest = old.productIDs.filter { $0 != product }.map { JSON.string($0) }
      let all = (item.productIDs + [product]).map { JSON.string($0) }
      edit.write([("products", .array(rest))], to: old.key, now: writer.now)
      edit.write([("products", .array(all))], to: item.key, now: writer.now)
    }
    for batch in batches { truth.give(batch.id, of: other, to: id) }
  }
}

// MARK: - What is drawn

extension World {
  func there(_ item: Entity, _ device: Int) -> Int {
    NaiveStock.grains(Quantity(Stock(devices[device].household).total(of: item), item.unit))
  }

  /// An amount of an item in a unit of its kind; nil where nothing is left.
  mutating func amount(_ item: Entity, upTo most: Int = .max) -> Amount? {
    let grains = (item.unit == .piece ? 1 : 50) * random.number(1...6) * 1_000_000
    let amount = Amount(grains: min(grains, most), unit: unit(for: item))
    return amount.grains > 0 ? amount : nil
  }

  private mutating func unit(for item: Entity) -> LarderModel.Unit {
    switch item.unit {
    case .gram, .kilogram: random.happens(50) ? .gram : .kilogram
    case .milliliter, .liter: random.happens(50) ? .milliliter : .liter
    default: item.unit
    }
  }

  /// A lot that a device knows of and that there is something of, by what it knows.
  mutating func anyLot(_ device: Int) throws -> (item: Entity, lot: Lot)? {
    let item = try anyItem(device)
    let batches = Stock(devices[device].household).firstExpiredFirst(of: item)
    return random.pick(Lot.grouped(batches)).map { (item, $0) }
  }

  /// A batch or the loose stock, and an amount that is there both in truth and by what a device knows.
  private mutating func part(of item: Entity, _ device: Int) -> (pile: Entity, amount: Amount)? {
    let holding = Stock(devices[device].household).holding(of: item)
    guard let pile = random.pick(holding.batches.filter(\.hasSomethingLeft) + [holding.item]) else {
      return nil
    }
    let there = min(truth.rest(of: item.id, in: pile.id), NaiveStock.grains(pile.quantity))
    return amount(item, upTo: there).map { (pile, $0) }
  }

  mutating func anyDay() -> Day {
    Day(daysSinceEpoch: Int(RandomLife.start / 86_400_000) + random.number(0...2) * 10)
  }

  /// Few, so that devices fill the same lots.
  mutating func details(_ item: Entity) -> BatchDetails {
    var details = BatchDetails(productID: random.pick([item.id] + item.productIDs) ?? item.id)
    details.expiry = random.happens(60) ? ExpiryInfo(.expiry, anyDay()) : nil
    details.locationID = random.happens(30) ? uuid(300) : nil
    return details
  }
}
