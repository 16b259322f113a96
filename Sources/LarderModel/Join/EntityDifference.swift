public import LarderJSON
public import LarderText

/// The difference between two versions of one entity, as values for messages.
public struct EntityDifference: Sendable {
  public let key: EntityKey
  /// The earlier version; nil if the entity is new.
  public let before: Entity?
  /// The later version; nil if the file is gone.
  public let after: Entity?
  public let oldPath: FilePath?
  public let path: FilePath?
  /// The quantity before and after, if it differs: an item's loose stock, or a batch's rest.
  public private(set) var quantity: Change<Quantity>?
  /// What somebody wrote into an item's file as all there is, where it has batches; nil for nothing.
  public let counted: Quantity?
  public let fields: [FieldChange]
  /// The ledger entries that only the later version has.
  public let entries: [LedgerEntry]
  /// Those of the entries that people tell: see ``Ledger/told``.
  public var toldEntries: [LedgerEntry] {
    let own = Set(entries.map(\.id))
    return (after?.ledger.told ?? []).filter { own.contains($0.id) }
  }

  /// A value before and after.
  public struct Change<Value: Sendable & Hashable>: Sendable, Hashable {
    public let before: Value?
    public let after: Value?
  }

  /// A register that differs.
  public struct FieldChange: Sendable, Hashable {
    /// The name at the file's root, such as `expiryInfo` or `productRef`.
    public let name: FieldName
    public let before: JSON?
    public let after: JSON?
  }

  /// Creates the difference of two versions of one entity.
  ///
  /// Nil if there is no visible difference, unless it is to be made of stamps alone, too.
  ///
  /// Bookkeeping is left out: times, stamps and generated ids.
  public init?(from before: Version?, to after: Version?, ofStampsToo: Bool = false) {
    guard let key = (after ?? before)?.entity.key else { return nil }
    self.key = key
    self.before = before?.entity.decoded
    self.after = after?.entity.decoded
    oldPath = before?.path
    path = after?.path
    let counts = Schema.of(key.kind).quantity != nil
    let was = counts ? before?.quantity : nil
    let now = counts ? after?.quantity : nil
    let isLoose = after?.entity.showsLoose ?? false
    counted =
      (isLoose || before?.entity.showsLoose ?? false) && after?.total != before?.total
      ? after?.total : nil
    let isSilent = counted != nil && !isLoose
    quantity = was == now || isSilent ? nil : Change(before: was, after: now)
    fields = EntityDifference.fields(self.before, self.after)
    let known = self.before?.ledger
    entries = self.after?.ledger.entries.filter { known?[$0.id] == nil } ?? []
    if !ofStampsToo, quantity == nil, counted == nil, fields.isEmpty, entries.isEmpty,
      oldPath == path
    {
      return nil
    }
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

  /// Whether a register holds the creator or the household; people never write these.
  static func isBookkeeping(_ name: FieldName) -> Bool { name == .userID || name == .householdID }

  /// The later path, or the earlier one of an entity whose file is gone.
  package var anyPath: FilePath { path ?? oldPath ?? "" }

  /// Whether the entity is new in the later version.
  public var isNew: Bool { before == nil }

  /// Whether the entity is deleted in the later version and was not before.
  public var isDeleted: Bool {
    after.map { $0.isTombstone && !(before?.isTombstone ?? false) } ?? true
  }

  /// Whether the entity was deleted and exists again in the later version.
  public var isRestored: Bool {
    before?.isTombstone ?? false && !(after?.isTombstone ?? true)
  }
}

extension EntityDifference {
  /// One version of an entity, with its path and the quantity that its file shows.
  public struct Version: Sendable {
    public let entity: Entity
    public let path: FilePath
    /// The quantity in the file: the ledger's sum, or the number that a person wrote beside it.
    public let quantity: Quantity
    /// What somebody wrote into the file of an item as all there is; nil if nobody did.
    public let total: Quantity?

    /// `read` is what is there of it, where that is not what its own ledger gives.
    public init(_ entity: Entity, at path: FilePath, read: Quantity? = nil) {
      self.entity = entity
      self.path = path
      quantity = read ?? entity.quantity
      total = nil
    }

    /// Reads a file as it was written, without filling gaps.
    ///
    /// A file without an id gets the given one, or its path.
    public init(_ file: EntityFile, at path: FilePath, id: String? = nil) {
      let entity = Entity(
        file, id: file.id ?? id ?? path.text, createdAt: file.createdAt ?? .earliest)
      self.entity = entity
      self.path = path
      let isOwn = !file.showsLoose && file.total == file.ledgerTotal
      total = isOwn ? nil : file.total.map { Quantity($0, file.unit) }
      quantity = Quantity(file.number ?? file.total ?? file.ledgerTotal, file.unit)
    }
  }
}

extension Household {
  /// Returns the differences from an earlier version of the household, ordered by path.
  ///
  /// With `ofStampsToo`, those of entities that were written again with the same values as well.
  public func differences(
    from before: Household, ofStampsToo: Bool = false
  ) -> [EntityDifference] {
    differences(
      from: before, of: keys(differingFrom: before) + keys(missingOf: before),
      ofStampsToo: ofStampsToo)
  }

  /// Returns the differences of some entities from an earlier version, ordered by path.
  public func differences(
    from before: Household, of keys: [EntityKey], ofStampsToo: Bool = false
  ) -> [EntityDifference] {
    keys.concurrentMap { key in
      EntityDifference(from: before.version(key), to: version(key), ofStampsToo: ofStampsToo)
    }
    .compactMap(\.self).sorted(byBytesOf: \.anyPath.text)
  }

  fileprivate func version(
    _ key: EntityKey, _ readings: [EntityKey: Entity] = [:]
  ) -> EntityDifference.Version? {
    self[key].map {
      EntityDifference.Version(
        $0, at: path(of: key) ?? "", read: readings[key]?.quantity)
    }
  }
}

/// Differences as people are told them: by what is there (docs/adoption.md, section 18).
extension Household {
  /// Returns the differences of some entities from an earlier version, and of all others of which
  /// there is more or less than before, ordered by path.
  public func toldDifferences(
    from before: Household, of keys: [EntityKey]? = nil
  ) -> [EntityDifference] {
    let differences = keys.map { self.differences(from: before, of: $0) }
    return told(differences ?? self.differences(from: before), from: before)
  }

  /// Returns differences from an earlier version with what is there in place of what the ledgers give.
  public func told(
    _ differences: [EntityDifference], from before: Household
  ) -> [EntityDifference] {
    let (was, now) = (Stock(before).readings, Stock(self).readings)
    let read = Set(was.keys).union(now.keys)
    guard !read.isEmpty else { return differences }
    var known: Set<EntityKey> = []
    let told = differences.compactMap { difference -> EntityDifference? in
      known.insert(difference.key)
      guard read.contains(difference.key) else { return difference }
      return difference.reading(was[difference.key]?.quantity, now[difference.key]?.quantity)
    }
    let others = read.subtracting(known).compactMap { key in
      EntityDifference(from: before.version(key, was), to: version(key, now))
    }
    return (told + others.filter { $0.quantity != nil }).sorted(byBytesOf: \.anyPath.text)
  }
}

extension EntityDifference {
  /// Returns the difference with other quantities; nil if nothing is left to tell.
  fileprivate func reading(_ was: Quantity?, _ now: Quantity?) -> EntityDifference? {
    let old = was ?? quantity?.before ?? before?.quantity
    let new = now ?? quantity?.after ?? after?.quantity
    var difference = self
    difference.quantity = old == new ? nil : Change(before: old, after: new)
    let isEmpty =
      difference.quantity == nil && counted == nil && fields.isEmpty && entries.isEmpty
      && oldPath == path
    return isEmpty ? nil : difference
  }
}

extension Stock {
  /// Whether more was once taken from one of an item's batches, or of its loose stock, than was in it,
  /// as far as their ledgers go back.
  public func hasLacked(around entity: Entity) -> Bool {
    piles(around: entity).contains { pile in
      var sum = Number.zero
      return pile.ledger.counting.contains { entry in
        guard let number = entry.quantity?.converted(to: pile.unit) else { return false }
        if case .set = entry.event { sum = number } else { sum = sum + number }
        return sum < .zero
      }
    }
  }
}
