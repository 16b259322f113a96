public import LarderJSON

/// How one entity differs between two versions, as values that people's words are made of.
public struct EntityDifference: Sendable {
  public let key: EntityKey
  /// The version before; nil for one that is new.
  public let before: Entity?
  /// The version after; nil where a file is gone.
  public let after: Entity?
  public let oldPath: String?
  public let path: String?
  /// What there was and what there is, where that differs: an item's loose stock, a batch's rest.
  public let quantity: Change<Quantity>?
  public let fields: [FieldChange]
  /// Ledger entries that only the version after has.
  public let entries: [LedgerEntry]

  /// Something before and after.
  public struct Change<Value: Sendable & Hashable>: Sendable, Hashable {
    public let before: Value?
    public let after: Value?
  }

  /// A register, or a part of one, that differs.
  public struct FieldChange: Sendable, Hashable {
    /// The names from the file's root: `expiryInfo`, or `productRef`.
    public let name: String
    public let before: JSON?
    public let after: JSON?
  }

  /// The difference of two versions of one entity; nil where there is none to see.
  ///
  /// Bookkeeping is left out: times, stamps and the ids that devices make.
  public init?(from before: Version?, to after: Version?) {
    guard let key = (after ?? before)?.entity.key else { return nil }
    self.key = key
    self.before = before?.entity
    self.after = after?.entity
    oldPath = before?.path
    path = after?.path
    let counts = Schema.of(key.kind).quantity != nil
    let was = counts ? before?.quantity : nil
    let now = counts ? after?.quantity : nil
    quantity = was == now ? nil : Change(before: was, after: now)
    fields = EntityDifference.fields(before?.entity, after?.entity)
    let known = before?.entity.ledger
    entries = after?.entity.ledger.entries.filter { known?[$0.id] == nil } ?? []
    if quantity == nil, fields.isEmpty, entries.isEmpty, oldPath == path { return nil }
  }

  private static func fields(_ before: Entity?, _ after: Entity?) -> [FieldChange] {
    var names = (after?.registers ?? []).map(\.name)
    for register in before?.registers ?? [] where after?.register(register.name) == nil {
      names.append(register.name)
    }
    return names.filter { !isBookkeeping($0) }.compactMap { name in
      let was = before?[name]
      let now = after?[name]
      return was == now ? nil : FieldChange(name: name, before: was, after: now)
    }
  }

  /// Whether a register says who made the entity and where, which no person ever writes.
  static func isBookkeeping(_ name: String) -> Bool { name == "userId" || name == "householdId" }

  /// Whether the entity is new in the version after.
  public var isNew: Bool { before == nil }

  /// Whether the version after is deleted and the one before was not.
  public var isDeleted: Bool {
    after.map { $0.isTombstone && !(before?.isTombstone ?? false) } ?? true
  }

  /// Whether the version after is there again and the one before was deleted.
  public var isRestored: Bool {
    before?.isTombstone ?? false && !(after?.isTombstone ?? true)
  }
}

extension EntityDifference {
  /// One version of an entity with its place and what it says there is.
  public struct Version: Sendable {
    public let entity: Entity
    public let path: String
    /// What the entity's file shows: the ledger's sum, or the number a person wrote beside it.
    public let quantity: Quantity

    public init(_ entity: Entity, at path: String) {
      self.entity = entity
      self.path = path
      quantity = entity.quantity
    }

    /// A file as it was written, its gaps left open: a file without an id is known by the one given,
    /// else by its path.
    public init(_ file: EntityFile, at path: String, id: String? = nil) {
      let entity = Entity(file, id: file.id ?? id ?? path, createdAt: file.createdAt ?? .earliest)
      self.entity = entity
      self.path = path
      quantity = Quantity(file.number ?? file.ledgerTotal, file.unit)
    }
  }
}

extension Household {
  /// How this household differs from a version before, in order of the files' paths.
  public func differences(from before: Household) -> [EntityDifference] {
    let gone = before.keys.filter { self[$0] == nil }
    return differences(from: before, of: keys(differingFrom: before) + gone)
  }

  /// How some entities differ from a version before, in order of the files' paths.
  public func differences(from before: Household, of keys: [EntityKey]) -> [EntityDifference] {
    keys.compactMap { key in
      EntityDifference(from: before.version(key), to: version(key))
    }.sorted { JSON.precedes($0.path ?? $0.oldPath ?? "", $1.path ?? $1.oldPath ?? "") }
  }

  private func version(_ key: EntityKey) -> EntityDifference.Version? {
    self[key].map { EntityDifference.Version($0, at: path(of: key) ?? "") }
  }
}
