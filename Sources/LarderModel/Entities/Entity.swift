public import LarderJSON
internal import LarderText

/// One entity of the household: registers with their stamps, and a ledger if it has a quantity.
///
/// Other values in a file (`updatedAt`, the quantities, `consumedAt`, whether a batch is consumed)
/// are computed from these and never stored.
///
/// An entity of the cache is decoded when somebody changes it, or needs more than single fields.
public struct Entity: Sendable {
  public let kind: Kind
  private var content: Content

  private enum Content: Sendable {
    case stored(StoredEntity)
    // Apart, so that an entity is small to copy.
    indirect case open(Fields)
    /// With the quantity that is read of it, which is not in its ledger.
    indirect case reading(Entity, Number)
    /// A batch in a freezer whose day is older than its coming there, and does not count.
    indirect case frozen(Entity)
  }

  /// The decoded content of an entity.
  struct Fields: Hashable, Sendable {
    var id: String
    var createdAt: Instant
    var registers: [Register] = []
    var ledger = Ledger()
    var showsLoose = false
  }

  public init(_ kind: Kind, id: String, createdAt: Instant) {
    self.kind = kind
    content = .open(Fields(id: id, createdAt: createdAt))
  }

  init(_ stored: StoredEntity) {
    kind = stored.kind
    content = .stored(stored)
  }

  /// The entity as the cache keeps it; nil once it was changed.
  var stored: StoredEntity? {
    switch content {
    case .stored(let stored): stored
    case .open: nil
    case .reading(let entity, _), .frozen(let entity): entity.stored
    }
  }

  /// The quantity that is read of it, where that is not what its own ledger gives.
  var read: Number? {
    if case .reading(_, let number) = content { number } else { nil }
  }

  /// The entity with the quantity of its own ledger.
  var own: Entity {
    if case .reading(let entity, _) = content { entity } else { self }
  }

  /// Whether it is a batch that came to a freezer after its day was written, so that no day counts.
  ///
  /// A household says so of what is read from it.
  public var isKeptFrozen: Bool {
    switch content {
    case .frozen: true
    case .reading(let entity, _): entity.isKeptFrozen
    case .stored, .open: false
    }
  }

  /// The entity as files have it: with the quantity of its own ledger, and with its day.
  var written: Entity {
    switch content {
    case .frozen(let entity), .reading(let entity, _): entity.written
    case .stored, .open: self
    }
  }

  /// The batch as one that is kept frozen, until somebody changes it.
  var readingAsFrozen: Entity {
    var entity = self
    entity.content = .frozen(self)
    return entity
  }

  /// Returns the entity with a quantity that is read of it, until somebody changes it.
  func reading(_ quantity: Number) -> Entity {
    var entity = self
    entity.content = .reading(own, quantity)
    return entity
  }

  /// The decoded entity, for those who read more of it than single fields.
  var decoded: Entity {
    var entity = self
    entity.content = .open(fields)
    return entity
  }

  /// The entity as the cache keeps it, which takes less memory and is sooner copied.
  package var compact: Entity { stored == nil ? Entity(StoredEntity(self)) : self }

  private(set) var fields: Fields {
    get {
      switch content {
      case .stored(let stored): stored.fields
      case .open(let fields): fields
      case .reading(let entity, _), .frozen(let entity): entity.fields
      }
    }
    _modify {
      var fields = fields
      // The only reference, so that what is changed is not copied.
      content = .stored(StoredEntity([], at: 0))
      defer { content = .open(fields) }
      yield &fields
    }
  }

  public var id: String { stored?.id ?? fields.id }

  /// The number of bytes of the id, in UTF-8.
  package var idLength: Int { stored?.idLength ?? fields.id.utf8.count }

  /// The earliest creation time in any version.
  public internal(set) var createdAt: Instant {
    get { stored?.createdAt ?? fields.createdAt }
    set { fields.createdAt = newValue }
  }

  /// Known fields in the order of the schema, then unknown ones by bytes; includes removed fields.
  public internal(set) var registers: [Register] {
    get { fields.registers }
    _modify { yield &fields.registers }
  }

  /// The recorded changes of the quantity.
  ///
  /// An entity of the cache decodes it each time, so a loop over its entries keeps it in a constant.
  public internal(set) var ledger: Ledger {
    get { fields.ledger }
    _modify { yield &fields.ledger }
  }

  /// Whether the file of an item shows what lies loose, `quantityLoose`, in place of all there is,
  /// `quantityInStock`.
  ///
  /// That of an item that has batches does, and from then on for good.
  public internal(set) var showsLoose: Bool {
    get { stored?.showsLoose ?? fields.showsLoose }
    set { fields.showsLoose = newValue }
  }

  /// Reads a complete file; nil if the file lacks its id or its creation time.
  public init?(_ file: EntityFile) {
    guard let id = file.id, let createdAt = file.createdAt else { return nil }
    self.init(file, id: id, createdAt: createdAt)
  }

  init(_ file: EntityFile, id: String, createdAt: Instant) {
    self.init(file.kind, id: id, createdAt: createdAt)
    ledger = file.ownLedger
    showsLoose = file.showsLoose
    registers = file.values.map { member in
      Register(
        FieldName(member.key), member.value,
        stamp: file.stampNamed(FieldName(member.key)) ?? createdAt)
    }
    for (name, stamp) in file.edited where file[name] == nil {
      write(name, nil, at: stamp)
    }
  }

  /// The value of a field; nil if the entity has none.
  public subscript(name: FieldName) -> JSON? {
    if let stored { stored[name] } else { register(name)?.value }
  }

  /// Returns the text of a field, or of a member of its object.
  func text(_ name: FieldName, _ member: FieldName? = nil) -> String? {
    if let stored { return stored.text(name, member) }
    let value = register(name)?.value
    return (member.map { value?[$0] } ?? value)?.string
  }

  /// Returns the value of a member of a field's object.
  func value(_ name: FieldName, _ member: FieldName) -> JSON? {
    if let stored { return stored.value(name, member) }
    return register(name)?.value?[member]
  }

  public func register(_ name: FieldName) -> Register? {
    if let stored { return stored.register(name) }
    return registers.first { $0.name == name }
  }

  /// Sets a register; the caller takes the stamp from ``stamp(now:)``.
  public mutating func write(_ field: FieldName, _ value: JSON?, at stamp: Instant) {
    let register = Register(field, value, stamp: stamp)
    let schema = Schema.of(kind)
    if let index = registers.firstIndex(where: { $0.name == field }) {
      registers[index] = register
    } else {
      let index = registers.firstIndex { schema.orders(field, before: $0.name) } ?? registers.count
      registers.insert(register, at: index)
    }
  }

  /// Adds a ledger entry.
  public mutating func record(_ entry: LedgerEntry) {
    ledger.insert(entry)
  }

  /// The time at which the ledger's page begins; nil if it has all entries.
  public var pageFrom: Instant? { ledger.pageFrom }

  /// Begins a new page of the ledger at a time; does nothing if its page is later.
  package mutating func openPage(at start: Instant) { ledger.openPage(at: start) }

  /// The latest time in the entity: creation, stamps of registers, times of the ledger and its
  /// page.
  public var updatedAt: Instant {
    if let stored { return stored.updatedAt }
    var latest = max(createdAt, ledger.latest ?? createdAt)
    for register in registers { latest = max(latest, register.stamp) }
    return latest
  }

  /// Returns the stamp for a write based on this version.
  ///
  /// It is later than all times in it, even if clocks are wrong.
  public func stamp(now: Instant) -> Instant {
    max(now, updatedAt.next)
  }

  public var key: EntityKey { EntityKey(kind, id) }
}

extension Entity: Hashable {
  public static func == (left: Entity, right: Entity) -> Bool {
    if let one = left.stored, let other = right.stored, one.hasSameBytes(as: other) { return true }
    // The time follows from the fields, and reading it decodes nothing.
    guard left.updatedAt == right.updatedAt else { return false }
    return left.kind == right.kind && left.fields == right.fields
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    hasher.combine(id)
  }
}

/// The identity of an entity in its household.
public struct EntityKey: Hashable, Sendable {
  public let kind: Kind
  public let id: String

  public init(_ kind: Kind, _ id: String) {
    self.kind = kind
    self.id = id
  }

  // Product ids may be any text, and two that look the same may differ in bytes.
  public static func == (left: EntityKey, right: EntityKey) -> Bool {
    left.kind == right.kind && left.id.hasSameBytes(as: right.id)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    id.hashBytes(into: &hasher)
  }
}

extension Schema {
  /// Whether one register is written before another.
  func orders(_ name: FieldName, before other: FieldName) -> Bool {
    let place = registerFields.firstIndex { $0.name == name }
    let otherPlace = registerFields.firstIndex { $0.name == other }
    switch (place, otherPlace) {
    case (let place?, let otherPlace?): return place < otherPlace
    case (.some, nil): return true
    case (nil, .some): return false
    case (nil, nil): return JSON.precedes(name.text, other.text)
    }
  }
}

/// A top-level field with the time of its last write; a removed field has no value.
public struct Register: Hashable, Sendable {
  public let name: FieldName
  public var value: JSON?
  public var stamp: Instant

  public init(_ name: FieldName, _ value: JSON?, stamp: Instant) {
    self.name = name
    self.value = value
    self.stamp = stamp
  }
}
