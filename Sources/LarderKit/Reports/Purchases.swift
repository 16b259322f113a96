public import LarderModel

/// The receipts of a household without void ones, read once for all reports.
public struct Purchases: Sendable {
  /// The receipts, the oldest first.
  public let receipts: [PaidReceipt]
  /// The household's currency, as a code of ISO 4217; nil if it has none.
  public let currency: String?

  /// Reads the receipts from one day to another, both included, in the household's time zone.
  ///
  /// A receipt without a currency is in the household's.
  public init(in survey: Survey, since first: Day? = nil, until last: Day? = nil) {
    var things = PaidThings(survey)
    let currency = survey.household.own?.currency
    var receipts: [PaidReceipt] = []
    for entity in survey.naming.all(.receipt) where !entity.isTombstone {
      let moment = entity.timestamp
      let day = survey.calendar.day(of: moment)
      guard first.map({ $0 <= day }) ?? true, last.map({ day <= $0 }) ?? true else { continue }
      receipts.append(
        PaidReceipt(entity, at: moment, on: day, currency: entity.currency ?? currency, &things))
    }
    self.currency = currency
    self.receipts = receipts.sorted { ($0.moment, $0.id) < ($1.moment, $1.id) }
  }

  private init(_ receipts: [PaidReceipt], currency: String?) {
    self.receipts = receipts
    self.currency = currency
  }

  /// Returns the purchases from one day to another, both included.
  public func between(_ first: Day?, _ last: Day?) -> Purchases {
    let found = receipts.filter { receipt in
      first.map { $0 <= receipt.day } ?? true && last.map { receipt.day <= $0 } ?? true
    }
    return Purchases(found, currency: currency)
  }

  /// The currencies of the receipts, the household's first, then by their codes.
  public var currencies: [String?] {
    Set(receipts.map(\.currency)).sorted { one, other in
      if (one == currency) != (other == currency) { return one == currency }
      return one ?? "" < other ?? ""
    }
  }
}

/// A receipt for reports.
public struct PaidReceipt: Sendable {
  public let id: String
  public let shop: String
  /// The time of the payment.
  public let moment: Instant
  /// The day of the payment in the household's time zone.
  public let day: Day
  /// The currency, as a code of ISO 4217; nil if neither the receipt nor the household has one.
  public let currency: String?
  public let lines: [PaidLine]
  /// The total on the receipt; nil if it has none.
  public let amount: Number?
  /// The sum of the lines' prices.
  public let sumOfPrices: Number

  init(
    _ entity: Entity, at moment: Instant, on day: Day, currency: String?,
    _ things: inout PaidThings
  ) {
    id = entity.id
    shop = entity.title
    self.moment = moment
    self.day = day
    self.currency = currency
    amount = entity.number(.amount)
    var lines: [PaidLine] = []
    for line in entity.lines {
      let thing = things.thing(itemID: line.itemID, named: line.itemName)
      // A line without an item's id does not count in the item's unit, even if it has the item's
      // name.
      let unit = line.unit ?? (line.itemID == nil ? .piece : thing.unit)
      let quantity = Quantity(line.quantity, unit)
      lines.append(PaidLine(thing: thing, quantity: quantity, price: line.price))
    }
    self.lines = lines
    sumOfPrices = lines.reduce(.zero) { $0 + ($1.price ?? .zero) }
  }

  /// The amount that was paid: the total or, without one, the sum of the known prices.
  public var total: Number { amount ?? sumOfPrices }

  /// The part of the total without a line's price; below zero for a discount on the whole.
  public var rest: Number { total - sumOfPrices }

  /// Whether the amount may be too low: there is no total, and some line has no price.
  public var isIncomplete: Bool {
    amount == nil && (lines.isEmpty || lines.contains { $0.price == nil })
  }
}

/// A receipt's line for reports.
public struct PaidLine: Sendable {
  public let thing: PaidThing
  public let quantity: Quantity
  /// The price of the whole line; nil if it has none.
  public let price: Number?
}
