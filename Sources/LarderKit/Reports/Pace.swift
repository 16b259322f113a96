public import LarderModel

/// How fast an item is used, by the uses in its ledgers.
///
/// Only what was used counts: no counts, moves or corrections, nothing that was thrown away, and nothing
/// that was taken back.
public struct Pace: Hashable, Sendable {
  /// The quantity that was used in ``days`` days.
  public let used: Quantity
  /// The number of days, at most 365.
  public let days: Int
  /// The number of uses.
  public let uses: Int

  /// The quantity that is used in a week, rounded at the sixth decimal.
  public var perWeek: Quantity { Quantity(used(inDays: 7), used.unit) }

  /// The pace as people read it: what is used in a week or, if that is less than one, in 30 days.
  public var shown: (quantity: Quantity, isMonthly: Bool) {
    let isMonthly = perWeek.value < Number(1) && !used.unit.isTiny
    let amount = isMonthly ? used(inDays: 30) : perWeek.value
    let decimals = used.unit.isTiny ? 0 : amount < Number(1) ? 2 : 1
    return (Quantity(amount.rounded(decimals: decimals), used.unit), isMonthly)
  }

  /// Returns what is used in a number of days, in the item's unit.
  public func used(inDays count: Int) -> Number {
    used.value.multiplied(by: Number(count))?.divided(by: Number(days)) ?? .zero
  }

  /// Returns for how many whole days an amount in the item's unit lasts; nil for more than 3650.
  public func days(for amount: Number) -> Int? {
    guard amount > .zero else { return 0 }
    guard let product = amount.multiplied(by: Number(days)),
      let exact = product.divided(by: used.value), exact <= Number(3650)
    else { return nil }
    return Int(exact.rounded(decimals: 0).description)
  }
}

extension Survey {
  /// The numbers of days that are looked back, one after the other, until there are enough uses.
  private static let windows = [90, 365]
  /// The number of uses from which a pace is told.
  private static let fewestUses = 3
  /// The number of days from which a pace is told.
  private static let fewestDays = 7

  /// Returns how fast an item was used in the last 90 days or, if it was used less than three times, in
  /// the last 365.
  ///
  /// Nil if it was used less than three times, or if its ledgers know less than seven days.
  public func pace(of item: Entity) -> Pace? {
    let ledgers = ([item] + stock.batches(of: item)).map(\.ledger)
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
      // What one command takes of several batches is one use.
      let count = Set(latest.map(\.at)).count
      guard count >= Self.fewestUses, days >= Self.fewestDays, used > .zero else { continue }
      return Pace(used: Quantity(used, item.unit), days: days, uses: count)
    }
    return nil
  }

  /// Returns what will be left of an item's batches after their last days, by batch id, if it is used as
  /// fast as now; batches that will be used in time are left out.
  ///
  /// Batches are used in the order of `Stock.firstExpiredFirst(_:)`, until the end of their last days.
  /// Those that have expired are left out.
  public func leftOvers(of item: Entity) -> [String: Quantity] {
    guard let pace = pace(of: item) else { return [:] }
    var eaten = Number.zero
    var leftOvers: [String: Quantity] = [:]
    for batch in batches(of: item) where !batch.isExpired(on: calendar.today) {
      guard let there = batch.quantity.converted(to: item.unit) else { continue }
      guard let last = batch.lastDay else {
        // What never expires may wait, but people use it in this order.
        eaten = eaten + max(there, .zero)
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
}

extension Survey {
  /// Returns what will be left of lots after their last days, in their order; nil for those that will be
  /// used in time.
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
}

extension Ledger {
  /// Returns the time from which some ledgers together know all that happened; nil without an entry.
  ///
  /// A page leaves out what was before it.
  static func start(of ledgers: [Ledger]) -> Instant? {
    ledgers.compactMap(\.pageFrom).max() ?? ledgers.compactMap { $0.entries.first?.at }.min()
  }
}
