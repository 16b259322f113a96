internal import LarderJSON
internal import LarderKit

/// The items, their batches and their places.
extension HouseholdState {
  func items(
    _ items: [HeldItem], _ purchases: Purchases, _ keeping: UsualKeeping
  ) -> [JSON] {
    let prices = purchases.pricesOfItems
    let since = survey.calendar.today.adding(days: -Self.days)
    let often = purchases.between(since, nil).often()
    return items.map { held in
      let id = held.item.id
      return item(
        held, price: prices[id],
        more: [
          "usual": usual(keeping.usual(of: held)), "often": often[id].map(self.often),
          "barcodes": barcodes(of: held.item),
        ])
    }
  }

  /// Returns an item with its batches, and with `more` of it.
  func item(_ held: HeldItem, price: PricedPurchase? = nil, more: JSON = [:]) -> JSON {
    let today = survey.calendar.today
    let (item, holding) = (held.item, held.holding)
    let leftOvers = survey.leftOvers(of: held)
    let level: String? =
      holding.total <= .zero ? "none" : holding.isLow(on: today) ? "low" : nil
    let loose = item.quantity.value
    let batches = Stock.inUseOrder(holding.batches.filter(\.makesDifference))
    let own: JSON = [
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
    return .object((own.members ?? []) + (more.members ?? []))
  }

  /// Returns where and for how long a thing is kept; nil if nothing is known of it.
  private func usual(_ usual: Usual) -> JSON? {
    usual == Usual()
      ? nil
      : [
        "location": usual.locationID.map { .string($0) },
        "days": usual.days.map { .number("\($0)") }, "isAbout": usual.isAbout ? .bool(true) : nil,
        "frozenDays": usual.frozenDays.map { .number("\($0)") },
        "hasNoDate": usual.hasNoDate ? .bool(true) : nil,
      ]
  }

  private func often(_ often: Often) -> JSON {
    [
      "days": .number("\(often.days)"), "last": .string(often.last.description),
      "quantity": often.quantity?.value.json,
      "unit": often.quantity.map { .string($0.unit.rawValue) },
    ]
  }

  /// Returns the numbers under the barcodes of an item's products, and what one pack is of the item.
  private func barcodes(of item: Entity) -> JSON? {
    let all = item.productIDs.flatMap { id -> [JSON] in
      let product = survey.household[.product, id].map { Product(entity: $0) }
      let size = product?.packSize
      var known: Set<Barcode> = []
      return ([id] + (product?.barcodes ?? [])).compactMap { number in
        guard let barcode = Barcode(written: number), known.insert(barcode).inserted else {
          return nil
        }
        return [
          "number": .string(barcode.description), "quantity": size?.value.json,
          "unit": size.map { .string($0.unit.rawValue) },
        ]
      }
    }
    return all.isEmpty ? nil : .array(all)
  }

  /// The items that are archived, ordered by name; nil if none is.
  var archived: JSON? {
    let items = survey.naming.all(.stockItem).filter(\.isTombstone)
      .sorted(byText: \.title, thenID: \.id)
    return items.isEmpty
      ? nil
      : .array(
        survey.stock.holdings(of: items).map { holding in
          let item = holding.item
          return [
            "id": .string(item.id), "name": .string(item.title), "aliases": item[.aliases],
            "category": item[.category], "quantityInStock": holding.total.json,
            "unit": .string(item.unit.rawValue),
            "updatedAt": .string(item.updatedAt.description),
          ]
        })
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

  func locations(_ items: [HeldItem]) -> [JSON] {
    survey.placesByUse(items).map { place, isInUse in
      [
        "id": .string(place.id), "name": .string(place.entity.title),
        "isColdStorage": .bool(place.entity.flag(.isColdStorage)),
        "isFreezer": .bool(place.entity.isFreezer), "inUse": isInUse ? .bool(true) : nil,
      ]
    }
  }

  var categories: [String] {
    var known: [String: String] = [:]
    for item in survey.items {
      if let category = item.entity.category { known[fold(category)] = category }
    }
    return known.sorted { $0.key < $1.key }.map(\.value)
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
