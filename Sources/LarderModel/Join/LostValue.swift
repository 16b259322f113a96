import LarderJSON

/// A value that lost in a merge: both sides had written the field since their common ancestor.
///
/// Changes of a quantity lose too if the other side began a page after them. A count says what was
/// there, including changes that its device did not know.
public struct LostValue: Hashable, Sendable {
  public let key: EntityKey
  /// The field, or several that have a meaning only together.
  public let names: [FieldName]
  /// The version with the lost value, and the time of that write.
  public let lost: Entity
  public let lostAt: Instant
  /// The merged version, and the time of its value.
  public let merged: Entity
  public let keptAt: Instant
  /// The changes of the quantity that came too late for the page; empty for a field.
  public var late: [LedgerEntry] = []

  /// The count that began the page; nil for a field.
  public var count: LedgerEntry? {
    late.isEmpty ? nil : merged.ledger.entries.first { $0.at == merged.pageFrom }
  }

  /// Whether a version of the entity has the lost value.
  public func isLost(in entity: Entity) -> Bool {
    guard !late.isEmpty else { return Self.agree(entity, lost, names) }
    return late.allSatisfy { entity.ledger[$0.idAfterPage] != nil }
  }

  /// Whether a version of the entity has the winning value.
  public func isKept(in entity: Entity) -> Bool {
    late.isEmpty ? Self.agree(entity, merged, names) : !isLost(in: entity)
  }

  private static func agree(_ one: Entity, _ other: Entity, _ names: [FieldName]) -> Bool {
    names.allSatisfy { one[$0] == other[$0] }
  }
}

extension Entity {
  /// Returns the values that this version wrote and that lost against another version, which wrote
  /// them too.
  ///
  /// Only writes since the ancestor count, or all if there is none. Values with the same meaning
  /// are not lost, and neither is what nobody said.
  public func losses(to other: Entity, since ancestor: Entity?, in merged: Entity) -> [LostValue] {
    let names = registers.map(\.name).filter { !EntityDifference.isBookkeeping($0) }
    let fields = Schema.of(kind).cells(of: names).compactMap { names -> LostValue? in
      let mine = Cell(self, names)
      let theirs = Cell(other, names)
      let known = ancestor.map { Cell($0, names).registers } ?? []
      let kept = Cell(merged, names)
      guard let lostAt = mine.stamp, let keptAt = kept.stamp, theirs.stamp != nil,
        mine.registers != known, theirs.registers != known,
        mine.valueBytes != theirs.valueBytes, mine.valueBytes != kept.valueBytes,
        !reads(like: merged, in: names), !kept.hasLines(of: mine), !isFilledIn(names, at: lostAt)
      else { return nil }
      return LostValue(
        key: key, names: names, lost: self, lostAt: lostAt, merged: merged, keptAt: keptAt)
    }
    return changesBeforePage(of: merged, since: ancestor) + fields.joiningStates
  }
}

extension [LostValue] {
  /// The values, with whether a shopping entry is in the basket and whether it is gone as one: on
  /// the list, in the basket or off it.
  fileprivate var joiningStates: [LostValue] {
    let states = filter { $0.names == [.isCompleted] || $0.names == [.isDeleted] }
    guard states.count == 2, let first = states.first, let last = states.last else { return self }
    let state = LostValue(
      key: first.key, names: [.isCompleted, .isDeleted], lost: first.lost,
      lostAt: Swift.max(first.lostAt, last.lostAt), merged: first.merged,
      keptAt: Swift.max(first.keptAt, last.keptAt))
    return filter { !states.contains($0) } + [state]
  }
}

extension Entity {
  /// Returns the changes of the quantity that a page of the merged version has left out, and that
  /// this version made since the ancestor; nothing, or one value.
  private func changesBeforePage(of merged: Entity, since ancestor: Entity?) -> [LostValue] {
    guard let page = merged.pageFrom, pageFrom != page else { return [] }
    let (known, kept) = (ancestor?.ledger, merged.ledger)
    let late = ledger.counting.filter { entry in
      if case .set = entry.event { return false }
      return known?[entry.id] == nil && !kept.holds(entry)
    }
    guard let last = late.last else { return [] }
    return [
      LostValue(
        key: key, names: [.changes], lost: self, lostAt: last.at, merged: merged, keptAt: page,
        late: late)
    ]
  }
}

extension LedgerEntry {
  /// The id under which a change from before a page is counted anew.
  var idAfterPage: String { Identifier.derived(from: "late", id) }
}

extension Entity {
  /// Whether fields have the same meaning in another version, written differently: 1 kg and 1000 g
  /// on the shopping list, a default and no value, or texts that differ only in Unicode
  /// normalization.
  func reads(like other: Entity, in names: [FieldName]) -> Bool {
    if kind == .shoppingListEntry, names.contains(.desiredQuantity) {
      return desired.converted(to: other.desired.unit) == other.desired.value
    }
    let fields = Schema.of(kind).fields
    return names.allSatisfy { name in
      let standard = fields.first { $0.name == name }?.defaultValue
      return (self[name] ?? standard ?? .null).reads(like: other[name] ?? standard ?? .null)
    }
  }
}

extension JSON {
  fileprivate func reads(like other: JSON) -> Bool {
    switch (self, other) {
    case (.string(let one), .string(let other)): one == other
    case (.string(""), .null), (.null, .string("")): true
    case (.array(let one), .array(let other)):
      one.count == other.count && zip(one, other).allSatisfy { $0.reads(like: $1) }
    case (.object(let one), .object(let two)):
      Set((one + two).map(\.key)).allSatisfy { key in
        (self[key] ?? .null).reads(like: other[key] ?? .null)
      }
    default: self == other
    }
  }
}
