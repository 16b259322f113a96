public import LarderJSON

/// One entity of the household: registers with their stamps, and a ledger if it has a quantity.
///
/// Other values in a file (`updatedAt`, the quantities, `consumedAt`, whether a batch is consumed)
/// are computed from these and never stored.
public struct Entity: Hashable, Sendable {
  public let kind: Kind
  public let id: String
  /// The earliest creation time in any version.
  public internal(set) var createdAt: Instant
  /// Known fields in the order of the schema, then unknown ones by bytes; includes removed fields.
  public internal(set) var registers: [Register]
  public internal(set) var ledger: Ledger

  public init(_ kind: Kind, id: String, createdAt: Instant) {
    self.kind = kind
    self.id = id
    self.createdAt = createdAt
    registers = []
    ledger = Ledger()
  }

  /// Reads a complete file; nil if the file lacks its id or its creation time.
  public init?(_ file: EntityFile) {
    guard let id = file.id, let createdAt = file.createdAt else { return nil }
    self.init(file, id: id, createdAt: createdAt)
  }

  init(_ file: EntityFile, id: String, createdAt: Instant) {
    self.init(file.kind, id: id, createdAt: createdAt)
    ledger = file.ledger
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
    register(name)?.value
  }

  public func register(_ name: FieldName) -> Register? {
    registers.first { $0.name == name }
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

  /// The latest time in the entity: creation, stamps of registers, times of the ledger.
  public var updatedAt: Instant {
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
