public import LarderJSON

/// Who writes, when, and how new ids are made: the seams of every rule that writes.
public struct Writer: Sendable {
  public let now: Instant
  public let device: String
  public let userID: String
  public let newID: @Sendable () -> String

  public init(
    now: Instant, device: String, userID: String, newID: @escaping @Sendable () -> String
  ) {
    self.now = now
    self.device = device
    self.userID = userID
    self.newID = newID
  }
}

/// A change of the household in the making; nothing is written before the store commits it.
public struct Edit: Sendable {
  public let before: Household
  public private(set) var after: Household
  /// What changed, in the order it did.
  public private(set) var changed: [EntityKey] = []
  private var isChanged: Set<EntityKey> = []

  public init(_ household: Household) {
    before = household
    after = household
  }

  /// Puts a new version of an entity, or a new entity under its default path.
  public mutating func put(_ entity: Entity, at path: String? = nil) {
    guard after[entity.key] != entity || path != nil else { return }
    let place = path ?? after.path(of: entity.key) ?? after.defaultPath(for: entity)
    after.put(entity, at: place)
    if isChanged.insert(entity.key).inserted { changed.append(entity.key) }
  }

  /// Adds a quantity event that an entity does not have yet.
  mutating func record(_ entry: LedgerEntry, in key: EntityKey) {
    after.record(entry, in: key)
    if isChanged.insert(key).inserted { changed.append(key) }
  }

  /// Forgets an entity as if it had never been, file and all.
  ///
  /// Only for what nobody else can know: anywhere else, absence means nothing and it comes back.
  public mutating func remove(_ key: EntityKey) {
    guard let path = after.path(of: key) else { return }
    after.forget(path: path)
    if isChanged.insert(key).inserted { changed.append(key) }
  }

  /// Notes that the file at a path can't be read; what is known of its entity stays.
  mutating func leave(_ path: String, _ mistakes: FileMistakes) {
    after.unreadable[path] = mistakes
  }

  /// Notes that no unreadable file lies at a path any more.
  mutating func clear(_ path: String) {
    after.unreadable[path] = nil
  }

  /// Writes fields of an entity that is there, all with one stamp; unchanged values keep theirs.
  ///
  /// What brings a deleted entity back is new, also where it had the same values before: else another
  /// device that brings it back with other ones would win, whatever the times.
  public mutating func write(
    _ fields: [(name: String, value: JSON?)], to key: EntityKey, now: Instant
  ) {
    guard var entity = after[key] else { return }
    let stamp = entity.stamp(now: now)
    let tombstone = Schema.of(key.kind).tombstone
    let isRevived =
      entity.isTombstone
      && fields.contains { $0.name == tombstone?.field && $0.value != tombstone?.value }
    for field in fields where isRevived || entity[field.name] != field.value {
      entity.write(field.name, field.value, at: stamp)
    }
    put(entity)
  }

  /// A new entity with its fields, the writer's `userId` among them, and the defaults of the rest.
  public func new(
    _ kind: Kind, id: String? = nil, _ fields: [(name: String, value: JSON?)], by writer: Writer
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
    case "userId": .string(writer.userID)
    case "householdId": after.own.map { .string($0.id) }
    case "timestamp": .string(writer.now.description)
    default: field.defaultValue
    }
  }

  /// What people call an entity: an entry or a batch of an item has the item's name.
  public func title(of entity: Entity) -> String {
    let item: Entity? =
      switch entity.kind {
      case .shoppingListEntry: entity.itemID.flatMap { after[.stockItem, $0] }
      case .inventoryItem: Stock(after).item(of: entity)
      default: nil
      }
    return item?.title ?? entity.title
  }
}
