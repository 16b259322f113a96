internal import LarderJSON
public import LarderText

/// The writer of a change: the time, the device, the user, and the source of new ids.
public struct Writer: Sendable {
  public let now: Instant
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
    let stamp = entity.stamp(now: now)
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
