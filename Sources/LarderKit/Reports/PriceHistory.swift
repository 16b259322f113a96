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
    var lines: [PaidThing.Key: (thing: PaidThing, priced: [PricedPurchase], other: Int)] = [:]
    var place = 0
    for receipt in receipts {
      for line in receipt.lines {
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
      .sorted(byText: \.thing.name).enumerated().sorted { one, other in
        let counts = (one.element.purchases.count, other.element.purchases.count)
        return counts.0 == counts.1 ? one.offset < other.offset : counts.0 > counts.1
      }.map(\.element)
  }

  /// Returns the prices of one thing; nil if it is on no receipt.
  public func prices(of key: PaidThing.Key) -> PriceHistory? {
    var thing: PaidThing?
    var purchases: [PricedPurchase] = []
    var unpriced = 0
    for receipt in receipts {
      for line in receipt.lines where line.thing.key == key {
        thing = line.thing
        if let purchase = PricedPurchase(line, on: receipt, at: purchases.count) {
          purchases.append(purchase)
        } else {
          unpriced += 1
        }
      }
    }
    return thing.map { PriceHistory(of: $0, purchases, unpriced: unpriced) }
  }
}
