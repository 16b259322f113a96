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
  mutating func serve(_ request: String?, _ change: (inout Self) -> Outcome) -> Outcome {
    if let request, var answer = answers[request] {
      answer.isRepeated = true
      return .done(answer)
    }
    let outcome = change(&self)
    if let request, case .done(let answer) = outcome { answers[request] = answer }
    return outcome
  }

  mutating func add(_ amount: Amount, to item: Item) -> Outcome {
    let refusals = refusals(amount, of: item.unit)
    guard refusals.isEmpty, let pile = index(item.id) else { return .refused(refusals) }
    let part = put(amount.grains, into: pile)
    return .done(Answer(parts: [part], total: total(of: item)))
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
    let part = put(amount.grains, into: index)
    return .done(
      Answer(
        parts: [part], total: total(ofProduct: like.product), isNewBatch: isNew,
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
    if !piles[batch].hasSomethingLeft { refusals.insert(.notActive) }
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
    let grains = shown(amount.grains, in: piles[batch].unit)
    piles[batch].events.append(Event(grains: grains, isCount: true))
    return .done(Answer())
  }

  private mutating func take(
    _ amount: Amount, from sources: [Int], of product: String, partially: Bool, archiving: Bool
  ) -> Outcome {
    var wanted = amount.grains
    var takes: [(pile: Int, grains: Int)] = []
    for source in sources where wanted > 0 {
      let there = piles[source].rest
      takes.append((source, shown(there, in: amount.unit) <= wanted ? there : wanted))
      wanted -= min(shown(there, in: amount.unit), wanted)
    }
    guard wanted == 0 || partially && !takes.isEmpty else {
      return .refused([.notEnough(amount.grains - wanted)])
    }
    var answer = Answer()
    for (pile, grains) in takes {
      let part = put(-grains, into: pile)
      answer.parts.append(.init(pile: part.pile, grains: grains, rest: part.rest))
      if archiving, !piles[pile].isLoose, part.rest == 0 { piles[pile].status = "archived" }
    }
    answer.total = total(ofProduct: product)
    return .done(answer)
  }

  mutating func count(_ amount: Amount, of item: Item, lot: [Int]?) -> Outcome {
    var refusals: Set<Refusal> = amount.grains < 0 ? [.belowZero] : []
    if !convert(amount.unit, lot.map { piles[$0[0]].unit } ?? item.unit) { refusals.insert(.units) }
    let loose = index(item.id) ?? 0
    let elsewhere = lot == nil ? total(of: item) - piles[loose].rest : 0
    if elsewhere > amount.grains { refusals.insert(.tooMuchInBatches) }
    if lot?.contains(where: { piles[$0].isForeign }) ?? false { refusals.insert(.foreign) }
    guard refusals.isEmpty else { return .refused(refusals) }
    let target = lot?[0] ?? loose
    let grains = shown(amount.grains - elsewhere, in: piles[target].unit)
    piles[target].events.append(Event(grains: grains, isCount: true))
    for other in lot?.dropFirst() ?? [] {
      piles[other].events.append(Event(grains: 0, isCount: true))
    }
    let part = Answer.Part(
      pile: piles[target].id, grains: amount.grains, rest: piles[target].rest)
    return .done(Answer(parts: [part], total: total(of: item)))
  }
}

/// What becomes of batches.
extension NaiveStock {
  mutating func move(_ batch: Int, to place: String, _ amount: Amount?, isStale: Bool, _ new: New)
    -> Outcome
  {
    let refusals = changeRefusals(batch, amount, isStale: isStale).union(placeRefusals(place))
    guard refusals.isEmpty else { return .refused(refusals) }
    if let amount, shown(amount.grains, in: piles[batch].unit) < piles[batch].rest {
      guard piles[batch].place != place else { return .done(Answer(target: piles[batch].id)) }
      return .done(Answer(target: split(amount, off: batch, new) { $0.place = place }))
    }
    piles[batch].place = place
    return .done(Answer(target: piles[batch].id))
  }

  mutating func open(
    _ batch: Int, _ amount: Amount?, at moment: Int64, isStrict: Bool, isStale: Bool, _ new: New
  ) -> Outcome {
    var refusals = changeRefusals(batch, amount, isStale: isStale)
    var opened = piles[batch]
    opened.opened = moment
    let isLate = isOpenedTooLate(opened)
    if isLate, isStrict { refusals.insert(.openedTooLate) }
    if piles[batch].opened != nil { refusals.insert(.opened) }
    guard refusals.isEmpty else { return .refused(refusals) }
    let expiry = expiry(ofOpened: opened)
    var target = piles[batch].id
    if let amount, shown(amount.grains, in: piles[batch].unit) < piles[batch].rest {
      target = split(amount, off: batch, new) {
        $0.opened = moment
        $0.expiry = expiry
      }
    } else {
      piles[batch].opened = moment
      piles[batch].expiry = expiry
    }
    return .done(Answer(target: target, warnings: isLate ? 1 : 0))
  }

  mutating func openLoose(_ amount: Amount, of item: Item, at moment: Int64, _ new: New) -> Outcome
  {
    var batch = Pile(id: "", product: item.id, unit: amount.unit)
    batch.opened = moment
    batch.expiry = expiry(ofOpened: batch)
    return take(amount, looseOf: item, as: batch, new)
  }

  mutating func moveLoose(_ amount: Amount, of item: Item, to place: String, _ new: New) -> Outcome
  {
    var batch = Pile(id: "", product: item.id, unit: amount.unit)
    batch.place = place
    return take(amount, looseOf: item, as: batch, new)
  }

  private mutating func take(_ amount: Amount, looseOf item: Item, as batch: Pile, _ new: New)
    -> Outcome
  {
    let loose = index(item.id) ?? 0
    var refusals = refusals(amount, of: item.unit).union(placeRefusals(batch.place))
    let there = max(0, shown(piles[loose].rest, in: amount.unit))
    if amount.grains > there { refusals.insert(.notEnough(there)) }
    guard refusals.isEmpty else { return .refused(refusals) }
    let target = likeOrNew(batch, new).index
    _ = put(-amount.grains, into: loose)
    return .done(Answer(target: put(amount.grains, into: target).pile))
  }

  mutating func restore(_ batch: Int) -> Outcome {
    guard !piles[batch].isForeign else { return .refused([.foreign]) }
    piles[batch].status = "active"
    return .done(Answer())
  }

  /// Nil keeps a date, a date that is nil removes it.
  mutating func date(_ batch: Int, expiry: Int??, opened: Int64??, isStrict: Bool, isStale: Bool)
    -> Outcome
  {
    var dated = piles[batch]
    dated.expiry = expiry ?? dated.expiry
    dated.opened = opened ?? dated.opened
    var refusals: Set<Refusal> = piles[batch].isForeign ? [.foreign] : []
    if isStale { refusals.insert(.version) }
    let isLate = isOpenedTooLate(dated)
    if isLate, isStrict { refusals.insert(.openedTooLate) }
    guard refusals.isEmpty else { return .refused(refusals) }
    piles[batch] = dated
    return .done(Answer(warnings: isLate ? 1 : 0))
  }

  mutating func discard(_ batch: Int, isStale: Bool) -> Outcome {
    var refusals: Set<Refusal> = piles[batch].isForeign ? [.foreign] : []
    if isStale { refusals.insert(.version) }
    guard refusals.isEmpty else { return .refused(refusals) }
    piles[batch].status = "discarded"
    return .done(Answer())
  }
}

extension NaiveStock {
  /// What the rules call a batch that they make, and when all were made.
  struct New {
    let id: String
    let times: [String: Int64]

    var made: Int64 { times[id] ?? 0 }
  }

  private mutating func put(_ grains: Int, into pile: Int) -> Answer.Part {
    piles[pile].events.append(Event(grains: grains))
    return Answer.Part(pile: piles[pile].id, grains: grains, rest: piles[pile].rest)
  }

  private mutating func likeOrNew(_ like: Pile, _ new: New) -> (index: Int, isNew: Bool) {
    let alike = batches { $0.hasSomethingLeft && $0.isLike(like) }
    if let oldest = alike.first { return (oldest, false) }
    var batch = Pile(id: new.id, product: like.product, unit: like.unit, made: new.made)
    (batch.expiry, batch.opened, batch.place, batch.lot) =
      (like.expiry, like.opened, like.place, like.lot)
    piles.append(batch)
    return (piles.count - 1, true)
  }

  private mutating func split(
    _ amount: Amount, off batch: Int, _ new: New, _ change: (inout Pile) -> Void
  ) -> String {
    var piece = piles[batch]
    change(&piece)
    let target = likeOrNew(piece, new).index
    _ = put(-amount.grains, into: batch)
    return put(amount.grains, into: target).pile
  }

  private func refusals(_ amount: Amount, of unit: Unit) -> Set<Refusal> {
    var refusals: Set<Refusal> = amount.grains > 0 ? [] : [.notAboveZero]
    if !convert(amount.unit, unit) { refusals.insert(.units) }
    return refusals
  }

  func placeRefusals(_ place: String?) -> Set<Refusal> {
    guard let place, !places.contains(place) else { return [] }
    return foreignPlaces.contains(place) ? [.foreign] : [.place]
  }

  private func changeRefusals(_ batch: Int, _ amount: Amount?, isStale: Bool) -> Set<Refusal> {
    var refusals = amount.map { self.refusals($0, of: piles[batch].unit) } ?? []
    if piles[batch].isForeign { refusals.insert(.foreign) }
    if isStale { refusals.insert(.version) }
    if !piles[batch].hasSomethingLeft { refusals.insert(.notActive) }
    if let amount, !refusals.contains(.units),
      shown(amount.grains, in: piles[batch].unit) > piles[batch].rest
    {
      refusals.insert(.notEnough(shown(piles[batch].rest, in: amount.unit)))
    }
    return refusals
  }

  /// The household is eight hours east of Greenwich.
  private func day(_ moment: Int64) -> Int { Int((moment + 8 * 3_600_000) / 86_400_000) }

  private func isOpenedTooLate(_ batch: Pile) -> Bool {
    guard let expiry = batch.expiry, let opened = batch.opened else { return false }
    return day(opened) > expiry
  }

  private func expiry(ofOpened batch: Pile) -> Int? {
    let item = items.first { $0.id == batch.product }
    let days = (item?.products ?? [batch.product]).compactMap { keepingDays[$0] }.min()
    let latest = days.flatMap { days in batch.opened.map { day($0) + days } }
    return [latest, batch.expiry].compactMap(\.self).min()
  }
}
