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
  public let quantity: Change<Quantity>?
  /// What somebody wrote into an item's file as all there is, where it has batches; nil for nothing.
  public let counted: Quantity?
  public let fields: [FieldChange]
  /// The ledger entries that only the later version has.
  public let entries: [LedgerEntry]
  /// Those of the entries that people tell: see ``Ledger/told``.
  public var toldEntries: [LedgerEntry] {
    let told = Set((after?.ledger.told ?? []).map(\.id))
    return entries.filter { told.contains($0.id) }
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

    public init(_ entity: Entity, at path: FilePath) {
      self.entity = entity
      self.path = path
      quantity = entity.quantity
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

  private func version(_ key: EntityKey) -> EntityDifference.Version? {
    self[key].map { EntityDifference.Version($0, at: path(of: key) ?? "") }
  }
}
