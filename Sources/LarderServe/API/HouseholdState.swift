internal import LarderJSON
internal import LarderKit

/// What the screens of a phone need of a household, as `GET state` answers it (docs/protocol.md).
struct HouseholdState {
  /// The number of the form of this answer.
  static let format = 1
  /// How long back the state has receipts, in days.
  static let days = 365

  private let survey: Survey
  private let purchases: Purchases

  init(_ survey: Survey) {
    self.survey = survey
    purchases = Purchases(in: survey)
  }

  /// Returns the whole answer for a phone.
  ///
  /// `trouble` says why nothing can be written now, `notSynced` why the household does not sync.
  func json(version: String?, phone: String, trouble: String?, notSynced: JSON?) -> JSON {
    let own = survey.household.own
    return [
      "format": .number("\(Self.format)"), "version": version.map { .string($0) },
      "now": .string(survey.calendar.now.description),
      "today": .string(survey.calendar.today.description),
      "phone": ["name": .string(phone)],
      "household": [
        "id": own.map { .string($0.id) }, "name": .string(own?.title ?? ""),
        "timeZone": .string(own?.timeZone ?? "UTC"), "currency": own?[.currency],
        "expiringWithinDays": .number("\(own?.expiringWithinDays ?? 14)"),
        "trouble": trouble.map { .string($0) }, "notSynced": notSynced,
      ],
      "items": .array(items), "entries": .array(entries), "locations": .array(locations),
      "receipts": .array(receipts(since: survey.calendar.today.adding(days: -Self.days))),
      "shops": .array(shops.map { .string($0) }),
      "categories": .array(categories.map { .string($0) }),
    ]
  }
}

// MARK: - The stock

extension HouseholdState {
  private var items: [JSON] {
    let prices = purchases.pricesOfItems
    return survey.items.map { item($0.entity, price: prices[$0.id]) }
  }

  /// Returns an item with its batches.
  func item(_ item: Entity, price: PricedPurchase? = nil) -> JSON {
    let today = survey.calendar.today
    let holding = survey.stock.holding(of: item)
    let leftOvers = survey.leftOvers(of: item)
    let level: String? =
      holding.total <= .zero ? "none" : holding.isLow(on: today) ? "low" : nil
    let loose = holding.item.quantity.value
    let batches = Stock.inUseOrder(holding.batches.filter(\.makesDifference))
    return [
      "id": .string(item.id), "name": .string(item.title), "unit": .string(item.unit.rawValue),
      "category": item[.category], "aliases": item[.aliases], "note": item[.note],
      "quantityInStock": holding.total.json, "quantityFullStock": item.fullStock.positive?.json,
      "quantityMinimum": item.minimum?.json,
      "level": level.map { .string($0) },
      "storageLocationId": item.locationID.map { .string($0) }, "keepsDays": item[.keepsDays],
      "step": survey.step(of: item).json,
      "price": price.flatMap { $0.cost(of: Quantity(Number(1), item.unit)) }?.json,
      "loose": batches.isEmpty || loose == .zero ? nil : loose.json,
      "batches": batches.isEmpty
        ? nil : .array(batches.map { batch($0, of: item, leftOver: leftOvers[$0.id]) }),
      "isArchived": item.isTombstone ? .bool(true) : nil,
      "updatedAt": .string(item.updatedAt.description),
    ]
  }

  private func batch(_ batch: Entity, of item: Entity, leftOver: Quantity?) -> JSON {
    [
      "id": .string(batch.id), "quantity": batch.quantity.value.json,
      "unit": batch.unit == item.unit ? nil : .string(batch.unit.rawValue),
      "storageLocationId": batch.locationID.map { .string($0) },
      "expiry": date(batch),
      "openedAt": batch.openedAt.map { .string($0.description) },
      "notes": batch[.notes], "leftOver": leftOver?.value.json,
      "updatedAt": .string(batch.updatedAt.description),
    ]
  }

  /// Returns the day until which a batch keeps; nil if it has none that counts.
  private func date(_ batch: Entity) -> JSON? {
    guard let last = batch.lastDay, let day = batch.batchDay else { return nil }
    return [
      "isoDate": .string(last.description), "kind": .string(day.kind.rawValue),
      "confidence": batch[.expiryInfo]?[.confidence], "isGuess": day.isGuess ? .bool(true) : nil,
      "isBest": batch.passedDay(on: last.adding(days: 1)) == .pastBest ? .bool(true) : nil,
    ]
  }

  private var locations: [JSON] {
    survey.locations.map { place in
      [
        "id": .string(place.id), "name": .string(place.entity.title),
        "isColdStorage": .bool(place.entity.flag(.isColdStorage)),
        "isFreezer": .bool(place.entity.isFreezer),
      ]
    }
  }

  private var categories: [String] {
    var known: [String: String] = [:]
    for item in survey.items {
      if let category = item.entity.category { known[fold(category)] = category }
    }
    return known.sorted { $0.key < $1.key }.map(\.value)
  }
}

// MARK: - The list and the receipts

extension HouseholdState {
  private var entries: [JSON] {
    let list = survey.shoppingList.map(\.entity)
    let prices = ShoppingEstimate(of: list, in: survey).prices
    return list.map { entry in
      let item = entry.itemID.flatMap { survey.household[.stockItem, $0] }
      return [
        "id": .string(entry.id), "itemId": item.map { .string($0.id) },
        "name": .string(survey.naming.title(of: entry)),
        "desiredQuantity": entry.desired.value.json, "unit": .string(entry.unit.rawValue),
        "content": item.flatMap { content(of: entry, as: $0) }?.json,
        "note": entry[.note], "category": item?[.category],
        "isCompleted": .bool(entry.isCompleted),
        "price": prices[entry.id]?.first?.cost.json,
        "createdAt": .string(entry.createdAt.description),
        "updatedAt": .string(entry.updatedAt.description),
      ]
    }
  }

  /// Returns what an entry in another unit than its item's comes to in that one; nil if nobody knows
  /// it, or the units say it.
  private func content(of entry: Entity, as item: Entity) -> Number? {
    guard !entry.unit.converts(to: item.unit) else { return nil }
    return (try? survey.content(of: entry.desired, as: item))?.converted(to: item.unit)?.rounded
  }

  /// Returns receipts, the newest first, from a day on or before a moment.
  func receipts(
    since first: Day? = nil, before end: Instant? = nil, most: Int = .max
  ) -> [JSON] {
    let start = first.map { survey.calendar.instant(of: $0) }
    return newestReceipts.filter { receipt in
      start.map { receipt.timestamp >= $0 } ?? true && end.map { receipt.timestamp < $0 } ?? true
    }
    .prefix(most).map { receipt in
      let lines = receipt.lines
      return [
        "id": .string(receipt.id), "shopName": .string(receipt.title),
        "timestamp": .string(receipt.timestamp.description), "amount": receipt[.amount],
        "currency": receipt[.currency], "lines": .number("\(lines.count)"),
        "names": .array(lines.prefix(4).map { .string($0.itemName) }),
      ]
    }
  }

  private var newestReceipts: [Entity] {
    survey.receipts.map(\.entity).newestFirst
  }

  /// The shops, those of the newest receipts first.
  private var shops: [String] {
    var known: Set<String> = []
    return newestReceipts.map(\.title).filter { known.insert(fold($0)).inserted }.prefix(20)
      .map { $0 }
  }

  /// Returns a receipt with its lines.
  func receipt(_ receipt: Entity) -> JSON {
    let keys: Set<String> = [
      "id", "itemName", "quantity", "unit", "itemId", "price", "expiry", "location",
    ]
    return [
      "id": .string(receipt.id), "shopName": .string(receipt.title),
      "timestamp": .string(receipt.timestamp.description), "amount": receipt[.amount],
      "currency": receipt[.currency], "isDeleted": .bool(receipt.isTombstone),
      "items": .array(
        receipt.lines.map { line in
          .object((line.json.members ?? []).filter { keys.contains($0.key) })
        }),
      "updatedAt": .string(receipt.updatedAt.description),
    ]
  }

  /// Returns an item with its pace and its last changes.
  func details(of item: Entity, changes: [JSON]) -> JSON {
    let history = survey.prices(of: item, in: purchases)
    let pace = survey.pace(of: item).map { pace -> JSON in
      let total = survey.stock.holding(of: item).usableTotal(on: survey.calendar.today)
      return [
        "perWeek": pace.perWeek.value.rounded(decimals: 1).json,
        "lastsDays": pace.days(for: total).map { .number("\($0)") },
      ]
    }
    return [
      "item": self.item(item, price: history.courses.first?.last), "pace": pace,
      "changes": .array(changes),
    ]
  }
}

extension Purchases {
  /// The last purchase of each item by its id.
  fileprivate var pricesOfItems: [String: PricedPurchase] {
    var last: [String: PricedPurchase] = [:]
    for history in prices() {
      if let id = history.thing.itemID { last[id] = history.courses.first?.last }
    }
    return last
  }
}

extension Number {
  /// The number, unless it is zero or below.
  fileprivate var positive: Number? { self > .zero ? self : nil }
}
