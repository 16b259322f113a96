internal import LarderJSON
internal import LarderText

extension Entity {
  /// Returns the join of two versions of one entity: the later write of each field, and the union
  /// of the ledgers.
  ///
  /// It is commutative, associative and idempotent, and needs no common ancestor. So plain git, a
  /// sync and the cloud get the same result. Both versions must have the same kind and id.
  public func joined(with other: Entity) -> Entity {
    if let one = stored, let two = other.stored, one.hasSameBytes(as: two) { return self }
    let (mine, theirs) = (decoded, other.decoded)
    return mine == theirs ? self : mine.joinedFields(with: theirs)
  }

  private func joinedFields(with other: Entity) -> Entity {
    var result = Entity(kind, id: id, createdAt: min(createdAt, other.createdAt))
    result.ledger = ledger.joined(with: other.ledger)
    result.showsLoose = showsLoose || other.showsLoose
    let schema = Schema.of(kind)
    var names = registers.map(\.name)
    for register in other.registers where self.register(register.name) == nil {
      names.append(register.name)
    }
    names.sort { schema.orders($0, before: $1) }
    for group in schema.cells(of: names) {
      let mine = Cell(self, group)
      let theirs = Cell(other, group)
      if let lines = mine.lines(joinedWith: theirs, schema) {
        result.registers.append(lines)
      } else {
        result.registers += (mine.wins(over: theirs, schema) ? mine : theirs).registers
      }
    }
    result.registers.sort { schema.orders($0.name, before: $1.name) }
    return result
  }
}

extension Schema {
  /// Groups names into cells, which are joined as one value: a group together, every other field
  /// alone.
  func cells(of names: [FieldName]) -> [[FieldName]] {
    let grouped = groups.filter { group in group.contains { names.contains($0) } }
    let alone = names.filter { name in !groups.contains { $0.contains(name) } }
    return grouped + alone.map { [$0] }
  }
}

/// A value that is compared as one: a register, or the registers of a group.
struct Cell {
  /// The names, ordered by their bytes.
  let names: [FieldName]
  /// The registers that were ever written.
  let registers: [Register]

  init(_ entity: Entity, _ names: [FieldName]) {
    self.names = names
    registers = names.compactMap { entity.register($0) }
  }

  /// The latest stamp.
  ///
  /// Nil if nothing was ever written; then it loses to any other cell.
  var stamp: Instant? { registers.map(\.stamp).max() }

  func wins(over other: Cell, _ schema: Schema) -> Bool {
    guard let stamp else { return false }
    guard let otherStamp = other.stamp else { return true }
    if stamp != otherStamp { return stamp > otherStamp }
    let rank = rank(schema)
    let otherRank = other.rank(schema)
    if rank != otherRank { return rank > otherRank }
    let bytes = valueBytes
    let otherBytes = other.valueBytes
    if bytes != otherBytes { return otherBytes.lexicographicallyPrecedes(bytes) }
    return other.stamps.lexicographicallyPrecedes(stamps)
  }

  /// Returns the lines of two receipts that were saved of one basket; nil for all else.
  func lines(joinedWith other: Cell, _ schema: Schema) -> Register? {
    guard isOfLines(schema), let stamp, stamp == other.stamp,
      let lines = JoinedLines.join(registers.first?.value, other.registers.first?.value)
    else { return nil }
    return Register(.items, lines, stamp: stamp)
  }

  /// Whether it has all that somebody wrote into the lines of another receipt of the basket.
  func hasLines(of other: Cell) -> Bool {
    names == [.items] && stamp == other.stamp
      && JoinedLines.covers(registers.first?.value, other.registers.first?.value)
  }

  private func isOfLines(_ schema: Schema) -> Bool { schema.kind == .receipt && names == [.items] }

  /// The rank for equal stamps: deleted beats not deleted, archived beats discarded, and lines that
  /// can be told apart beat all else.
  private func rank(_ schema: Schema) -> Int {
    if isOfLines(schema) { return JoinedLines(registers.first?.value) == nil ? 0 : 1 }
    guard let tombstone = schema.tombstone, names == [tombstone.field] else { return 0 }
    switch registers.first?.value {
    case .string("archived"): return 2
    case .string("discarded"), .bool(true): return 1
    default: return 0
    }
  }

  /// The value as written in the file.
  ///
  /// For a group, it is an object of the existing members, or empty if there are none.
  var valueBytes: [UInt8] {
    guard names.count > 1 else { return registers.first?.value?.written(depth: 1) ?? [] }
    let members = registers.compactMap { register in
      register.value.map { JSONMember(register.name.text, $0) }
    }
    return members.isEmpty ? [] : JSON.object(members).written(depth: 1)
  }

  private var stamps: [Int64] {
    names.map { name in
      registers.first { $0.name == name }?.stamp.milliseconds ?? .min
    }
  }
}
