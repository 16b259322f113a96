import LarderJSON
import LarderModel
import TestSupport

/// Actions on dated lots, by the program's rules.
extension Command {
  mutating func runOnBatches(_ action: Action) throws {
    switch action {
    case .addBatch: try addBatch()
    case .takeFromLot: try takeFromLot()
    case .countLot: try countLot()
    case .moveBatch: try moveBatch()
    case .openBatch: try openBatch()
    case .dateBatch: try dateBatch()
    case .discardBatch: try discardBatch()
    case .mergeItems: try mergeItems()
    default: try serveRequest()
    }
  }

  private mutating func addBatch() throws {
    guard let item = one(.stockItem) else { return newItem() }
    let quantity = quantity(anyUnit(of: item))
    let change = try edit.add(quantity, details(of: item), by: writer)
    say(item, "\(quantity) in \(change.isNewBatch ? "a new batch" : "a batch")")
  }

  private mutating func takeFromLot() throws {
    guard let (item, lot) = anyLot() else { return try addBatch() }
    let quantity = quantity(anyUnit(of: item))
    let isArchiving = random.happens(20)
    let change = try edit.take(
      quantity, from: item, lot: lot, partially: random.happens(70), by: writer)
    if isArchiving { edit.archiveConsumed(now: now) }
    say(item, "\(change.parts.count) of \(lot.batches.count) batches used")
  }

  private mutating func countLot() throws {
    guard let (item, lot) = anyLot() else { return try addBatch() }
    let quantity = Quantity(Number(random.number(0...4)), lot.first.unit)
    _ = try edit.count(quantity, of: item, lot: lot, by: writer)
    say(lot.first, "\(quantity) counted")
  }

  /// Moves all or a part of a batch, or loose stock; the caller may give the version that it saw.
  private mutating func moveBatch() throws {
    guard let place = one(.storageLocation) else { return newLocation() }
    if random.happens(20), let item = one(.stockItem) {
      let quantity = quantity(item.unit)
      let target = try edit.move(item, to: place.id, quantity: quantity, by: writer)
      return say(item, "\(quantity) moved to \(place.title), as \(target.id)")
    }
    guard let batch = anyBatch() else { return try addBatch() }
    let (part, version) = (part(of: batch), version(of: batch))
    let target = try edit.move(
      batch, to: place.id, quantity: part, unchangedSince: version, by: writer)
    say(batch, "\(part.map { "\($0)" } ?? "all") moved to \(place.title), as \(target.id)")
  }

  private mutating func openBatch() throws {
    if random.happens(20), let item = one(.stockItem) {
      let opening = try edit.open(item, quantity: quantity(item.unit), at: now, by: writer)
      return say(item, "\(opening.quantity) of what lies loose opened")
    }
    guard let batch = anyBatch() else { return try addBatch() }
    let part = random.happens(50) ? edit.usualOpening(of: batch) : part(of: batch)
    let opening = try edit.open(
      batch, quantity: part, at: now, strict: random.happens(30),
      unchangedSince: version(of: batch), by: writer)
    say(batch, "\(opening.quantity) opened, as \(opening.batch.id)")
  }

  private mutating func dateBatch() throws {
    guard let batch = one(.inventoryItem) else { return try addBatch() }
    let expiry: DateUpdate<Day> = random.happens(80) ? .set(ExpiryInfo(.useBy, anyDay())) : .remove
    let opened: DateUpdate<Instant> =
      random.happens(80) ? .keep : random.happens(50) ? .set(OpenedInfo(.opened, now)) : .remove
    _ = try edit.date(
      batch, expiry: expiry, opened: opened, unchangedSince: version(of: batch), by: writer)
    say(batch, "dates written")
  }

  private mutating func discardBatch() throws {
    guard let batch = one(.inventoryItem) else { return try addBatch() }
    guard batch.isActive else {
      try edit.restore(batch, by: writer)
      return say(batch, "is there again")
    }
    try edit.discard(batch, by: writer)
    say(batch, "thrown out")
  }

  /// Merges two items that are in fact one.
  private mutating func mergeItems() throws {
    guard let item = one(.stockItem), let other = one(.stockItem) else { return newItem() }
    try edit.merge(other, into: item, by: writer)
    say(item, "has taken over \(other.title)")
  }
}

extension Command {
  /// Serves one of a few requests, each of which is always the same.
  private mutating func serveRequest() throws {
    let number = random.number(0...3)
    let items = edit.after.all(.stockItem).sorted { $0.id < $1.id }
    guard !items.isEmpty else { return newItem() }
    let item = items[number / 2 % items.count]
    let (quantity, name) = (Quantity(Number(1 + number), item.unit), "request-\(number)")
    let change: QuantityChange
    switch number {
    case 0: change = try edit.add(quantity, to: item, request: name, by: writer)
    case 1:
      change = try edit.add(quantity, BatchDetails(productID: item.id), request: name, by: writer)
    case 2:
      change = try edit.take(quantity, from: item, partially: true, request: name, by: writer)
    default:
      change = try edit.take(
        quantity, ofProduct: item.productIDs.first ?? item.id, partially: true, request: name,
        by: writer)
    }
    say(item, "\(name)\(change.isRepeated ? ", served before" : "")")
  }

  /// Returns details from a small set, so two devices buy the same lot.
  private mutating func details(of item: Entity) -> BatchDetails {
    var details = BatchDetails(
      productID: random.happens(50) ? item.productIDs.first ?? item.id : item.id)
    if random.happens(70) { details.expiry = ExpiryInfo(.expiry, anyDay()) }
    if random.happens(40) { details.locationID = one(.storageLocation)?.id }
    if random.happens(20) { details.lotCode = "L1" }
    return details
  }

  mutating func anyDay() -> Day { Day(daysSinceEpoch: 11_700 + 100 * random.number(0...2)) }

  private mutating func anyUnit(of item: Entity) -> Unit {
    item.unit == .kilogram && random.happens(50) ? .gram : item.unit
  }

  private mutating func anyLot() -> (item: Entity, lot: Lot)? {
    guard let item = one(.stockItem) else { return nil }
    let lots = Lot.grouped(Stock(edit.after).firstExpiredFirst(of: item))
    return random.pick(lots).map { (item, $0) }
  }

  /// Returns a batch, usually one with something left.
  private mutating func anyBatch() -> Entity? {
    let all = edit.after.all(.inventoryItem).sorted { $0.id < $1.id }
    return random.pick(random.happens(90) ? all.filter(\.hasSomethingLeft) : all)
  }

  private mutating func part(of batch: Entity) -> Quantity? {
    random.happens(40) ? nil : quantity(anyUnit(of: batch))
  }

  private mutating func version(of batch: Entity) -> Instant? {
    random.happens(20) ? batch.updatedAt : nil
  }
}
