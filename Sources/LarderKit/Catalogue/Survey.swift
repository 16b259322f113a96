public import LarderCloud
public import LarderModel

/// A household with everything for looking things up: names, totals and its calendar.
public struct Survey: Sendable {
  public let household: Household
  public let naming: Naming
  public let calendar: HouseholdCalendar
  /// The cloud's state, for lists that show it.
  public var cloud: CloudState?

  public init(_ household: Household, now: Instant) {
    self.household = household
    calendar = HouseholdCalendar(of: household, now: now)
    naming = Naming(household, calendar: calendar)
  }

  public var stock: Stock { naming.stock }

  /// Returns an item's total, loose and in batches.
  public func total(of item: Entity) -> Quantity {
    Quantity(stock.total(of: item), item.unit)
  }

  /// Returns the part of an item's total that has not expired.
  public func usableTotal(of item: Entity) -> Quantity {
    Quantity(stock.holding(of: item).usableTotal(on: calendar.today), item.unit)
  }

  /// Returns the quantity that is missing to the full stock; zero if nothing is.
  public func missing(of item: Entity) -> Number {
    stock.missing(of: item, on: calendar.today)
  }

  /// Returns the batches of an item with something left, in the order in which they are used.
  public func batches(of item: Entity) -> [Entity] {
    stock.firstExpiredFirst(of: item)
  }

  /// All batches that count, also those below zero, the first to expire first.
  public var countingBatches: [Entity] {
    Stock.inUseOrder(stock.all(.inventoryItem).filter(\.makesDifference))
  }

  /// All batches with something left, the first to expire first.
  public var activeBatches: [Entity] {
    Stock.firstExpiredFirst(stock.all(.inventoryItem))
  }

  /// Returns the location that words name in full, also behind words such as `in the`; nil if none
  /// has the name.
  public func place(named words: String) -> Entity? {
    if let place = naming.named(words, .storageLocation) { return place }
    let name = words.split(separator: " ").drop { Self.placeWords.contains(fold(String($0))) }
    return naming.named(name.joined(separator: " "), .storageLocation)
  }

  /// Words before the name of a place.
  private static let placeWords: Set<String> = [
    "in", "into", "to", "at", "on", "the", "my", "our", "im", "ins", "den", "die", "das", "der",
    "dem",
  ]

  /// Returns the name of a batch's location.
  public func place(of batch: Entity) -> String? {
    batch.locationID.flatMap { household[.storageLocation, $0]?.title }
  }
}

/// Typed views of what is there; what is deleted or of another household is left out.
extension Survey {
  /// The items of the stock, ordered by name.
  public var items: [StockItem] { all(StockItem.self) }

  /// The entries of the shopping list, ordered by name.
  public var shoppingList: [ShoppingListEntry] { all(ShoppingListEntry.self) }

  /// The storage locations, ordered by name.
  public var locations: [StorageLocation] { all(StorageLocation.self) }

  /// The freezer that is meant where nobody says which: the first by name, a cold one before others;
  /// nil if there is none.
  public var freezer: Entity? {
    let freezers = locations.map(\.entity).filter(\.isFreezer)
      .sorted { ($0.title, $0.id) < ($1.title, $1.id) }
    return freezers.first { $0.flag(.isColdStorage) } ?? freezers.first
  }

  /// The location that is called a fridge, a cold one if there are several; nil if there is none.
  public var fridge: Entity? {
    let fridges = locations.map(\.entity).sorted { ($0.title, $0.id) < ($1.title, $1.id) }
      .filter { fold($0.title).contains("fridge") }
    return fridges.first { $0.flag(.isColdStorage) } ?? fridges.first
  }

  /// The products of the catalogue, ordered by title.
  public var products: [Product] { all(Product.self) }

  /// The receipts, ordered by shop.
  public var receipts: [Receipt] { all(Receipt.self) }

  /// The batches of an item with something left, in the order to use them.
  public func batches(of item: StockItem) -> [Batch] {
    batches(of: item.entity).map { Batch(entity: $0) }
  }

  /// The quantity of an item, loose and in batches.
  public func total(of item: StockItem) -> Quantity { stock.total(of: item) }

  /// The name that people use for an entity; an entry of an item has the item's.
  public func title(of view: some EntityView) -> String { naming.title(of: view.entity) }

  /// The one entity that words name: by its name or a part of it, a barcode, a path or an id.
  public func find<View: EntityView>(
    _ view: View.Type, _ words: String
  ) throws(NamingError) -> View {
    View(entity: try naming.find(words, View.kind))
  }

  /// The things of any kind, ordered by the name that people use.
  public func all<View: EntityView>(_ view: View.Type) -> [View] {
    stock.all(View.kind).filter { !$0.isTombstone }
      .sorted(byText: { naming.title(of: $0) }, thenID: \.id)
      .map { View(entity: $0) }
  }

  /// Returns the lots of an item with something left, in the order in which they are used.
  public func lots(of item: Entity) -> [Lot] {
    Lot.grouped(batches(of: item))
  }

  /// Returns the lots of an item that count, also those below zero, in the order in which they are
  /// used.
  public func countingLots(of item: Entity) -> [Lot] {
    Lot.grouped(Stock.inUseOrder(stock.batches(of: item).filter(\.makesDifference)))
  }

  /// Returns a lot of an item by its code, day, location, file or id; a file or an id matches one
  /// batch only, and `loose` is what lies in none.
  ///
  /// With `withConsumed`, used-up batches match if no other does; with `inFull`, a part is not enough.
  public func lot(
    _ words: String, of item: Entity, withConsumed: Bool = false, inFull: Bool = false
  ) throws(NamingError) -> Lot {
    let loose = stock.withoutLack(item)
    if fold(words) == "loose", loose.quantity.value > .zero { return Lot(loose) }
    let consumed = withConsumed ? stock.batches(of: item).filter(\.isConsumed) : []
    return try lot(words, of: item, among: [batches(of: item), consumed], inFull: inFull)
  }

  /// Returns a lot from the first group of an item's batches that has a match.
  ///
  /// A name in full comes before a part of one, in whatever group, and a part of an id last. The full
  /// name of another batch of the item, such as one that is used up, is not a part of these ones'.
  public func lot(
    _ words: String, of item: Entity, among groups: [[Entity]], inFull: Bool = false
  ) throws(NamingError) -> Lot {
    search: for steps in inFull ? Naming.Step.groupsInFull : Naming.Step.groups {
      for batches in groups {
        if let lot = try naming.lot(words, among: batches, by: steps) { return lot }
      }
      for batch in stock.batches(of: item) where steps == Naming.Step.inFull {
        if try naming.lot(words, among: [batch], by: steps) != nil { break search }
      }
    }
    throw .noLot(words, of: item, Lot.grouped(groups.flatMap(\.self)).map { marks(of: $0.first) })
  }

  /// Returns the values by which people tell a batch from others of its item.
  public func marks(of batch: Entity) -> LotMarks {
    LotMarks(
      day: batch.batchDay, code: batch.lotCode, place: place(of: batch),
      isOpen: batch.openedAt != nil)
  }

  /// Returns the quantity of an item for a typed amount; without a unit, it is in the item's.
  ///
  /// Customary units such as the pound are converted. Packs count as in ``packs(_:of:named:)``,
  /// which also lists its errors. Throws the error of ``refuseUnclear(_:of:)``.
  public func quantity(
    _ typed: TypedQuantity, of item: Entity, named words: String
  ) throws(RuleError) -> Quantity {
    if let packs = try packs(typed, of: item, named: words) { return packs }
    try refuseUnclear(typed, of: item)
    return household.counted(typed.quantity(in: item.unit), in: item.unit)
  }

  /// Returns the quantity for an item's entry on the list for a typed amount; without a unit, it is in
  /// `unit` or else the item's.
  ///
  /// It stays as it was typed if it does not convert to the item's unit, as packs of a size that is not
  /// known: somebody has to say how much that is when it is bought. Throws like
  /// ``quantity(_:of:named:)``.
  public func wish(
    _ typed: TypedQuantity, of item: Entity, in unit: Unit? = nil, named words: String
  ) throws(RuleError) -> Quantity {
    do throws(RuleError) {
      if let packs = try packs(typed, of: item, named: words) { return packs }
    } catch {
      guard typed.unit == .pack else { throw error }
      switch error {
      case .noPackSize, .severalPackSizes: break
      default: throw error
      }
    }
    let unit = unit ?? item.unit
    if unit.converts(to: item.unit) { try refuseUnclear(typed, of: item) }
    return household.counted(typed.quantity(in: unit), in: item.unit)
  }

  /// Throws `amountNeeded` for a number of grams or millilitres without a unit that is not whole, which
  /// may be a price, and for `half` and other fractions of a weight or a volume.
  public func refuseUnclear(_ typed: TypedQuantity, of item: Entity) throws(RuleError) {
    let isUnclear =
      item.unit.isTiny ? !typed.value.isWhole : typed.isPart && typed.value < Number(1)
    guard typed.unit == nil, item.unit.isMeasured, typed.value > .zero, isUnclear else { return }
    throw .amountNeeded(item: item.title, unit: item.unit)
  }

  /// Returns the quantity that is meant by an item's name without an amount.
  ///
  /// It is one pack if the words are the barcode of a product with a pack size, or if the item is
  /// a weight or a volume: no kilogram is anybody's amount. Otherwise it is one of the item's unit.
  /// Throws `amountNeeded` if the size of such a pack is not known.
  public func one(of item: Entity, named words: String) throws(RuleError) -> Quantity {
    if let product = product(withNumber: words, of: item),
      let size = packSize(of: product, in: item.unit)
    {
      return size
    }
    try refuseUnknownSize(of: product(withNumber: words, of: item), item)
    guard item.unit.isMeasured else { return Quantity(Number(1), item.unit) }
    return try mapError(try packSize(among: item.productIDs, of: item)) { (_: RuleError) in
      RuleError.amountNeeded(item: item.title, unit: item.unit)
    }
  }

  /// Returns by how much a tap on − or + changes a quantity of an item, in its unit: one pack, if its
  /// products have one size, otherwise one piece, a quarter of a kilogram or litre, or 50 g or ml.
  public func step(of item: Entity) -> Number {
    guard item.unit.isMeasured else { return Number(1) }
    let pack = try? packSize(among: item.productIDs, of: item).converted(to: item.unit)?.rounded
    if let pack, pack > .zero { return pack }
    return item.unit.isTiny ? Number(50) : Number(1, over: 4)
  }

  /// Returns the quantity that an entry on the list has already, if nobody says one and nothing is
  /// missing, or it can't be compared with what is, or the entry is in the basket; nil for what is
  /// missing or was bought last.
  public func keptWish(for item: Entity) -> Quantity? {
    guard let entry = household.entry(of: item), !entry.isTombstone,
      entry.isCompleted || missing(of: item) <= .zero || !entry.unit.converts(to: item.unit)
    else { return nil }
    return entry.desired
  }

  /// Returns the content of a typed number of packs, in a unit that converts to the item's.
  ///
  /// Nil if the amount is not in packs, or if the item itself is counted in packs. An amount is in
  /// packs if its unit says so, or if it has no unit and the words are the barcode of a product
  /// with a pack size. Throws `noPackSize`, `severalPackSizes` and `tooManyDigits`.
  public func packs(
    _ typed: TypedQuantity, of item: Entity, named words: String
  ) throws(RuleError) -> Quantity? {
    // An item may be counted in a unit that is a multiple of another one, such as `pfund`.
    if let own = typed.inWord, own.unit == item.unit { return own }
    // An item may be counted in `packungen`, or in `dosen` where `Dose` was typed.
    if let unit = typed.unit, unit != item.unit, TypedUnit.isSame(item.unit, unit) {
      return Quantity(typed.value, item.unit)
    }
    guard typed.unit == nil || typed.unit == .pack, item.unit != .pack else { return nil }
    let scanned = product(withNumber: words, of: item)
    var size = scanned.flatMap { packSize(of: $0, in: item.unit) }
    if typed.unit == .pack, size == nil {
      size = try packSize(among: scanned.map { [$0] } ?? item.productIDs, of: item)
    }
    if size == nil { try refuseUnknownSize(of: scanned, item) }
    if let scanned, size == nil, item.unit.isTiny {
      throw .noPackSize(item: item.title, unit: item.unit, product: scanned)
    }
    guard let size else { return nil }
    guard let value = typed.value.multiplied(by: size.value),
      let kept = Number(value.rounded.description)
    else { throw .tooManyDigits(typed.quantity(in: .pack)) }
    return Quantity(kept, size.unit)
  }

  /// Throws `noPackSize` for a product that is a pack or a box of something counted otherwise: nobody
  /// knows how much is in it.
  private func refuseUnknownSize(of product: String?, _ item: Entity) throws(RuleError) {
    guard let product, isUnknown(household[.product, product]?.packSize, of: item) else { return }
    throw .noPackSize(item: item.title, unit: item.unit, product: product)
  }

  /// Whether the size of a product is a pack or a box of an item that is counted otherwise.
  public func isUnknown(_ size: Quantity?, of item: Entity) -> Bool {
    guard let unit = size?.unit else { return false }
    return unit != item.unit && unit != .piece && !unit.isMeasured && !CustomaryUnit.measures(unit)
  }

  /// Returns the id of an item's product that is named by its barcode or id.
  public func product(withNumber words: String, of item: Entity) -> String? {
    let barcodes = Barcode.readings(of: words)
    return item.productIDs.first { id in
      id == words || id == "ean_" + words || barcodes.contains { $0.isMeant(by: id) }
        || household[.product, id].map { naming.isNamed($0, by: words) } ?? false
    }
  }

  /// Returns the one pack size of some products.
  private func packSize(
    among products: [String], of item: Entity
  ) throws(RuleError) -> Quantity {
    let sizes = Set(products.compactMap { packSize(of: $0, in: item.unit) })
      .sorted { $0.value < $1.value }
    guard let size = sizes.first else {
      throw .noPackSize(item: item.title, unit: item.unit, product: products.first)
    }
    guard sizes.count == 1 else { throw .severalPackSizes(item: item.title, sizes) }
    return size
  }

  /// Returns the content of a product's pack in a unit; nil if it is not known or does not convert.
  private func packSize(of product: String, in unit: Unit) -> Quantity? {
    guard let size = household[.product, product]?.packSize else { return nil }
    let counted = household.counted(size, in: unit)
    guard let value = counted.converted(to: unit), value.rounded > .zero else { return nil }
    return value.rounded == value ? Quantity(value, unit) : counted
  }

  /// Returns what it means today that the last day of a batch has passed, and the number of days
  /// since then; nil if it has not passed, as the day itself still counts.
  public func passedDay(of batch: Entity) -> (meaning: PassedDay, days: Int)? {
    let today = calendar.today
    return batch.passedDay(on: today).flatMap { meaning in
      batch.lastDay.map { (meaning, today.daysSinceEpoch - $0.daysSinceEpoch) }
    }
  }
}

/// The values by which people tell a batch from others of its item.
public struct LotMarks: Hashable, Sendable {
  public let day: BatchDay?
  public let code: String?
  /// The name of the batch's location.
  public let place: String?
  public let isOpen: Bool

  public init(day: BatchDay?, code: String?, place: String?, isOpen: Bool) {
    self.day = day
    self.code = code
    self.place = place
    self.isOpen = isOpen
  }
}

extension Unit {
  /// Whether the unit is so small that nobody means one of it, or a part of one.
  var isTiny: Bool { self == .gram || self == .milliliter }
}
