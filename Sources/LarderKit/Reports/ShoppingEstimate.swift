public import LarderModel

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

  /// Estimates the cost of entries on the list.
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
  /// Returns the cost of an amount at the last price in each shop, the last purchase first.
  fileprivate func prices(of amount: Quantity) -> [ShoppingEstimate.Price] {
    let fitting = courses.first { amount.unit.converts(to: $0.unit) }
    let purchases = (fitting?.lastByShop ?? []).sorted { PricedPurchase.precedes($1, $0) }
    return purchases.compactMap { purchase in
      purchase.cost(of: amount).map { ShoppingEstimate.Price(purchase: purchase, cost: $0) }
    }
  }
}
