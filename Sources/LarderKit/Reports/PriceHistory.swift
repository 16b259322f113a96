public import LarderModel

/// The prices of one thing, purchase by purchase.
public struct PriceHistory: Sendable {
  public let thing: PaidThing
  /// The purchases with a price and an amount, the oldest first.
  public let purchases: [PricedPurchase]
  /// The number of lines without a price above zero or without an amount.
  public let unpriced: Int
  /// The purchases grouped by what can be compared; the group of the latest purchase comes first.
  public let courses: [PriceCourse]

  init(of thing: PaidThing, _ purchases: [PricedPurchase], unpriced: Int) {
    self.thing = thing
    self.purchases = purchases
    self.unpriced = unpriced
    courses = Dictionary(grouping: purchases) { [$0.currency ?? "", $0.unit.rawValue] }.values
      .map { PriceCourse(purchases: $0) }.sorted { PricedPurchase.precedes($1.last, $0.last) }
  }
}

/// A purchase of a thing, with its price per unit.
public struct PricedPurchase: Sendable {
  /// The id of the receipt.
  public let receiptID: String
  public let moment: Instant
  /// The day of the payment in the household's time zone.
  public let day: Day
  public let shop: String
  public let quantity: Quantity
  /// The price of the whole quantity.
  public let price: Number
  public let currency: String?
  /// The unit of the price: the kilogram or the litre for measures, otherwise the quantity's unit.
  public let unit: Unit
  /// The price of one unit, rounded to six decimals.
  public let pricePerUnit: Number
  /// The index of the line among all lines, which orders the lines of one receipt.
  let place: Int

  /// The price of one unit for people, with two decimals or, below one, three.
  public var shownPrice: TypedMoney { TypedMoney(pricePerUnit.shortened, currency) }

  /// Returns the cost of an amount at this price, to two decimals; nil if the units don't convert.
  public func cost(of amount: Quantity) -> Number? {
    guard let wanted = amount.converted(to: unit), let bought = quantity.converted(to: unit) else {
      return nil
    }
    return price.multiplied(by: wanted)?.divided(by: bought)?.rounded(decimals: 2)
  }

  /// Creates the purchase on a line; nil without a price or an amount.
  init?(_ line: PaidLine, on receipt: PaidReceipt, at place: Int) {
    let unit = line.quantity.unit.ofPrices
    guard let price = line.price, price > .zero, line.quantity.value > .zero,
      let amount = line.quantity.converted(to: unit), let perUnit = price.divided(by: amount)
    else { return nil }
    receiptID = receipt.id
    moment = receipt.moment
    day = receipt.day
    shop = receipt.shop
    quantity = line.quantity
    self.price = price
    currency = receipt.currency
    self.unit = unit
    pricePerUnit = perUnit
    self.place = place
  }

  static func precedes(_ one: PricedPurchase, _ other: PricedPurchase) -> Bool {
    one.place < other.place
  }
}

extension Number {
  /// The number as a price for people, with two decimals or, below one, three.
  public var shortened: Number {
    let isSmall = self < Number(1) && self > Number(-1)
    return rounded(decimals: isSmall ? 3 : 2)
  }
}

extension Unit {
  /// The unit in which prices are compared: the kilogram, the litre, or this unit.
  var ofPrices: Unit {
    switch self {
    case .gram, .kilogram: .kilogram
    case .milliliter, .liter: .liter
    case .piece, .pack, .own: self
    }
  }
}

/// The price of one thing over time, in one currency and one unit.
public struct PriceCourse: Sendable {
  /// The purchases, the oldest first; there is at least one.
  public let purchases: [PricedPurchase]

  public var last: PricedPurchase { purchases[purchases.count - 1] }
  public var currency: String? { last.currency }
  public var unit: Unit { last.unit }
  public var lowest: Number { purchases.map(\.pricePerUnit).min() ?? .zero }
  public var highest: Number { purchases.map(\.pricePerUnit).max() ?? .zero }

  /// The last purchase in each shop, the cheapest first.
  public var lastByShop: [PricedPurchase] {
    let latest = Dictionary(purchases.map { (fold($0.shop), $0) }) { $1 }
    return latest.values.sorted { one, other in
      one.pricePerUnit == other.pricePerUnit
        ? PricedPurchase.precedes(other, one) : one.pricePerUnit < other.pricePerUnit
    }
  }

  /// The last purchase in the shop whose last price is the lowest; nil if all shops have the same
  /// price.
  public var cheapest: PricedPurchase? {
    let shops = lastByShop
    guard let first = shops.first, let dearest = shops.last else { return nil }
    return first.pricePerUnit < dearest.pricePerUnit ? first : nil
  }

  /// The purchase nearest to a year before the last one; nil if none is within 60 days of that day.
  public var yearAgo: PricedPurchase? {
    let wanted = last.day.adding(months: -12).daysSinceEpoch
    let distances = purchases.map { ($0, abs($0.day.daysSinceEpoch - wanted)) }
    let nearest = distances.min { ($0.1, $0.0.place) < ($1.1, $1.0.place) }
    return nearest.flatMap { $0.1 <= 60 ? $0.0 : nil }
  }

  /// The change of the price since a year ago in percent, to one decimal; nil without ``yearAgo``.
  public var changeInPercent: Number? {
    guard let yearAgo else { return nil }
    let difference = last.pricePerUnit - yearAgo.pricePerUnit
    return difference.multiplied(by: Number(100))?.divided(by: yearAgo.pricePerUnit)?
      .rounded(decimals: 1)
  }
}

extension Purchases {
  /// Returns the prices of each thing, those bought most often first.
  public func prices() -> [PriceHistory] {
    histories { _ in true }.sorted(byText: \.thing.name).enumerated().sorted { one, other in
      let counts = (one.element.purchases.count, other.element.purchases.count)
      return counts.0 == counts.1 ? one.offset < other.offset : counts.0 > counts.1
    }.map(\.element)
  }

  /// Returns the prices of one thing; nil if it is on no receipt.
  public func prices(of key: PaidThing.Key) -> PriceHistory? { histories { $0 == key }.first }

  /// The prices of each thing, by its key.
  var histories: [PaidThing.Key: PriceHistory] {
    Dictionary(uniqueKeysWithValues: histories { _ in true }.map { ($0.thing.key, $0) })
  }

  /// Returns the prices of things, in any order.
  private func histories(where isWanted: (PaidThing.Key) -> Bool) -> [PriceHistory] {
    var lines: [PaidThing.Key: (thing: PaidThing, priced: [PricedPurchase], other: Int)] = [:]
    var place = 0
    for receipt in receipts {
      for line in receipt.lines where isWanted(line.thing.key) {
        let purchase = PricedPurchase(line, on: receipt, at: place)
        place += 1
        var known = lines[line.thing.key] ?? (line.thing, [], 0)
        lines[line.thing.key] = nil
        known.thing = line.thing
        if let purchase { known.priced.append(purchase) } else { known.other += 1 }
        lines[line.thing.key] = known
      }
    }
    return lines.values.map { PriceHistory(of: $0.thing, $0.priced, unpriced: $0.other) }
  }

  /// Returns the thing without an item that has this name; otherwise the only one whose name
  /// contains it.
  fileprivate func nameless(named words: String) -> PaidThing? {
    let wanted = fold(words)
    var found: [PaidThing.Key: PaidThing] = [:]
    for receipt in receipts {
      for line in receipt.lines where line.thing.itemID == nil {
        found[line.thing.key] = line.thing
      }
    }
    if let thing = found[.name(wanted)] { return thing }
    let parts = found.values.filter { !wanted.isEmpty && fold($0.name).contains(wanted) }
    return parts.count == 1 ? parts[0] : nil
  }
}

extension Survey {
  /// Returns the prices of the thing with a name: an item, otherwise a thing that is only on
  /// receipts.
  ///
  /// Throws `NamingError` if nothing has the name, or several have. For an item without purchases,
  /// the history is empty.
  public func prices(
    of words: String, in purchases: Purchases
  ) throws(NamingError) -> PriceHistory {
    do throws(NamingError) {
      return prices(of: try naming.find(words, .stockItem, .any), in: purchases)
    } catch {
      guard case .notFound = error, let thing = purchases.nameless(named: words) else {
        throw error
      }
      return purchases.prices(of: thing.key) ?? PriceHistory(of: thing, [], unpriced: 0)
    }
  }

  /// Returns the prices of an item.
  public func prices(of item: Entity, in purchases: Purchases) -> PriceHistory {
    var things = PaidThings(self)
    let thing = things.thing(itemID: item.id, named: item.title)
    return purchases.prices(of: thing.key) ?? PriceHistory(of: thing, [], unpriced: 0)
  }

  /// Returns the thing that words name, and the period at their end; nil for a missing part.
  ///
  /// If all words together are the name of a thing, there is no period.
  public func thingAndPeriod(_ words: [String]) -> (thing: String?, period: ClosedRange<Day>?) {
    let whole = words.joined(separator: " ")
    guard !words.isEmpty else { return (nil, nil) }
    if (try? naming.find(whole, .stockItem, .any)) != nil { return (whole, nil) }
    for count in (1...min(words.count, 3)).reversed() {
      let days = try? calendar.period(reading: words.suffix(count).joined(separator: " "))
      guard let days else { continue }
      // A thing that is only on receipts may have such a name.
      if Purchases(in: self).nameless(named: whole) != nil { return (whole, nil) }
      let thing = words.dropLast(count).joined(separator: " ")
      return (thing.isEmpty ? nil : thing, days)
    }
    return (whole, nil)
  }
}

/// The cost of shopping list entries, by the last prices paid for the same things.
public struct ShoppingEstimate: Sendable {
  /// The price of an entry in one shop.
  public struct Price: Sendable {
    /// The last purchase of the thing there.
    public let purchase: PricedPurchase
    /// The cost of the quantity that the entry asks for, to two decimals.
    public let cost: Number
  }

  /// The cost of several entries, in one shop or at the last price anywhere.
  public struct Sum: Sendable {
    public let currency: String?
    public fileprivate(set) var cost = Number.zero
    /// The number of entries with a known price.
    public fileprivate(set) var entries = 0
  }

  /// The prices of each entry by its id, the last purchase first; empty if no price is known.
  public let prices: [String: [Price]]
  /// The sums by currency, with each entry at its last price anywhere.
  public let together: [Sum]
  /// The sums by shop and currency: first those with most entries, then the cheapest.
  public let shops: [(shop: String, sum: Sum)]
  /// The entries without a known price, in the order of the list.
  public let unknown: [Entity]
  /// The number of entries.
  public let count: Int

  /// Estimates the cost of entries on the list, by the purchases of their household.
  public init(of entries: [Entity], in survey: Survey, by purchases: Purchases? = nil) {
    let purchases = purchases ?? Purchases(in: survey)
    var things = PaidThings(survey)
    let histories = purchases.histories
    var prices: [String: [Price]] = [:]
    for entry in entries {
      let thing = things.thing(itemID: entry.itemID, named: survey.naming.title(of: entry))
      let item = entry.itemID.flatMap { survey.household[.stockItem, $0] }
      let bought = item.flatMap { try? survey.content(of: entry.desired, as: $0) }
      prices[entry.id] = histories[thing.key]?.prices(of: bought ?? entry.desired) ?? []
    }
    self.prices = prices
    count = entries.count
    unknown = entries.filter { prices[$0.id]?.isEmpty ?? true }
    together = Self.together(entries.compactMap { prices[$0.id]?.first }, purchases.currencies)
    shops = Self.byShop(entries.flatMap { prices[$0.id] ?? [] })
  }

  private static func together(_ prices: [Price], _ currencies: [String?]) -> [Sum] {
    currencies.compactMap { currency in
      var sum = Sum(currency: currency)
      for price in prices where price.purchase.currency == currency { sum.add(price) }
      return sum.entries > 0 ? sum : nil
    }
  }

  private static func byShop(_ prices: [Price]) -> [(shop: String, sum: Sum)] {
    var sums: [[String]: (shop: String, sum: Sum)] = [:]
    for price in prices {
      let (shop, currency) = (price.purchase.shop, price.purchase.currency)
      let key = [fold(shop), currency ?? ""]
      sums[key, default: (shop, Sum(currency: currency))].sum.add(price)
    }
    return sums.values.sorted { one, other in
      if one.sum.entries != other.sum.entries { return one.sum.entries > other.sum.entries }
      return (one.sum.currency ?? "", one.sum.cost, fold(one.shop))
        < (other.sum.currency ?? "", other.sum.cost, fold(other.shop))
    }
  }
}

extension ShoppingEstimate.Sum {
  fileprivate mutating func add(_ price: ShoppingEstimate.Price) {
    cost = cost + price.cost
    entries += 1
  }
}

extension PriceHistory {
  /// Returns the cost of an amount at the last price in each shop, the last purchase first.
  fileprivate func prices(of amount: Quantity) -> [ShoppingEstimate.Price] {
    let fitting = courses.first { amount.unit.converts(to: $0.unit) }
    let purchases = (fitting?.lastByShop ?? []).sorted { PricedPurchase.precedes($1, $0) }
    return purchases.compactMap { purchase in
      purchase.cost(of: amount).map { ShoppingEstimate.Price(purchase: purchase, cost: $0) }
    }
  }
}
