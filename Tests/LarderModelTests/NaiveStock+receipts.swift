import LarderModel

/// What receipts bring: a line that says when it keeps, where it lies or its code makes a batch and
/// stays with it, any other goes to what lies loose.
extension NaiveStock {
  struct Receipt {
    var lines: [ReceiptLine] = []
    var isVoid = false
    /// When it was paid, among all that ever happened.
    let paid: Int
    /// The piles that its lines brought something to, by line and item.
    var homes: [[String]: Set<String>] = [:]
  }

  mutating func save(_ id: String, _ lines: [ReceiptLine], _ new: New) -> Outcome {
    if let known = receipts[id] { return known.isVoid ? .refused([.isVoid]) : .done(Answer()) }
    var refusals: Set<Refusal> = lines.isEmpty ? [.empty] : []
    for line in lines {
      refusals.formUnion(placeRefusals(line.locationID))
      if let item = item(of: line), let unit = line.unit, !convert(unit, item.unit) {
        refusals.insert(.units)
      }
    }
    guard refusals.isEmpty else { return .refused(refusals) }
    receipts[id] = Receipt(paid: tick())
    correct(id, lines, new)
    return .done(Answer())
  }

  mutating func correct(_ id: String, _ lines: [ReceiptLine], _ new: New) {
    guard let old = receipts[id] else { return }
    receipts[id]?.lines = lines
    guard !old.isVoid else { return }
    for line in old.lines {
      let from = item(of: line).map { home(of: line, $0, id) }
      let now = lines.first { $0.id == line.id }
      let to = now.flatMap { target(of: $0, after: line, id) }
      if from == to, let now, let to {
        bring(now, shown(grains(now) - grains(line), in: unit(now)), to: to, id, new)
        copy(now, after: line, to: to)
      } else {
        if let from { bring(line, -grains(line), to: from, id, new) }
        if let now, let to { arrive(now, at: to, id, new) }
      }
    }
    for line in lines where !old.lines.contains(where: { $0.id == line.id }) {
      if let target = target(of: line, after: nil, id) { arrive(line, at: target, id, new) }
    }
  }

  mutating func void(_ id: String) {
    receipts[id]?.isVoid = true
    takeBack(id, true)
  }

  mutating func restore(_ id: String, _ new: New) {
    receipts[id]?.isVoid = false
    hasRestored = true
    takeBack(id, false)
    for line in receipts[id]?.lines ?? [] {
      guard let target = target(of: line, after: line, id), index(target) == nil else { continue }
      arrive(line, at: target, id, new)
    }
    for pile in piles.indices {
      let lines = (receipts[id]?.lines ?? []).filter { line in
        target(of: line, after: line, id) == piles[pile].id
      }
      let there = piles[pile].events.filter { $0.receipt == id }.map(\.grains).reduce(0, +)
      let difference = shown(lines.map(grains).reduce(0, +) - there, in: piles[pile].unit)
      if difference != 0 { record(difference, in: pile, id, at: receipts[id]?.paid) }
      for line in lines where line.quantity > .zero { note(line, at: piles[pile].id, id) }
    }
  }
}

extension NaiveStock {
  private func item(of line: ReceiptLine) -> Item? { items.first { $0.id == line.itemID } }

  private func unit(_ line: ReceiptLine) -> Unit { line.unit ?? item(of: line)?.unit ?? .piece }

  private func grains(_ line: ReceiptLine) -> Int {
    Int(line.quantity.billionths / 1000) * grain(of: unit(line))
  }

  private func isOfBatch(_ line: ReceiptLine) -> Bool {
    line.expiry != nil || line.locationID != nil || line.lotCode != nil
  }

  private func batch(of line: ReceiptLine, _ item: Item) -> String {
    Identifier.derived(from: "batch", line.id, item.id)
  }

  /// Where a line is.
  private func home(of line: ReceiptLine, _ item: Item, _ id: String) -> String {
    let batch = batch(of: line, item)
    return index(batch) == nil ? item.id : batch
  }

  /// Where a line goes: to its batch where it has one or is the first to say anything of one.
  private func target(of line: ReceiptLine, after earlier: ReceiptLine?, _ id: String) -> String? {
    guard let item = item(of: line) else { return nil }
    let home = home(of: line, item, id)
    guard home == item.id, isOfBatch(line) else { return home }
    let wasSaid = earlier.map { $0.itemID == line.itemID && isOfBatch($0) } ?? false
    let isLoose = receipts[id]?.homes[[line.id, item.id]]?.contains(item.id) ?? false
    return wasSaid && isLoose ? item.id : batch(of: line, item)
  }

  private mutating func arrive(
    _ line: ReceiptLine, at target: String, _ id: String, _ new: New
  ) {
    guard line.quantity > .zero else { return }
    if index(target) != nil, line.itemID != target { say(line, of: target) }
    bring(line, grains(line), to: target, id, new)
  }

  private mutating func bring(
    _ line: ReceiptLine, _ grains: Int, to target: String, _ id: String, _ new: New
  ) {
    guard grains != 0, let item = item(of: line) else { return }
    let isFirst = index(target) == nil
    if isFirst {
      let unit = line.unit ?? item.unit
      piles.append(Pile(id: target, product: item.id, unit: unit, made: new.times[target] ?? 0))
      say(line, of: target)
    }
    guard let pile = index(target) else { return }
    note(line, at: target, id)
    let paid = receipts[id]?.paid
    guard isFirst, target != item.id, let loose = index(item.id) else {
      return record(grains, in: pile, id, at: paid)
    }
    // It comes with what lies loose, and goes on into the batch.
    record(grains, in: loose, id, at: paid)
    record(-grains, in: loose, id)
    record(grains, in: pile, id)
  }

  private mutating func record(_ grains: Int, in pile: Int, _ id: String, at order: Int? = nil) {
    let order = order ?? tick()
    piles[pile].events.append(Event(grains: grains, order: order, receipt: id))
  }

  private mutating func note(_ line: ReceiptLine, at target: String, _ id: String) {
    receipts[id]?.homes[[line.id, line.itemID ?? ""], default: []].insert(target)
  }

  private mutating func say(_ line: ReceiptLine, of batch: String) {
    guard let pile = index(batch) else { return }
    piles[pile].expiry = line.expiry?.daysSinceEpoch
    piles[pile].place = line.locationID
    piles[pile].lot = line.lotCode
  }

  /// What the line says anew of its batch.
  private mutating func copy(_ line: ReceiptLine, after old: ReceiptLine, to batch: String) {
    guard let pile = index(batch), !piles[pile].isLoose else { return }
    if line.expiry != old.expiry {
      piles[pile].expiry = line.expiry?.daysSinceEpoch
      piles[pile].isUseBy = false
    }
    if line.locationID != old.locationID { piles[pile].place = line.locationID }
    if line.lotCode != old.lotCode { piles[pile].lot = line.lotCode }
  }

  private mutating func takeBack(_ id: String, _ isTakenBack: Bool) {
    for pile in piles.indices {
      for event in piles[pile].events.indices where piles[pile].events[event].receipt == id {
        piles[pile].events[event].isTakenBack = isTakenBack
      }
    }
  }
}
