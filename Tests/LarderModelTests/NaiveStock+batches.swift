import LarderModel

/// What becomes of batches.
extension NaiveStock {
  mutating func move(_ batch: Int, to place: String, _ amount: Amount?, isStale: Bool, _ new: New)
    -> Outcome
  {
    let refusals = changeRefusals(batch, amount, isStale: isStale).union(placeRefusals(place))
    guard refusals.isEmpty else { return .refused(refusals) }
    if let amount, shown(amount.grains, in: piles[batch].unit) < there(batch) {
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
    if let amount, shown(amount.grains, in: piles[batch].unit) < there(batch) {
      target = split(amount, off: batch, new) {
        $0.opened = moment
        $0.isUseBy = $0.isUseBy || $0.expiry == nil && expiry != nil
        $0.expiry = expiry
      }
    } else {
      piles[batch].opened = moment
      piles[batch].isUseBy = piles[batch].isUseBy || piles[batch].expiry == nil && expiry != nil
      piles[batch].expiry = expiry
    }
    return .done(Answer(target: target, warnings: isLate ? 1 : 0))
  }

  mutating func openLoose(_ amount: Amount, of item: Item, at moment: Int64, _ new: New) -> Outcome
  {
    var batch = Pile(id: "", product: item.id, unit: amount.unit)
    batch.opened = moment
    batch.expiry = expiry(ofOpened: batch)
    batch.isUseBy = batch.expiry != nil
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
    let there = max(0, shown(there(loose), in: amount.unit))
    if amount.grains > there { refusals.insert(.notEnough(there)) }
    guard refusals.isEmpty else { return .refused(refusals) }
    let target = likeOrNew(batch, new).index
    _ = put(-amount.grains, into: loose)
    return .done(Answer(target: put(amount.grains, into: target).pile))
  }

  mutating func restore(_ batch: Int) -> Outcome {
    guard !piles[batch].isForeign else { return .refused([.foreign]) }
    piles[batch].status = "active"
    piles[batch].goneAt = nil
    return .done(Answer())
  }

  /// Nil keeps a date, a date that is nil removes it.
  mutating func date(_ batch: Int, expiry: Int??, opened: Int64??, isStrict: Bool, isStale: Bool)
    -> Outcome
  {
    var dated = piles[batch]
    dated.expiry = expiry ?? dated.expiry
    if expiry != nil { dated.isUseBy = false }
    dated.opened = opened ?? dated.opened
    var refusals: Set<Refusal> = piles[batch].isForeign ? [.foreign] : []
    if isStale { refusals.insert(.version) }
    let isLate = isOpenedTooLate(dated)
    if isLate, isStrict { refusals.insert(.openedTooLate) }
    guard refusals.isEmpty else { return .refused(refusals) }
    if dated != piles[batch] { writeLacks(around: batch) }
    dated.events = piles[batch].events
    piles[batch] = dated
    return .done(Answer(warnings: isLate ? 1 : 0))
  }

  mutating func discard(_ batch: Int, isStale: Bool) -> Outcome {
    var refusals: Set<Refusal> = piles[batch].isForeign ? [.foreign] : []
    if isStale { refusals.insert(.version) }
    guard refusals.isEmpty else { return .refused(refusals) }
    if piles[batch].status != "discarded" { writeLacks(around: batch) }
    leave(batch, "discarded")
    return .done(Answer())
  }
}

extension NaiveStock {
  private mutating func split(
    _ amount: Amount, off batch: Int, _ new: New, _ change: (inout Pile) -> Void
  ) -> String {
    var piece = piles[batch]
    change(&piece)
    let target = likeOrNew(piece, new).index
    _ = put(-amount.grains, into: batch)
    return put(amount.grains, into: target).pile
  }

  private func changeRefusals(_ batch: Int, _ amount: Amount?, isStale: Bool) -> Set<Refusal> {
    var refusals = amount.map { self.refusals($0, of: piles[batch].unit) } ?? []
    if piles[batch].isForeign { refusals.insert(.foreign) }
    if isStale { refusals.insert(.version) }
    if !isLeft(batch) { refusals.insert(.notActive) }
    if let amount, !refusals.contains(.units),
      shown(amount.grains, in: piles[batch].unit) > there(batch)
    {
      refusals.insert(.notEnough(shown(there(batch), in: amount.unit)))
    }
    return refusals
  }

  private func expiry(ofOpened batch: Pile) -> Int? {
    let item = items.first { $0.id == batch.product }
    let days = (item?.products ?? [batch.product]).compactMap { keepingDays[$0] }.min()
    let latest = days.flatMap { days in batch.opened.map { day($0) + days } }
    return [latest, batch.expiry].compactMap(\.self).min()
  }
}
