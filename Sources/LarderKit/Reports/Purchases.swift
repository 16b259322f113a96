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

/// The thing on a receipt's line: an item of the stock, otherwise a name.
public struct PaidThing: Hashable, Sendable {
  /// The key that is equal for lines about the same thing.
  public enum Key: Hashable, Sendable {
    /// The item with an id.
    case item(String)
    /// A folded name that is not the name of any item.
    case name(String)
  }

  public let key: Key
  /// The item's name, or the name on the line.
  public let name: String
  public let category: String?
  /// The unit of quantities that have none: the item's unit, or the piece.
  public let unit: Unit

  /// The item's id; nil if the thing is not an item.
  public var itemID: String? {
    if case .item(let id) = key { id } else { nil }
  }

  init(item: Entity) {
    key = .item(item.id)
    name = item.title
    category = item.category
    unit = item.unit
  }

  init(name: String) {
    key = .name(fold(name))
    self.name = name
    category = nil
    unit = .piece
  }
}

/// The things on receipt lines; each item is looked up once.
struct PaidThings {
  private let survey: Survey
  /// The items by their folded names and aliases; nil for a name that several items have.
  ///
  /// It is lazy, because most households need no item by name.
  private lazy var byName = Self.itemsByName(survey)
  private var known: [String: PaidThing] = [:]

  init(_ survey: Survey) { self.survey = survey }

  private static func itemsByName(_ survey: Survey) -> [String: Entity?] {
    var items: [String: Entity?] = [:]
    for item in survey.naming.all(.stockItem) where !item.isTombstone {
      for name in Set(item.ownNames.map { fold($0) }) {
        items[name] = items[name] == nil ? .some(item) : .some(nil)
      }
    }
    return items
  }

  /// Returns the thing with an item's id, or with a line's name.
  ///
  /// An archived item, as after a merge, counts as the live item with its name, if there is one.
  mutating func thing(itemID: String?, named name: String) -> PaidThing {
    if let itemID, let thing = known[itemID] { return thing }
    let item = itemID.flatMap { survey.household[.stockItem, $0] }
    guard let itemID, let item else {
      return (byName[fold(name)] ?? nil).map { PaidThing(item: $0) } ?? PaidThing(name: name)
    }
    let live = item.isTombstone ? byName[fold(item.title)] ?? nil : nil
    let thing = PaidThing(item: live ?? item)
    known[itemID] = thing
    return thing
  }
}

/// A month of the calendar, written `2026-11`.
public struct Month: Hashable, Comparable, Sendable {
  /// The number of months since January of year 0.
  private let index: Int

  /// The month of a day.
  public init(of day: Day) {
    let (year, month, _) = day.civil
    index = year * 12 + month - 1
  }

  private init(index: Int) { self.index = index }

  public var year: Int { index / 12 }

  /// The number of the month, from 1 to 12.
  public var number: Int { index % 12 + 1 }

  public var firstDay: Day {
    Day(year: year, month: number, day: 1) ?? Day(daysSinceEpoch: 0)
  }

  public static func < (left: Month, right: Month) -> Bool { left.index < right.index }

  public func adding(_ months: Int) -> Month { Month(index: index + months) }

  /// Returns the months from this one to another, both included; none if the other is earlier.
  public func through(_ last: Month) -> [Month] {
    index <= last.index ? (index...last.index).map { Month(index: $0) } : []
  }
}

extension Month: CustomStringConvertible {
  public var description: String {
    let digits = String(year)
    return String(repeating: "0", count: max(4 - digits.count, 0)) + digits
      + (number < 10 ? "-0" : "-") + String(number)
  }
}
