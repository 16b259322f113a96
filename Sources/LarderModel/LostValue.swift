/// A value that a merge did not take: both sides had written the field since their common ancestor.
public struct LostValue: Hashable, Sendable {
  public let key: EntityKey
  /// The field, or those that mean something only together.
  public let names: [String]
  /// What lost, and when it was written.
  public let lost: Entity
  public let lostAt: Instant
  /// The version that the merge left, and when its value was written.
  public let merged: Entity
  public let keptAt: Instant

  /// Whether a version of the entity has the value that lost.
  public func isLost(in entity: Entity) -> Bool { Self.agree(entity, lost, names) }

  /// Whether a version of the entity has the value that won.
  public func isKept(in entity: Entity) -> Bool { Self.agree(entity, merged, names) }

  private static func agree(_ one: Entity, _ other: Entity, _ names: [String]) -> Bool {
    names.allSatisfy { one[$0] == other[$0] }
  }
}

extension Entity {
  /// What this version wrote since an ancestor, or at all where there is none, and lost against
  /// another version that had written it as well; values that read the same are no loss.
  public func losses(to other: Entity, since ancestor: Entity?, in merged: Entity) -> [LostValue] {
    let names = registers.map(\.name).filter { !EntityDifference.isBookkeeping($0) }
    return Schema.of(kind).cells(of: names).compactMap { names in
      let mine = Cell(self, names)
      let theirs = Cell(other, names)
      let known = ancestor.map { Cell($0, names).registers } ?? []
      let kept = Cell(merged, names)
      guard let lostAt = mine.stamp, let keptAt = kept.stamp, theirs.stamp != nil,
        mine.registers != known, theirs.registers != known,
        mine.valueBytes != theirs.valueBytes, mine.valueBytes != kept.valueBytes,
        !reads(like: merged, in: names)
      else { return nil }
      return LostValue(
        key: key, names: names, lost: self, lostAt: lostAt, merged: merged, keptAt: keptAt)
    }
  }
}
