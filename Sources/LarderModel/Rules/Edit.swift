internal import LarderJSON
public import LarderText

/// The writer of a change: the time, the device, the user, and the source of new ids.
public struct Writer: Sendable {
  public private(set) var now: Instant
  public let device: String
  public let userID: String
  public let newID: @Sendable () -> String
  /// Whether it stands for what people wrote into files, so that its counts are edits.
  private(set) var isEditor = false

  public init(
    now: Instant, device: String, userID: String, newID: @escaping @Sendable () -> String
  ) {
    self.now = now
    self.device = device
    self.userID = userID
    self.newID = newID
  }
}

extension Writer {
  /// Returns the writer of what people wrote into files; whatever it writes, every device derives.
  static func editor(at now: Instant) -> Writer {
    var writer = Writer(now: now, device: "edit", userID: "", newID: { "" })
    writer.isEditor = true
    return writer
  }

  /// Returns the writer at another time.
  func at(_ time: Instant) -> Writer {
    var writer = self
    writer.now = time
    return writer
  }
}

/// A change of the household in progress; nothing is written until the store commits it.
public struct Edit: Sendable {
  public let before: Household
  public private(set) var after: Household
  /// The keys that changed, in order of their first change.
  public private(set) var changed: [EntityKey] = []
  private var isChanged: Set<EntityKey> = []
  /// The levels of items before the commands that this edit takes back.
  var levels: [String: StockLevel] = [:]
  /// Whether this edit takes back commands.
  var takesBack = false

  public init(_ household: Household) {
    before = household
    after = household
  }

  /// Puts a new version of an entity, or a new entity at its default path.
  public mutating func put(_ entity: Entity, at path: FilePath? = nil) {
    guard after[entity.key] != entity || path != nil else { return }
    let place = path ?? after.path(of: entity.key) ?? after.defaultPath(for: entity)
    after.put(entity, at: place)
    if isChanged.insert(entity.key).inserted { changed.append(entity.key) }
  }

  /// Adds a ledger entry that an entity does not have yet.
  mutating func record(_ entry: LedgerEntry, in key: EntityKey) {
    after.record(entry, in: key)
    if isChanged.insert(key).inserted { changed.append(key) }
  }

  /// Removes an entity and its file as if they had never existed.
  ///
  /// Only for an entity that no other device can know. Otherwise it comes back, because a missing
  /// file does not mean deletion.
  public mutating func remove(_ key: EntityKey) {
    guard let path = after.path(of: key) else { return }
    after.forget(path: path)
    if isChanged.insert(key).inserted { changed.append(key) }
  }

  /// Marks the file at a path as untaken; the known entity stays.
  mutating func leave(_ path: FilePath, _ mistakes: FileMistakes) {
    after.untaken[path] = mistakes
  }

  /// Removes the mark for an untaken file at a path.
  mutating func clear(_ path: FilePath) {
    after.untaken[path] = nil
  }

  /// Writes fields of an existing entity, all with one stamp.
  ///
  /// Unchanged values keep their stamps.
  ///
  /// If the write restores a deleted entity, all given values get the new stamp, even unchanged
  /// ones. Otherwise another device that restores it with other values would win, independent of
  /// the times. With `again`, they get it too, although nothing was deleted.
  ///
  /// Whoever changes an entry of the shopping list wants it there: it is written to be on the list
  /// and, unless it is in the basket, not to be bought. So a removal or a purchase that the writer
  /// could not know of, and that is earlier, loses.
  public mutating func write(
    _ fields: [FieldValue], to key: EntityKey, now: Instant, again: Bool = false
  ) {
    guard var entity = after[key] else { return }
    let stamp = stamp(of: entity, now: now)
    let tombstone = Schema.of(key.kind).tombstone
    let isRevived =
      entity.isTombstone
      && fields.contains { $0.name == tombstone?.field && $0.value != tombstone?.value }
    var isNews = again || isRevived
    for field in fields where again || isRevived || entity[field.name] != field.value {
      entity.write(field.name, field.value, at: stamp)
      isNews = true
    }
    if isNews, key.kind == .shoppingListEntry, !entity.isTombstone {
      let named = Set(fields.map(\.name))
      if !named.contains(.isDeleted) { entity.write(.isDeleted, .bool(false), at: stamp) }
      if !named.contains(.isCompleted), isRevived || !entity.isCompleted {
        entity.write(.isCompleted, .bool(false), at: stamp)
      }
    }
    put(entity)
  }

  /// Returns the time of a change of an entity: after all that is known of it and, for a batch, after
  /// the last count of all there is of its item, also by a clock that is behind.
  func stamp(of target: Entity, now: Instant) -> Instant {
    let own = after[target.key]?.stamp(now: now) ?? max(now, target.createdAt)
    guard target.kind == .inventoryItem, let anchor = Stock(after).item(of: target)?.anchor
    else { return own }
    return max(own, anchor.at.next)
  }

  /// Returns a new entity with the given fields, the writer's `userId`, and defaults for the rest.
  public func new(
    _ kind: Kind, id: String? = nil, _ fields: [FieldValue], by writer: Writer
  ) -> Entity {
    var entity = Entity(kind, id: id ?? writer.newID(), createdAt: writer.now)
    for field in Schema.of(kind).registerFields {
      let given = fields.first { $0.name == field.name }?.value
      let value = given ?? surrounding(field, writer)
      if let value { entity.write(field.name, value, at: writer.now) }
    }
    return entity
  }

  private func surrounding(_ field: Field, _ writer: Writer) -> JSON? {
    switch field.name {
    case .userID: .string(writer.userID)
    case .householdID: after.own.map { .string($0.id) }
    case .timestamp: .string(writer.now.description)
    default: field.defaultValue
    }
  }

  /// Returns the name that people use for an entity.
  ///
  /// An entry or a batch of an item has the item's name.
  public func title(of entity: Entity) -> String { Stock(after).title(of: entity) }
}

/// What an entity needs a name for.
public enum NameClaim: Hashable, Sendable {
  /// A new entity, with the name that it has otherwise.
  case new(String)
  /// The entity with this name, as its new name; whether both may be one is known by their units.
  case rename(of: String, mayBeSame: Bool)
  /// The item with this name, as another name.
  case alias(of: String, mayBeSame: Bool)
}

/// The reason why a rule refused a change; nothing was changed.
public enum RuleError: Error, Hashable, Sendable {
  /// There is less than the requested quantity.
  case notEnough(item: String, wanted: Quantity, available: Quantity)
  /// A part is larger than the whole.
  case tooMuch(of: String, wanted: Quantity, available: Quantity)
  /// Two units don't convert.
  case unitsDoNotConvert(of: String, Unit, Unit)
  /// The ledger's entries don't convert to the unit.
  case unitIsCounted(item: String, wanted: Unit, counted: Unit)
  /// A quantity must be above zero.
  case notAboveZero(Quantity)
  case belowZero(Quantity)
  case itemIsArchived(item: String)
  /// A receipt needs at least one line.
  case nothingToSave
  case receiptIsVoid(id: String)
  case entryIsClosed(name: String)
  case tooManyDigits(Quantity)
  /// The call needs an amount, because no weight and no volume is meant without one.
  case amountNeeded(item: String, unit: Unit)
  /// The call needs the amount in the item's unit, to which the wanted quantity does not convert;
  /// `product` is one of the item's, if packs are wanted.
  case contentNeeded(item: String, Quantity, unit: Unit, product: String? = nil)
  /// No product of the item has a pack with a size in the item's unit; `product` is one of them, if
  /// there is any.
  case noPackSize(item: String, unit: Unit, product: String?)
  /// Products of the item have packs of different sizes.
  case severalPackSizes(item: String, [Quantity])
  /// Neither an item nor the catalogue has the product.
  case unknownProduct(String)
  /// Less of an item lies outside a location than was to be moved there.
  case tooLittleElsewhere(of: String, than: String, wanted: Quantity, available: Quantity)
  /// No location has the id.
  case unknownLocation(String)
  case locationIsArchived(String)
  /// The entity belongs to another household, the one with this id.
  case otherHousehold(String, household: String)
  /// The batch is used up, discarded or archived.
  case batchIsNotActive(String, status: String)
  /// The batch was changed after the version that the caller read.
  case changedSince(String, version: Instant, updated: Instant)
  /// A confidence must be from 0 to 1.
  case badConfidence(Number)
  case openedAfterExpiry(String, opened: Day, expiry: Day)
  case alreadyOpened(String, at: Instant)
  /// The two items to merge are the same.
  case sameItem(String)
  /// Another entity of the kind has the name.
  ///
  case nameIsTaken(Kind, name: String, holder: String, for: NameClaim)
  /// Another item claims the product; a product counts as only one item.
  case productIsClaimed(String, item: String, isArchived: Bool)
  /// Another product has the number.
  case numberIsTaken(String, product: String, isArchived: Bool)
  /// Two lines of one receipt name the same thing.
  case lineNamedTwice(String)
  /// A line of a receipt has the quantity zero.
  case lineOfNothing(String)
  /// The amount paid can't be below zero; a discount is a line with a price below zero.
  case amountBelowZero(Number)
  /// The price is that of each gram or millilitre of the quantity, which nobody means.
  case priceOfEach(String, Quantity, price: Number)
  /// The amount of a receipt is not the sum of its lines' prices.
  case amountDiffers(amount: Number, sum: Number, currency: String?)
  case notOnReceipt(String, shop: String)
  /// Several lines of a receipt have the name; the texts have their quantities.
  case severalLines(String, [String])
  /// An item was counted on the day of a receipt whose time is not known.
  case countedThatDay(item: String, Day)
  /// The receipt was changed after the version that somebody read.
  case receiptChanged(shop: String)
  /// The corrected thing is neither in the basket nor on a line.
  case notInBasket(String)
  /// A remote or the project knows the batch, so its file can't go for good.
  case knownElsewhere(String)
  /// Something else was done before under the request's id.
  case requestIsTaken(ServedRequest)
  /// A number has a wrong check digit.
  case badBarcode(String)
}
