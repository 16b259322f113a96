/// An item with its batches.
public struct Holding: Sendable {
  /// The item; its quantity is what is there of the loose stock.
  public let item: Entity
  /// All its batches ordered by id, including used up, discarded and archived ones.
  public let batches: [Entity]
  /// The quantity in the item's unit: loose stock and active batches that convert, rounded.
  ///
  /// A batch below zero counts. So if two devices both take the last one, each from its own
  /// version, the total is still two less. What it lacks is read as taken from the others.
  public let total: Number
  /// The item's ``Entity/fullStock`` and ``Entity/minimum``.
  public let fullStock: Number
  public let minimum: Number?

  init(item: Entity, batches: [Entity]) {
    fullStock = item.fullStock
    minimum = item.minimum
    let loose = item.ownQuantity
    total =
      batches.filter(\.isActive).reduce(loose.value) { sum, batch in
        sum + (batch.ownQuantity.converted(to: loose.unit) ?? .zero)
      }
      .rounded
    let piles = batches.isEmpty ? [item.own] : (batches + [item.own]).withoutLacks(in: loose.unit)
    self.item = piles.last ?? item
    self.batches = piles.dropLast()
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
