/// An item with its batches.
public struct Holding: Sendable {
  /// The item; its quantity is what is there of the loose stock: what the active batches leave of
  /// the total.
  public let item: Entity
  /// All its batches ordered by id, including used up, discarded and archived ones.
  public let batches: [Entity]
  /// All there is, in the item's unit, rounded: what was counted last and what came and went since,
  /// loose or in a batch that converts, or without such a count all of it.
  ///
  /// A batch below zero counts. So if two devices both take the last one, each from its own
  /// version, the total is still two less. What it lacks is read as taken from the others.
  public let total: Number
  /// The batches and then the item, each with its quantity before anything is read as taken from
  /// another.
  let piles: [Entity]
  /// The item's ``Entity/fullStock`` and ``Entity/minimum``.
  public let fullStock: Number
  public let minimum: Number?

  init(item: Entity, batches: [Entity]) {
    fullStock = item.fullStock
    minimum = item.minimum
    let own = item.ownQuantity
    total = Self.total(of: item, batches)
    let loose = batches.filter(\.isActive).reduce(total) { rest, batch in
      rest - (batch.ownQuantity.converted(to: own.unit) ?? .zero)
    }.rounded
    piles = batches + [loose == own.value ? item.own : item.reading(loose)]
    let there = batches.isEmpty ? piles : piles.withoutLacks(in: own.unit)
    self.item = there.last ?? item
    self.batches = there.dropLast()
  }

  /// Returns all there is of an item with its batches, or all there was just before a moment, in the
  /// item's unit.
  static func total(
    of item: Entity, _ batches: [Entity], before moment: Instant? = nil
  ) -> Number {
    let unit = item.unit
    let anchor = moment == nil ? item.anchor : item.anchor(upTo: moment)
    let own = moment.map { item.ledger.sum(in: unit, before: $0) } ?? item.ownQuantity.value
    return batches.reduce(own + (anchor?.beyond ?? .zero)) { sum, batch in
      let share = Quantity(batch.share(since: anchor?.at, before: moment), batch.unit)
      return sum + (share.converted(to: unit) ?? .zero)
    }.rounded
  }

  /// Returns all there was just before each of some moments, by what is known now, in the item's
  /// unit.
  public func totals(before moments: [Instant]) -> [Number] {
    let (item, batches) = (item.decoded, batches.map(\.decoded))
    return moments.map { Self.total(of: item, batches, before: $0) }
  }

  /// Returns what is left of the batches that have expired, in the item's unit.
  public func expired(on today: Day) -> Number {
    batches.filter { $0.isExpired(on: today) }.reduce(Number.zero) { sum, batch in
      sum + (batch.quantity.converted(to: item.unit) ?? .zero)
    }.rounded
  }

  /// Returns the part of the total that can still be used: all but what has expired.
  public func usableTotal(on today: Day) -> Number { (total - expired(on: today)).rounded }

  /// Returns the quantity that is missing to the full stock, in the item's unit; zero if nothing is.
  public func missing(on today: Day) -> Number {
    max((fullStock - usableTotal(on: today)).rounded, .zero)
  }

  /// The step at which the total is.
  public var level: StockLevel { level(of: total) }

  private func level(of quantity: Number) -> StockLevel {
    if quantity <= .zero { return .usedUp }
    return minimum.map { quantity < $0 } ?? false ? .belowMinimum : .enough
  }

  /// Whether there is too little that can still be used: nothing, less than the minimum or, without
  /// one, less than half of the full stock.
  public func isLow(on today: Day) -> Bool {
    let usable = usableTotal(on: today)
    if level(of: usable) != .enough { return true }
    return minimum == nil && (usable + usable) < fullStock
  }

  /// The batches to take from, in the order of ``Stock/firstExpiredFirst(_:)``.
  public var usable: [Entity] {
    if batches.isEmpty { return [] }
    return Stock.firstExpiredFirst(batches.filter { $0.unit.converts(to: item.unit) })
  }
}

/// The steps of an item's total at which the shopping list gets it (docs/adoption.md, section 13).
public enum StockLevel: Int, Comparable, Sendable {
  case enough
  /// Something is there, but less than the item's minimum.
  case belowMinimum
  /// The total is zero or below.
  case usedUp

  public static func < (left: StockLevel, right: StockLevel) -> Bool {
    left.rawValue < right.rawValue
  }
}

extension Entity {
  /// The quantity of an item to have, in its unit: the greater of its full stock and its minimum.
  public var wantedStock: Number { max(fullStock, minimum ?? .zero) }
}
