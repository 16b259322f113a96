internal import LarderText

/// The assignment of batches to items, and the totals of batches and loose stock.
///
/// A batch belongs to the item whose id is its product id, otherwise to the item that lists the
/// product. If several items list it, which is a mistake, it belongs to the one with the smallest
/// id.
///
/// Entities of other households are never included.
public struct Stock: Sendable {
  let household: Household
  private let householdID: String?

  public init(_ household: Household) {
    self.household = household
    householdID = household.own?.id
  }

  /// Whether an entity belongs to this household; an entity without a household id does.
  public func isOurs(_ entity: Entity) -> Bool {
    guard Schema.of(entity.kind).namesHousehold, let householdID, let claimed = entity.householdID
    else { return true }
    return claimed == householdID
  }

  /// The products that several items claim, with the items' ids.
  public var contested: [String: [String]] { household.products.contested }

  /// Returns the item of a batch; nil if no item claims its product.
  public func item(of batch: Entity) -> Entity? {
    household[.stockItem, batch.productID] ?? item(ofProduct: batch.productID)
  }

  /// Returns the item that people mean by an entity: of a batch, or of an entry of the shopping
  /// list.
  public func item(meantBy entity: Entity) -> Entity? {
    let schema = Schema.of(entity.kind)
    if schema.namesProduct { return item(of: entity) }
    return schema.namesItem ? entity.itemID.flatMap { household[.stockItem, $0] } : nil
  }

  /// Returns the name that people use for an entity; a batch or an entry of an item has the item's.
  public func title(of entity: Entity) -> String {
    item(meantBy: entity)?.title ?? entity.title
  }

  /// Returns the item that lists a product.
  public func item(ofProduct product: String) -> Entity? {
    household.products.items(claiming: product).min().flatMap { household[.stockItem, $0] }
  }

  /// Returns an item with its batches.
  public func holding(of item: Entity) -> Holding {
    Holding(item: item, batches: ownBatches(of: item))
  }

  /// Returns items with their batches; for many items, this is quicker than one by one.
  public func holdings(of items: [Entity]) -> [Holding] {
    let ours = household.all(.inventoryItem).filter { isOurs($0) }
    let batches = Dictionary(grouping: ours) { self.item(of: $0)?.key }
    return items.map { item in
      let found = batches.isEmpty ? [] : batches[item.key] ?? []
      return Holding(
        item: item, batches: found.count < 2 ? found : found.sorted { $0.id < $1.id })
    }
  }

  /// Returns all batches of an item ordered by id, including used up, discarded and archived ones.
  public func batches(of item: Entity) -> [Entity] { holding(of: item).batches }

  /// Whether an item has batches, whatever became of them.
  func hasBatches(_ item: Entity) -> Bool { !ownBatches(of: item).isEmpty }

  private func ownBatches(of item: Entity) -> [Entity] {
    let id = item.id
    let found = batches(naming: [id] + item.productIDs)
    let isKnown = !found.isEmpty && household[item.key] != nil
    return found.filter { batch in
      isKnown && batch.productID.hasSameBytes(as: id) || self.item(of: batch)?.id == id
    }
  }

  /// Returns all batches of a product ordered by id, independent of the item that claims it.
  public func batches(ofProduct product: String) -> [Entity] {
    if let item = household[.stockItem, product] ?? item(ofProduct: product) {
      return batches(of: item).filter { $0.productID.hasSameBytes(as: product) }
    }
    let found = batches(naming: [product])
    return found.min(by: Stock.isOlder).map { found.withoutLacks(in: $0.unit) } ?? []
  }

  private func batches(naming products: [String]) -> [Entity] {
    // A batch names one product only, so none is found twice.
    Set(products.map { EntityKey(.product, $0) })
      .flatMap { household.batches(of: $0.id) }.filter { isOurs($0) }
      .map { (id: $0.id, batch: $0) }.sorted { $0.id < $1.id }.map(\.batch)
  }

  /// Returns the total of an item: see ``Holding/total``.
  public func total(of item: Entity) -> Number { holding(of: item).total }

  /// Returns the latest time in an item and its batches.
  func latest(of item: Entity) -> Instant {
    batches(of: item).map(\.updatedAt).reduce(item.updatedAt, max)
  }

  /// Returns the batches of an item to take from: see ``Holding/usable``.
  public func firstExpiredFirst(of item: Entity) -> [Entity] { holding(of: item).usable }

  /// Returns the active batches with something left, first expired first: by the last day, those
  /// without one last, opened ones before others, then by the day they were made or packed, then by
  /// creation, then id.
  public static func firstExpiredFirst(_ batches: [Entity]) -> [Entity] {
    inUseOrder(batches.filter(\.hasSomethingLeft))
  }

  /// Returns batches in the order of ``firstExpiredFirst(_:)``, whatever is left of them.
  public static func inUseOrder(_ batches: [Entity]) -> [Entity] {
    batches.count < 2 ? batches : batches.map(UseOrder.init).sorted(by: <).map(\.entity)
  }

  /// Whether a batch is before another by creation, then id.
  static func isOlder(_ left: Entity, _ right: Entity) -> Bool {
    left.createdAt == right.createdAt ? left.id < right.id : left.createdAt < right.createdAt
  }
}

/// The place of a batch or an item in the order in which they are used; loose stock comes after all
/// batches.
struct UseOrder {
  let entity: Entity
  private let lastDay: Day?
  /// The day on which it was made or packed, for batches without a last day.
  private let originDay: Day?
  private let isOpen: Bool
  private let createdAt: Instant

  init(_ entity: Entity) {
    self.entity = entity
    let day = entity.expiryDay
    lastDay = day == nil ? nil : entity.lastDay
    originDay = lastDay == nil ? day : nil
    isOpen = entity.kind == .inventoryItem && entity.openedAt != nil
    createdAt = entity.createdAt
  }

  static func < (left: UseOrder, right: UseOrder) -> Bool {
    if left.entity.kind != right.entity.kind { return left.entity.kind == .inventoryItem }
    if left.lastDay != right.lastDay { return isEarlier(left.lastDay, right.lastDay) }
    if left.isOpen != right.isOpen { return left.isOpen }
    if left.originDay != right.originDay { return isEarlier(left.originDay, right.originDay) }
    return left.createdAt == right.createdAt
      ? left.entity.id < right.entity.id : left.createdAt < right.createdAt
  }

  /// Whether a day is before another one; no day is the last.
  private static func isEarlier(_ day: Day?, _ other: Day?) -> Bool {
    guard let day else { return false }
    return other.map { day < $0 } ?? true
  }
}

extension Entity {
  /// Whether a batch is active and above zero.
  public var hasSomethingLeft: Bool { isActive && quantity.value > .zero }

  /// Whether a batch counts: it is active, and above or below zero.
  public var makesDifference: Bool { isActive && quantity.value != .zero }
}

extension Stock {
  /// Throws `unitIsCounted` if some of an item, loose or in a batch, has a unit that does not
  /// convert to the item's new unit.
  public func check(_ unit: Unit, of item: Entity) throws(RuleError) {
    var counted = item.ledger.entries.isEmpty ? [] : [item.unit]
    counted += batches(of: item).filter(\.makesDifference).map(\.unit)
    guard let other = counted.first(where: { !unit.converts(to: $0) }) else { return }
    throw .unitIsCounted(item: item.title, wanted: unit, counted: other)
  }
}

/// Quantities that others put into an item without knowing that it was archived or merged.
extension Stock {
  /// Returns the quantity of an archived item that nobody meant to archive; nil if there is none.
  ///
  /// It is any quantity below zero. It is a quantity above zero if the quantity changed after the
  /// archiving, or if the archiving moved the stock to another item.
  public func leftBehind(of item: Entity) -> Quantity? {
    guard item.isTombstone, let archived = item.register(.isArchived)?.stamp else { return nil }
    let total = total(of: item)
    guard total != .zero else { return nil }
    let ledgers = [item.ledger] + batches(of: item).filter(\.isActive).map(\.ledger)
    let isMeant =
      total > .zero && !item.wasEmptied(at: archived)
      && ledgers.allSatisfy { ledger in ledger.counting.allSatisfy { $0.at <= archived } }
    return isMeant ? nil : Quantity(total, item.unit)
  }
}

extension Entity {
  /// Whether its loose stock was moved elsewhere in the edit that archived it, as a merge does.
  ///
  /// The stamps of one edit follow each other by milliseconds.
  fileprivate func wasEmptied(at archived: Instant) -> Bool {
    ledger.counting.contains { entry in
      guard entry.why == .move, case .delta(let number) = entry.event else { return false }
      return number < .zero && entry.at <= archived
        && archived <= entry.at.adding(milliseconds: 10)
    }
  }
}
