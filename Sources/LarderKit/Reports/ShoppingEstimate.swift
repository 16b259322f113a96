public import LarderModel

/// The cost of entries of the shopping list, at the last prices that were paid for the same things.
public struct ShoppingEstimate: Sendable {
  /// The price of an entry in one shop.
  public struct Price: Sendable {
    /// The last purchase of it there.
    public let purchase: PricedPurchase
    /// The cost of what the entry asks for, to the hundredth.
    public let cost: Number
  }

  /// The cost of the entries together, in one shop or at the last price anywhere.
  public struct Sum: Sendable {
    public let currency: String?
    public fileprivate(set) var cost = Number.zero
    /// The number of entries of which a price is known.
    public fileprivate(set) var entries = 0
  }

  /// The prices of each entry by its id, that of the last purchase first; none for an entry without any.
  public let prices: [String: [Price]]
  /// The sums at the last price of each entry, wherever it was paid, by currency.
  public let together: [Sum]
  /// The sums by shop and currency, those with most entries first, then the cheapest of a currency.
  public let shops: [(shop: String, sum: Sum)]
  /// The entries of which no price is known, in the order of the list.
  public let unknown: [Entity]
  /// The number of entries.
  public let count: Int

  /// Estimates entries that are on the list.
  public init(of entries: [Entity], in survey: Survey) {
    let purchases = Purchases(in: survey)
    var things = PaidThings(survey)
    let histories = Dictionary(
      purchases.prices().map { ($0.thing.key, $0) }, uniquingKeysWith: { first, _ in first })
    var prices: [String: [Price]] = [:]
    for entry in entries {
      let thing = things.thing(itemID: entry.itemID, named: survey.naming.title(of: entry))
      prices[entry.id] = histories[thing.key]?.prices(of: entry.desired) ?? []
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
  /// Returns what an amount costs at the last price in each shop, that of the last purchase first.
  fileprivate func prices(of amount: Quantity) -> [ShoppingEstimate.Price] {
    let fitting = courses.first { amount.unit.converts(to: $0.unit) }
    let purchases = (fitting?.lastByShop ?? []).sorted { PricedPurchase.precedes($1, $0) }
    return purchases.compactMap { purchase in
      purchase.cost(of: amount).map { ShoppingEstimate.Price(purchase: purchase, cost: $0) }
    }
  }
}
