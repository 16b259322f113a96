internal import LarderModel

/// Acts on what is in the stock.
extension Doing {
  func put(
    _ id: String, _ amount: Deed.Amount, _ location: String??, _ expiry: Day??,
    _ change: inout Change
  ) throws {
    let item = try find(.stockItem, id, change)
    let quantity = amount.quantity(in: item.unit)
    _ = try change.edit.add(
      quantity, to: item, expiry: expiry.info, place: location, request: act.id,
      by: change.writer)
    change.subject = "put \(quantity) of \(item.title)"
  }

  func take(
    _ holder: Deed.Holder, _ amount: Deed.Amount?, _ why: LedgerEntry.Reason, _ note: String?,
    _ change: inout Change
  ) throws {
    let pile = try pile(holder, change)
    let all = holder.isItem ? change.survey.total(of: pile) : pile.quantity
    let quantity = amount?.quantity(in: pile.unit) ?? all
    if pile.kind == .stockItem {
      _ = try change.edit.take(
        quantity, from: pile, lot: holder.isItem ? nil : Lot(pile), why: why, note: note,
        request: act.id, by: change.writer)
    } else {
      _ = try change.edit.take(
        quantity, fromBatch: pile, why: why, note: note, request: act.id, by: change.writer)
    }
    let verb = why == .spoil ? "discard" : "use"
    change.subject = "\(verb) \(quantity) of \(change.edit.title(of: pile))"
  }

  func count(_ holder: Deed.Holder, _ amount: Deed.Amount, _ change: inout Change) throws {
    let pile = try pile(holder, change)
    let quantity = amount.quantity(in: pile.unit)
    if pile.kind == .stockItem {
      _ = try change.edit.count(
        quantity, of: pile, lot: holder.isItem ? nil : Lot(pile), by: change.writer)
    } else {
      try change.edit.count(quantity, ofBatch: pile, by: change.writer)
    }
    change.subject = "count \(quantity) of \(change.edit.title(of: pile))"
  }

  func move(
    _ holder: Deed.Holder, _ place: String, _ amount: Deed.Amount?, _ expiry: Day??,
    _ change: inout Change
  ) throws {
    let pile = try pile(holder, change)
    let quantity = amount?.quantity(in: pile.unit)
    _ = try change.edit.move(
      pile, to: place, quantity: quantity, expiry: expiry.update, by: change.writer)
    let name = change.edit.after[.storageLocation, place]?.title ?? place
    change.subject =
      "move \(quantity ?? pile.quantity) of \(change.edit.title(of: pile)) to \(name)"
  }

  func open(_ holder: Deed.Holder, _ amount: Deed.Amount?, _ change: inout Change) throws {
    let pile = try pile(holder, change)
    let opening = try change.edit.open(
      pile, quantity: amount?.quantity(in: pile.unit), at: change.writer.now, by: change.writer)
    change.subject = "open \(opening.quantity) of \(change.edit.title(of: pile))"
  }

  func date(
    _ holder: Deed.Holder, _ amount: Deed.Amount?, _ day: Day??, _ place: String??,
    _ change: inout Change
  ) throws {
    let pile = try pile(holder, change)
    var expiry = day.update
    if case .set(var info) = expiry, let known = pile.expiry?.kind, !known.isOfOrigin {
      info.kind = known
      expiry = .set(info)
    }
    let details: [FieldValue] = place.map { [(.storageLocationID, .string($0 ?? ""))] } ?? []
    _ = try change.edit.date(
      pile, expiry: expiry, with: details, quantity: amount?.quantity(in: pile.unit),
      by: change.writer)
    change.subject = "date \(change.edit.title(of: pile))"
  }

  /// Returns an item, or a batch or an item with what is there of it or lies loose.
  private func pile(_ holder: Deed.Holder, _ change: Change) throws -> Entity {
    let stock = Stock(change.edit.after)
    switch holder {
    case .item(let id): return try find(.stockItem, id, change)
    case .batch(let id): return stock.withoutLack(try find(.inventoryItem, id, change))
    case .loose(let id):
      let item = stock.withoutLack(try find(.stockItem, id, change))
      guard item.quantity.value > .zero else { throw ActError.nothingLoose(of: item.title) }
      return item
    }
  }
}

extension Deed.Holder {
  /// Whether it is all there is of an item.
  fileprivate var isItem: Bool {
    if case .item = self { true } else { false }
  }
}

extension Day?? {
  /// The expiry that was said; nil if nobody said one, `.some(nil)` for none.
  var info: ExpiryInfo?? { map { day in day.map { ExpiryInfo(.expiry, $0) } } }

  /// The change of an expiry that was said.
  fileprivate var update: DateUpdate<Day> {
    switch info {
    case nil: .keep
    case .some(nil): .remove
    case .some(let info?): .set(info)
    }
  }
}
