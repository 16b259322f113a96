public import LarderModel

/// The speed at which an item is used, from its ledgers.
///
/// Only uses count: no counts, moves or corrections, nothing thrown away, and nothing that was
/// undone.
public struct Pace: Hashable, Sendable {
  /// The quantity that was used in ``days`` days.
  public let used: Quantity
  /// The number of days, at most 365.
  public let days: Int
  /// The number of uses.
  public let uses: Int

  /// The quantity used in a week, rounded to six decimals.
  public var perWeek: Quantity { Quantity(used(inDays: 7), used.unit) }

  /// The pace for people: the quantity used in a week or, if that is less than one, in 30 days.
  public var shown: (quantity: Quantity, isMonthly: Bool) {
    let isMonthly = perWeek.value < Number(1) && !used.unit.isTiny
    let amount = isMonthly ? used(inDays: 30) : perWeek.value
    let decimals = used.unit.isTiny ? 0 : amount < Number(1) ? 2 : 1
    return (Quantity(amount.rounded(decimals: decimals), used.unit), isMonthly)
  }

  /// Returns the quantity used in a number of days, in the item's unit.
  public func used(inDays count: Int) -> Number {
    used.value.multiplied(by: Number(count))?.divided(by: Number(days)) ?? .zero
  }

  /// Returns the number of whole days for which an amount in the item's unit lasts; nil above 3650.
  public func days(for amount: Number) -> Int? {
    guard amount > .zero else { return 0 }
    guard let product = amount.multiplied(by: Number(days)),
      let exact = product.divided(by: used.value), exact <= Number(3650)
    else { return nil }
    return Int(exact.rounded(decimals: 0).description)
  }
}

extension Survey {
  /// The periods to look at, in days; the second one is used if the first has too few uses.
  private static let windows = [90, 365]
  /// The smallest number of uses for a pace.
  private static let fewestUses = 3
  /// The smallest number of days for a pace.
  private static let fewestDays = 7

  /// Returns the pace of an item in the last 90 days or, with fewer than three uses, in the last
  /// 365.
  ///
  /// Nil with fewer than three uses, or if its ledgers cover fewer than seven days.
  public func pace(of item: Entity) -> Pace? { pace(of: held(item)) }

  /// Returns the pace of an item, as ``pace(of:)-(Entity)`` does.
  public func pace(of held: HeldItem) -> Pace? {
    let (item, ledgers) = (held.item, held.ledgers)
    guard let start = Ledger.start(of: ledgers) else { return nil }
    let known = calendar.today.daysSinceEpoch - calendar.day(of: start).daysSinceEpoch + 1
    let uses = ledgers.flatMap(\.counting).filter { entry in
      entry.why == .consume && entry.at <= calendar.now
        && entry.quantity.map { $0.value < .zero } ?? false
    }
    for window in Self.windows {
      let days = min(window, known)
      let first = calendar.instant(of: calendar.today.adding(days: 1 - days))
      let latest = uses.filter { $0.at >= first }
      let used = latest.compactMap { entry -> Number? in
        guard case .delta(let change) = entry.event else { return nil }
        return Quantity(-change, entry.unit).converted(to: item.unit)
      }.reduce(.zero, +).rounded
      // One command that uses several batches counts as one use.
      let count = Set(latest.map(\.at)).count
      guard count >= Self.fewestUses, days >= Self.fewestDays, used > .zero else { continue }
      return Pace(used: Quantity(used, item.unit), days: days, uses: count)
    }
    return nil
  }

  /// Returns the quantities of an item's batches that will be left after their last days, by batch
  /// id.
  ///
  /// It assumes that the item is used at its pace, in the order of `Stock.firstExpiredFirst(_:)`.
  /// Expired batches, and batches that will be used in time, are left out. What is past its best is
  /// used first, and is not left over.
  public func leftOvers(of item: Entity) -> [String: Quantity] { leftOvers(of: held(item)) }

  /// Returns what will be left of an item's batches, as ``leftOvers(of:)-(Entity)`` does.
  public func leftOvers(of held: HeldItem) -> [String: Quantity] {
    guard let pace = pace(of: held) else { return [:] }
    let item = held.item
    var eaten = Number.zero
    var leftOvers: [String: Quantity] = [:]
    for batch in held.holding.usable where !batch.isExpired(on: calendar.today) {
      guard let there = batch.quantity.converted(to: item.unit) else { continue }
      // Batches that never expire are used last.
      guard let last = batch.lastDay else { break }
      guard last >= calendar.today else {
        eaten = eaten + there
        continue
      }
      let days = last.daysSinceEpoch - calendar.today.daysSinceEpoch + 1
      let eatable = max(pace.used(inDays: days) - eaten, .zero)
      eaten = eaten + min(there, eatable)
      let rest = (there - eatable).rounded(decimals: item.unit.isTiny ? 0 : 1)
      if rest > .zero { leftOvers[batch.id] = Quantity(rest, item.unit) }
    }
    return leftOvers
  }

  /// Returns the quantity of each lot that will be left after its last day; nil if it will be used
  /// in time.
  public func leftOvers(of lots: [Lot]) -> [Quantity?] {
    var rests: [String: Quantity] = [:]
    var known: Set<String> = []
    for item in lots.compactMap({ stock.item(of: $0.first) }) where known.insert(item.id).inserted {
      rests.merge(leftOvers(of: item)) { $1 }
    }
    return lots.map { lot in
      let found = lot.batches.compactMap { rests[$0.id] }
      return found.first.map { Quantity(found.map(\.value).reduce(.zero, +), $0.unit) }
    }
  }

  /// Returns an item's stock at the end of each day in the household's time zone; for today, its
  /// stock now.
  ///
  /// Days before the first entry of its ledgers are left out, because their stock is not known.
  public func stockCourse(of item: Entity, on days: [Day]) -> StockCourse {
    let holding = stock.holding(of: item)
    let ledgers = ([item] + holding.batches).map(\.ledger)
    let start = Ledger.start(of: ledgers).map { calendar.day(of: $0) }
    let known = days.filter { day in start.map { $0 <= day } ?? false }
    let ends = known.map { min(calendar.instant(of: $0.adding(days: 1)), calendar.now.next) }
    let points = zip(known, holding.totals(before: ends)).map { (day: $0, quantity: $1) }
    return StockCourse(item: item, points: points)
  }
}

extension Ledger {
  /// Returns the time since which the ledgers are complete; nil without an entry.
  ///
  /// A page of a ledger omits what happened before it.
  static func start(of ledgers: [Ledger]) -> Instant? {
    ledgers.compactMap(\.pageFrom).max() ?? ledgers.compactMap { $0.entries.first?.at }.min()
  }
}

/// The stock of one item over time, from the ledgers of the item and its batches.
public struct StockCourse: Sendable {
  public let item: Entity
  /// The quantities at the ends of days, the oldest first, in the item's unit.
  public let points: [(day: Day, quantity: Number)]
}
