public import LarderModel

/// The things that were thrown away, from the ledgers, without what was undone.
///
/// A ledger with a page has only what happened since the page began.
public struct Waste: Sendable {
  /// One occasion on which something was thrown away.
  public struct Event: Sendable {
    public let thing: PaidThing
    public let moment: Instant
    /// The day in the household's time zone.
    public let day: Day
    public let quantity: Quantity
    /// The written reason; nil if there is none.
    public let reason: String?
    /// The cost; nil if no price is known.
    public let worth: Worth?
  }

  /// A cost, by a price that was paid.
  public struct Worth: Sendable {
    /// The cost, to two decimals.
    public let cost: Number
    public let currency: String?
  }

  /// The waste of one thing, in one unit, with costs in one currency.
  public struct Row: Sendable {
    public let thing: PaidThing
    public let quantity: Quantity
    public let times: Int
    /// The cost of all of it; nil if no price is known.
    public let worth: Worth?
    /// The reasons with the number of times, the most frequent first.
    public let reasons: [(reason: String, times: Int)]
  }

  /// The events, the oldest first.
  public let events: [Event]
  /// The rows; in each currency the most costly first, and those without a price last.
  public let rows: [Row]
  /// The total cost by currency, the household's currency first.
  public let totals: [Worth]

  /// The number of events without a known price.
  public var unpriced: Int { events.count { $0.worth == nil } }

  /// Reads the waste from one day to another, both included, in the household's time zone.
  ///
  /// An event is valued at the last price paid before it, otherwise at the first one after it.
  /// `purchases` has all purchases of the household.
  public init(
    in survey: Survey, _ purchases: Purchases, since first: Day? = nil, until last: Day? = nil
  ) {
    var reader = WasteReader(survey, purchases)
    let entities = survey.naming.all(.stockItem) + survey.naming.all(.inventoryItem)
    let events = Self.together(entities.flatMap { reader.events(of: $0) })
      .filter { event in
        first.map { $0 <= event.day } ?? true && last.map { event.day <= $0 } ?? true
      }
      .sorted { ($0.moment, $0.thing.name) < ($1.moment, $1.thing.name) }
    self.events = events
    let rows = Self.rows(of: events)
    self.rows = rows
    totals = purchases.currencies.compactMap { currency in
      let costs = rows.compactMap(\.worth).filter { $0.currency == currency }.map(\.cost)
      return costs.isEmpty ? nil : Worth(cost: costs.reduce(.zero, +), currency: currency)
    }
  }

  /// Returns events in which the parts of one command, from several batches, are one event.
  private static func together(_ parts: [Event]) -> [Event] {
    var events: [Event] = []
    var places: [Key: Int] = [:]
    for part in parts {
      let key = Key(
        thing: part.thing.key, moment: part.moment, unit: part.quantity.unit, reason: part.reason,
        currency: part.worth.map { [$0.currency] })
      if let place = places[key] {
        events[place] = events[place].with(part)
      } else {
        places[key] = events.count
        events.append(part)
      }
    }
    return events
  }

  /// What events or rows have in common that are one.
  private struct Key: Hashable {
    let thing: PaidThing.Key
    var moment: Instant?
    let unit: Unit
    var reason: String?
    /// The currency; nil without a price.
    let currency: [String?]?
  }

  private static func rows(of events: [Event]) -> [Row] {
    let groups = Dictionary(grouping: events) { event in
      Key(
        thing: event.thing.key, unit: event.quantity.unit.ofPrices,
        currency: event.worth.map { [$0.currency] })
    }
    return groups.values.map(row).sorted { one, other in
      let (code, otherCode) = (one.worth?.currency ?? "", other.worth?.currency ?? "")
      if one.worth != nil, other.worth != nil, code != otherCode { return code < otherCode }
      let (cost, otherCost) = (one.worth?.cost, other.worth?.cost)
      if cost != otherCost { return cost ?? Number(-1) > otherCost ?? Number(-1) }
      return (fold(one.thing.name), one.thing.itemID ?? "")
        < (fold(other.thing.name), other.thing.itemID ?? "")
    }
  }

  /// Returns the row of at least one event.
  private static func row(of events: [Event]) -> Row {
    let (thing, first) = (events[0].thing, events[0].quantity.unit)
    let unit = thing.unit.converts(to: first) ? thing.unit : first
    let amounts = events.compactMap { $0.quantity.converted(to: unit) }
    let worths = events.compactMap(\.worth)
    return Row(
      thing: thing, quantity: Quantity(amounts.reduce(.zero, +).rounded, unit),
      times: events.count,
      worth: worths.first.map { worth in
        Worth(cost: worths.map(\.cost).reduce(.zero, +), currency: worth.currency)
      },
      reasons: reasons(of: events))
  }

  private static func reasons(of events: [Event]) -> [(reason: String, times: Int)] {
    let groups = Dictionary(grouping: events.compactMap(\.reason)) { fold($0) }.values
    return groups.map { (reason: $0[0], times: $0.count) }.sorted { one, other in
      one.times == other.times ? fold(one.reason) < fold(other.reason) : one.times > other.times
    }
  }
}

/// The reader of waste, which looks up the prices of each thing once.
private struct WasteReader {
  private let survey: Survey
  private let histories: [PaidThing.Key: PriceHistory]
  private var things: PaidThings

  init(_ survey: Survey, _ purchases: Purchases) {
    self.survey = survey
    things = PaidThings(survey)
    histories = purchases.histories
  }

  /// Returns the waste of an item's loose stock or of a batch.
  mutating func events(of entity: Entity) -> [Waste.Event] {
    let spoiled = entity.ledger.counting.filter { $0.why == .spoil }
    guard !spoiled.isEmpty else { return [] }
    let item = entity.kind == .stockItem ? entity : survey.stock.item(of: entity)
    let thing = things.thing(itemID: item?.id, named: survey.naming.title(of: entity))
    return spoiled.compactMap { entry in
      guard case .delta(let change) = entry.event, change < .zero else { return nil }
      let quantity = Quantity(-change, entry.unit)
      let reason = entry.note.flatMap { fold($0).isEmpty ? nil : $0 }
      return Waste.Event(
        thing: thing, moment: entry.at, day: survey.calendar.day(of: entry.at),
        quantity: quantity, reason: reason,
        worth: histories[thing.key]?.worth(of: quantity, at: entry.at))
    }
  }
}

extension PriceHistory {
  /// Returns the value of an amount at a time, by the last price before it, otherwise by the first
  /// after it.
  fileprivate func worth(of amount: Quantity, at moment: Instant) -> Waste.Worth? {
    let fitting = purchases.filter { amount.unit.converts(to: $0.unit) }
    let purchase = fitting.last { $0.moment <= moment } ?? fitting.first
    return purchase.flatMap { purchase in
      purchase.cost(of: amount).map { Waste.Worth(cost: $0, currency: purchase.currency) }
    }
  }
}

extension Waste.Event {
  /// Returns the event together with another part of it.
  fileprivate func with(_ part: Waste.Event) -> Waste.Event {
    let amount = (quantity.value + part.quantity.value).rounded
    let costs = worth.map { known in
      Waste.Worth(cost: known.cost + (part.worth?.cost ?? .zero), currency: known.currency)
    }
    return Waste.Event(
      thing: thing, moment: moment, day: day, quantity: Quantity(amount, quantity.unit),
      reason: reason, worth: costs)
  }
}
