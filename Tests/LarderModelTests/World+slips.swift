import LarderJSON
import LarderModel
import TestSupport

/// What people write down although it is not so, and put right later.
extension World {
  mutating func slip(_ device: Int) throws {
    switch random.number(0...5) {
    case 0: try useFalsely(device)
    case 1: try putFalsely(device)
    case 2: try discardFalsely(device)
    case 3: try buyFalsely(device)
    case 4 where !isLong: try countFalsely(device)
    default: try takeBackFalsely(device)
    }
  }

  private mutating func useFalsely(_ device: Int) throws {
    let item = try anyItem(device)
    guard let amount = amount(item, upTo: there(item, device)) else { return }
    try slip(device, "use falsely", "\(amount) of \(item.title)", item, mayBeTwice: true) {
      edit, writer in
      _ = try edit.take(amount.quantity, from: item, by: writer)
    }
  }

  private mutating func putFalsely(_ device: Int) throws {
    let item = try anyItem(device)
    guard let amount = amount(item) else { return }
    let details = details(item)
    let isBatch = random.happens(50)
    var change: QuantityChange?
    let words = "\(amount) of \(item.title)"
    let edit = try tried(device, "put falsely \(words)") { edit, writer in
      change =
        isBatch
        ? try edit.add(amount.quantity, details, by: writer)
        : try edit.add(amount.quantity, to: item, by: writer)
    }
    guard let edit, change?.isNewBatch == false else { return }
    note(
      keep(edit, on: device, "put falsely", words), "put falsely \(words)", item, mayBeTwice: true)
  }

  /// Not what is gone already: of two who write apart from each other whether a batch is there, the later
  /// stands.
  private mutating func discardFalsely(_ device: Int) throws {
    guard let (item, lot) = try anyLot(device), truth.rest(of: item.id, in: lot.first.id) > 0 else {
      return
    }
    try slip(device, "discard falsely", lot.first.id, item) { edit, writer in
      try edit.discard(lot.first, by: writer)
    }
  }

  private mutating func countFalsely(_ device: Int) throws {
    let item = try anyItem(device)
    let amount = Amount(grains: random.number(0...9) * 1_000_000, unit: item.unit)
    try slip(device, "count falsely", "\(amount) of \(item.title)", item, mayBeTwice: true) {
      edit, writer in
      _ = try edit.count(amount.quantity, of: item, by: writer)
    }
  }

  private mutating func buyFalsely(_ device: Int) throws {
    let item = try anyItem(device)
    guard let amount = amount(item) else { return }
    var bought = Edit.Purchase(shop: "Shop")
    var line = ReceiptLine(
      id: ids.next(), itemName: item.title, quantity: amount.quantity.value, unit: amount.unit,
      itemID: item.id)
    if random.happens(50) { line.expiry = anyDay() }
    bought.lines = [line]
    bought.timestamp = time.adding(milliseconds: -Int64(random.number(0...10_000_000)))
    var receipt: Entity?
    let saved = try perform(device, "save falsely", "\(amount) of \(item.title)") { edit, writer in
      receipt = try edit.save(bought, by: writer)
    }
    guard let saved, let receipt else { return }
    slips.append(
      Slip(
        words: "the receipt", act: saved.act, item: item.id, repair: .void(receipt: receipt.id),
        mayBeTwice: true))
  }

  /// Takes back something that was right, a use or a count.
  private mutating func takeBackFalsely(_ device: Int) throws {
    let item = try anyItem(device)
    guard let amount = amount(item, upTo: min(truth.total(of: item.id), there(item, device)))
    else { return }
    var change: QuantityChange?
    guard
      let used = try perform(
        device, "use", "\(amount) of \(item.title)",
        { edit, writer in change = try edit.take(amount.quantity, from: item, by: writer) })
    else { return }
    let parts = (change?.parts ?? []).map { ($0.key.id, NaiveStock.grains($0.quantity)) }
    truth.take(amount.grains, of: item.id, from: parts)
    pass()
    try slip(device, "take back falsely", "that", item, mayBeTwice: true) { edit, writer in
      edit.takeBack(used.changes, by: writer)
    }
  }

  private mutating func slip(
    _ device: Int, _ kind: String, _ words: String, _ item: Entity, mayBeTwice: Bool = false,
    _ change: (inout Edit, Writer) throws -> Void
  ) throws {
    guard let done = try perform(device, kind, words, change) else { return }
    note(done, "\(kind) \(words)", item, mayBeTwice: mayBeTwice)
  }

  private mutating func note(
    _ done: (act: Int, changes: [EntityDifference]), _ words: String, _ item: Entity,
    mayBeTwice: Bool
  ) {
    slips.append(
      Slip(
        words: words, act: done.act, item: item.id, repair: .takeBack(done.changes),
        mayBeTwice: mayBeTwice))
  }
}

// MARK: - Putting it right

extension World {
  /// One that this device knows of, and that nobody has put right as far as it knows.
  mutating func putSomethingRight(_ device: Int) throws {
    let known = devices[device].known
    let open = slips.indices.filter { index in
      let slip = slips[index]
      return known.contains(slip.act) && known.isDisjoint(with: slip.repairs)
        && slip.repairs.count < (slip.mayBeTwice ? 2 : 1)
    }
    if let index = random.pick(open) { try putRight(index, on: device) }
  }

  /// Takes it back, unless the program says that this would lose something written since.
  mutating func putRight(_ index: Int, on device: Int) throws {
    let slip = slips[index]
    var done: (act: Int, changes: [EntityDifference])?
    switch slip.repair {
    case .takeBack(let changes):
      guard Edit(devices[device].household).laterWrites(than: changes).isEmpty else { return }
      done = try perform(device, "take back", slip.words) { edit, writer in
        edit.takeBack(changes, by: writer)
      }
    case .correct(let receipt, let wrong, let right):
      guard devices[device].household[.receipt, receipt]?.lines == wrong else { return }
      let fields: [FieldValue] = [("items", .array(right.map(\.json)))]
      done = try rewrite("correct", receipt, fields, device)
    case .void(let receipt):
      done = try rewrite("void", receipt, [("isDeleted", .bool(true))], device)
    }
    if let done { slips[index].repairs.append(done.act) }
  }

  private mutating func rewrite(
    _ kind: String, _ receipt: String, _ fields: [FieldValue], _ device: Int
  ) throws -> (act: Int, changes: [EntityDifference])? {
    let key = EntityKey(.receipt, receipt)
    return try perform(device, kind, receipt) { edit, writer in
      guard let old = edit.after[key] else { throw Mismatch("no receipt \(receipt)") }
      edit.write(fields, to: key, now: writer.now)
      guard let new = edit.after[key], new != old else { return }
      edit.replenish(from: old, to: new, at: writer.now, device: writer.device)
    }
  }
}
