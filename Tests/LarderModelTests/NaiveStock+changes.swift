import LarderModel

/// An amount as somebody says it.
struct Amount: CustomStringConvertible {
  let grains: Int
  let unit: Unit

  var quantity: Quantity {
    let micros = grains / grain(of: unit)
    let (whole, rest) = (micros.magnitude / 1_000_000, micros.magnitude % 1_000_000)
    guard rest > 0 else { return Quantity(Number(micros / 1_000_000), unit) }
    let decimals = String(rest)
    let zeros = String(repeating: "0", count: 6 - decimals.utf8.count)
    return Quantity(Number("\(micros < 0 ? "-" : "")\(whole).\(zeros)\(decimals)") ?? .zero, unit)
  }

  var description: String { "\(quantity)" }
}

/// What comes and goes.
extension NaiveStock {
  /// Does what a request asks for, once: `isOf` says which piles belong to the thing.
  mutating func serve(
    _ request: String?, _ why: String, _ amount: Amount, partially: Bool = false,
    _ isOf: (Pile) -> Bool, _ change: (inout Self) -> Outcome
  ) -> Outcome {
    if let request, let (known, first) = answers[request] {
      var answer = first
      let grains = shown(answer.parts.map(\.grains).reduce(0, +), in: amount.unit)
      let isAll = abs(grains - amount.grains) < 10 * grain(of: amount.unit)
      guard known == why, isAll || partially && grains <= amount.grains,
        answer.parts.allSatisfy({ part in index(part.pile).map { isOf(piles[$0]) } ?? false }),
        convert(amount.unit, piles[index(answer.parts[0].pile) ?? 0].unit)
      else { return .refused([.request]) }
      answer.isRepeated = true
      return .done(answer)
    }
    let outcome = change(&self)
    if let request, case .done(let answer) = outcome { answers[request] = (why, answer) }
    return outcome
  }

  mutating func add(_ amount: Amount, to item: Item) -> Outcome {
    let refusals = refusals(amount, of: item.unit)
    guard refusals.isEmpty, let pile = index(item.id) else { return .refused(refusals) }
    writeLacks(around: pile)
    _ = put(amount.grains, into: pile)
    return .done(Answer(parts: [part(of: pile, amount.grains)], total: total(of: item)))
  }

  /// `new` has the id and the time of the batch, should there be a new one.
  mutating func add(_ amount: Amount, _ like: Pile, isStrict: Bool, _ new: New) -> Outcome {
    let item = item(of: like.product)
    var refusals = refusals(amount, of: item?.unit ?? amount.unit)
    if isStrict, item?.id != like.product, !catalogue.contains(like.product) {
      refusals.insert(.product)
    }
    refusals.formUnion(placeRefusals(like.place))
    let isLate = isOpenedTooLate(like)
    if isStrict, isLate { refusals.insert(.openedTooLate) }
    guard refusals.isEmpty else { return .refused(refusals) }
    let (index, isNew) = likeOrNew(like, new)
    writeLacks(around: index)
    _ = put(amount.grains, into: index)
    return .done(
      Answer(
        parts: [part(of: index, amount.grains)], total: total(ofProduct: like.product),
        isNewBatch: isNew,
        warnings: isLate ? 1 : 0))
  }

  mutating func take(_ amount: Amount, from item: Item, partially: Bool, archiving: Bool) -> Outcome
  {
    let refusals = refusals(amount, of: item.unit)
    guard refusals.isEmpty else { return .refused(refusals) }
    return take(
      amount, from: sources(of: item), of: item.id, partially: partially, archiving: archiving)
  }

  mutating func take(
    _ amount: Amount, fromLot lot: [Int], of item: Item, partially: Bool, archiving: Bool
  ) -> Outcome {
    var refusals = refusals(amount, of: item.unit)
    if !convert(amount.unit, piles[lot[0]].unit) { refusals.insert(.units) }
    if lot.contains(where: { piles[$0].isForeign }) { refusals.insert(.foreign) }
    guard refusals.isEmpty else { return .refused(refusals) }
    return take(
      amount, from: usingOrder(lot), of: item.id, partially: partially, archiving: archiving)
  }

  mutating func take(
    _ amount: Amount, ofProduct product: String, partially: Bool, archiving: Bool
  ) -> Outcome {
    if let item = items.first(where: { $0.id == product }) {
      return take(amount, from: item, partially: partially, archiving: archiving)
    }
    let batches = batches { $0.product == product }
    let usable = batches.filter { convert(piles[$0].unit, amount.unit) }
    var refusals = refusals(amount, of: amount.unit)
    if batches.isEmpty {
      refusals.insert(.product)
    } else if usable.isEmpty {
      refusals.insert(.units)
    }
    guard refusals.isEmpty else { return .refused(refusals) }
    return take(
      amount, from: usingOrder(usable), of: product, partially: partially, archiving: archiving)
  }

  mutating func take(_ amount: Amount, fromBatch batch: Int, partially: Bool, archiving: Bool)
    -> Outcome
  {
    var refusals = refusals(amount, of: piles[batch].unit)
    if piles[batch].isForeign { refusals.insert(.foreign) }
    if !isLeft(batch) { refusals.insert(.notActive) }
    guard refusals.isEmpty else { return .refused(refusals) }
    return take(
      amount, from: [batch], of: piles[batch].product, partially: partially, archiving: archiving)
  }

  mutating func count(_ amount: Amount, ofBatch batch: Int) -> Outcome {
    var refusals: Set<Refusal> = amount.grains < 0 ? [.belowZero] : []
    if !convert(amount.unit, piles[batch].unit) { refusals.insert(.units) }
    if piles[batch].isForeign { refusals.insert(.foreign) }
    if !piles[batch].isActive { refusals.insert(.notActive) }
    guard refusals.isEmpty else { return .refused(refusals) }
    writeLacks(around: batch)
    count(shown(amount.grains, in: piles[batch].unit), in: batch)
    return .done(Answer())
  }

  private mutating func count(_ grains: Int, in pile: Int, total: Int? = nil) {
    piles[pile].events.append(Event(grains: grains, order: tick(), isCount: true, total: total))
  }

  private mutating func take(
    _ amount: Amount, from sources: [Int], of product: String, partially: Bool, archiving: Bool
  ) -> Outcome {
    var wanted = amount.grains
    var takes: [(pile: Int, grains: Int)] = []
    for source in sources where wanted > 0 {
      let there = there(source)
      takes.append((source, shown(there, in: amount.unit) <= wanted ? there : wanted))
      wanted -= min(shown(there, in: amount.unit), wanted)
    }
    guard wanted == 0 || partially && !takes.isEmpty else {
      return .refused([.notEnough(amount.grains - wanted)])
    }
    var answer = Answer()
    for (pile, grains) in takes { _ = put(-grains, into: pile) }
    for (pile, grains) in takes { answer.parts.append(part(of: pile, grains)) }
    for (pile, _) in takes where archiving && !piles[pile].isLoose && piles[pile].rest == 0 {
      leave(pile, "archived")
    }
    answer.total = total(ofProduct: product)
    return .done(answer)
  }

  mutating func count(_ amount: Amount, of item: Item, lot: [Int]?) -> Outcome {
    var refusals: Set<Refusal> = amount.grains < 0 ? [.belowZero] : []
    if !convert(amount.unit, lot.map { piles[$0[0]].unit } ?? item.unit) { refusals.insert(.units) }
    let loose = index(item.id) ?? 0
    if lot?.contains(where: { piles[$0].isForeign }) ?? false { refusals.insert(.foreign) }
    guard refusals.isEmpty else { return .refused(refusals) }
    guard let lot else { return countAll(amount, of: item, in: loose) }
    writeLacks(around: loose)
    count(shown(amount.grains, in: piles[lot[0]].unit), in: lot[0])
    for other in lot.dropFirst() { count(0, in: other) }
    let part = Answer.Part(
      pile: piles[lot[0]].id, grains: amount.grains, rest: piles[lot[0]].rest)
    return .done(Answer(parts: [part], total: total(of: item)))
  }

  /// The batches that are used first hold less, where all of them hold more.
  private mutating func countAll(_ amount: Amount, of item: Item, in loose: Int) -> Outcome {
    let counted = shown(amount.grains, in: item.unit)
    let order = sources(of: item).filter { !piles[$0].isLoose } + [loose]
    let before = order.map { there($0) }
    let active = batches(of: item).filter {
      piles[$0].isActive && convert(piles[$0].unit, item.unit)
    }
    let held = active.map { piles[$0].rest }.reduce(0, +)
    count(shown(counted - held, in: item.unit), in: loose, total: counted)
    writeLacks(around: loose)
    let parts = zip(order, before).compactMap { pile, before -> Answer.Part? in
      let rest = there(pile)
      guard rest < before else { return nil }
      return Answer.Part(
        pile: piles[pile].id, grains: shown(before - rest, in: item.unit), rest: rest)
    }
    let isLess = parts.contains { $0.pile != item.id }
    let all = Answer.Part(pile: item.id, grains: amount.grains, rest: there(loose))
    return .done(Answer(parts: isLess ? parts : [all], total: total(of: item)))
  }
}

extension NaiveStock {
  /// What the rules call a batch that they make, and when all were made.
  struct New {
    let id: String
    let times: [String: Int64]

    var made: Int64 { times[id] ?? 0 }
  }

  mutating func tick() -> Int {
    now += 1
    return now
  }

  /// Takes a batch out of the stock.
  mutating func leave(_ pile: Int, _ status: String) {
    if piles[pile].isActive { piles[pile].goneAt = tick() }
    piles[pile].status = status
  }

  mutating func put(_ grains: Int, into pile: Int) -> Answer.Part {
    piles[pile].events.append(Event(grains: grains, order: tick()))
    return Answer.Part(pile: piles[pile].id, grains: grains, rest: piles[pile].rest)
  }

  /// What is said of a pile that something was added to or taken from; of what no item has, the
  /// rest is that of its own ledger.
  func part(of pile: Int, _ grains: Int) -> Answer.Part {
    let rest = item(of: piles[pile].product) == nil ? piles[pile].rest : there(pile)
    return Answer.Part(pile: piles[pile].id, grains: grains, rest: rest)
  }

  mutating func likeOrNew(_ like: Pile, _ new: New) -> (index: Int, isNew: Bool) {
    let alike = batches { $0.isLike(like) }.filter { isLeft($0) }
    if let oldest = alike.first { return (oldest, false) }
    var batch = Pile(id: new.id, product: like.product, unit: like.unit, made: new.made)
    (batch.expiry, batch.opened, batch.place, batch.lot) =
      (like.expiry, like.opened, like.place, like.lot)
    batch.isUseBy = like.isUseBy
    piles.append(batch)
    return (piles.count - 1, true)
  }

  func refusals(_ amount: Amount, of unit: Unit) -> Set<Refusal> {
    var refusals: Set<Refusal> = amount.grains > 0 ? [] : [.notAboveZero]
    if !convert(amount.unit, unit) { refusals.insert(.units) }
    return refusals
  }

  func placeRefusals(_ place: String?) -> Set<Refusal> {
    guard let place, !places.contains(place) else { return [] }
    return foreignPlaces.contains(place) ? [.foreign] : [.place]
  }

  /// The household is eight hours east of Greenwich.
  func day(_ moment: Int64) -> Int { Int((moment + 8 * 3_600_000) / 86_400_000) }

  func isOpenedTooLate(_ batch: Pile) -> Bool {
    guard let expiry = batch.expiry, let opened = batch.opened else { return false }
    return day(opened) > expiry
  }
}
