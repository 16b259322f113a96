/// Something written after a change, which taking that change back would lose.
public struct LaterWrite: Hashable, Sendable {
  /// What was written.
  public enum Content: Hashable, Sendable {
    /// A field, or several that mean something only together.
    case fields([String])
    /// A quantity event.
    case entry(LedgerEntry)
  }

  public let key: EntityKey
  public let content: Content
  /// The stamp of the write.
  public let at: Instant
  /// Whether the fields have the very values that the change left, as after an undo of what came
  /// between.
  public let isSameValue: Bool

  package init(key: EntityKey, content: Content, at: Instant, isSameValue: Bool) {
    self.key = key
    self.content = content
    self.at = at
    self.isSameValue = isSameValue
  }

  /// Whether a version of the entity has the write.
  public func isIn(_ entity: Entity) -> Bool {
    guard entity.key == key else { return false }
    return switch content {
    case .fields(let names): names.contains { entity.register($0)?.stamp == at }
    case .entry(let entry): entity.ledger[entry.id] != nil
    }
  }
}
