/// What is there of each batch and of the loose stock, where more was taken from one than was in it
/// (docs/adoption.md, section 18).
///
/// Two devices may use the same litre apart. The ledgers keep saying so, and the total is right. What
/// the one lot lacks was in truth taken from the others, so it is read as taken from them.
extension [Entity] {
  /// Returns the piles of a holding with what is there of each.
  ///
  /// What those below zero lack is taken from the others, in the order of taking. Only if all is not
  /// enough, the last of those stay below zero. Batches that don't count, or don't convert to the
  /// unit, stay as they are.
  func withoutLacks(in unit: Unit) -> [Entity] {
    let parts = lent(in: unit)
    guard !parts.isEmpty else { return self }
    var there: [EntityKey: Number] = [:]
    for part in parts {
      for (pile, number) in [(part.giver, -part.quantity.value), (part.taker, part.quantity.value)]
      {
        let left = there[pile.key] ?? pile.quantity.converted(to: unit.smallest) ?? .zero
        there[pile.key] = left + number
      }
    }
    return map { pile in
      let number = there[pile.key].map { Quantity($0, unit.smallest) }?.converted(to: pile.unit)
      return number.map { pile.reading($0.rounded) } ?? pile
    }
  }

  /// A quantity, in the smallest unit, that is read as taken from one although the ledger of another
  /// has it.
  typealias LentPart = (giver: Entity, taker: Entity, quantity: Quantity)

  /// Returns what those below zero lack, by whom it is taken from.
  func lent(in unit: Unit) -> [LentPart] {
    let counting = filter {
      $0.isActive && $0.unit.converts(to: unit) && $0.quantity.value != .zero
    }
    guard counting.contains(where: { $0.quantity.value < .zero }) else { return [] }
    let piles = Stock.inUseOrder(counting).map { pile in
      (pile: pile, number: pile.quantity.converted(to: unit.smallest) ?? .zero)
    }
    var givers = piles.filter { $0.number > .zero }[...]
    var parts: [LentPart] = []
    for (taker, number) in piles where number < .zero {
      var lack = -number
      while lack > .zero, let giver = givers.first {
        let part = Swift.min(lack, giver.number)
        parts.append((giver.pile, taker, Quantity(part, unit.smallest)))
        lack = lack - part
        givers[givers.startIndex].number = giver.number - part
        if part == giver.number { givers.removeFirst() }
      }
    }
    return parts
  }
}

extension Stock {
  /// All entities of a kind in this household, with what is there of each batch and item.
  public func all(_ kind: Kind) -> [Entity] {
    let ours = household.all(kind).filter(isOurs)
    guard Schema.of(kind).quantity != nil else { return ours }
    let read = readings
    return read.isEmpty ? ours : ours.map { read[$0.key] ?? $0 }
  }

  /// Returns a batch, or an item with its loose stock, with what is there of it.
  public func withoutLack(_ entity: Entity) -> Entity {
    guard isOurs(entity) else { return entity }
    if entity.kind == .stockItem { return holding(of: entity).item }
    return batches(ofProduct: entity.productID).first { $0.id == entity.id } ?? entity
  }

  /// Everything that is read differently from its ledger.
  var readings: [EntityKey: Entity] {
    let held = holdings(of: household.all(.stockItem)).flatMap { $0.batches + [$0.item] }
    let lacking = household.all(.inventoryItem).filter { batch in
      batch.isActive && batch.ownQuantity.value < .zero && isOurs(batch) && item(of: batch) == nil
    }
    let others = lacking.flatMap { batches(ofProduct: $0.productID) }
    return Dictionary((held + others).filter { $0.read != nil }.map { ($0.key, $0) }) { $1 }
  }

  /// Returns all from which something is taken together with an entity, before anything is read as
  /// taken from another: the batches and the loose stock of its item, otherwise the batches of its
  /// product.
  func piles(around entity: Entity) -> [Entity] {
    let item = entity.kind == .stockItem ? entity : item(of: entity)
    return item.map { holding(of: $0).piles } ?? batches(ofProduct: entity.productID).map(\.own)
  }
}

extension Edit {
  /// Writes down what is read of a holding in which more was taken from a lot than was in it, so that
  /// a count, a date or an addition changes nothing else.
  ///
  /// Two devices that do so from the same ledgers write the same entries. Both sides of a part have
  /// one time.
  mutating func writeLacks(around entity: Entity, by writer: Writer) {
    let piles = Stock(after).piles(around: entity)
    let unit = piles.last { $0.kind == .stockItem }?.unit ?? piles.min(by: Stock.isOlder)?.unit
    guard let unit else { return }
    for part in piles.lent(in: unit) {
      let last = part.taker.ledger.entries.last?.id ?? ""
      let amount = part.quantity
      let now = [part.giver, part.taker].map { stamp(of: $0, now: writer.now) }.max()
      for (pile, number) in [(part.giver, -amount.value), (part.taker, amount.value)] {
        guard var pile = after[pile.key], let now else { continue }
        pile.record(
          LedgerEntry(
            id: Identifier.derived(
              from: "lack", part.taker.id, last, part.giver.id, amount.value.description,
              amount.unit.rawValue, pile.id),
            at: now, .delta(number), unit: amount.unit, why: .move, by: writer.device))
        put(pile)
      }
    }
  }
}

extension Unit {
  /// The smallest unit that this one converts to, in which all quantities are exact.
  fileprivate var smallest: Unit {
    switch self {
    case .kilogram: .gram
    case .liter: .milliliter
    case .piece, .gram, .milliliter, .pack, .own: self
    }
  }
}
