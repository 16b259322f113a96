/// A write after a change; taking the change back would lose it.
public struct LaterWrite: Hashable, Sendable {
  /// The written content.
  public enum Content: Hashable, Sendable {
    /// A field, or several that have a meaning only together.
    case fields([FieldName])
    /// A ledger entry.
    case entry(LedgerEntry)
  }

  public let key: EntityKey
  public let content: Content
  /// The stamp of the write.
  public let at: Instant
  /// Whether the fields have exactly the values of the change, for example after an undo of the
  /// writes in between.
  public let isSameValue: Bool

  package init(key: EntityKey, content: Content, at: Instant, isSameValue: Bool) {
    self.key = key
    self.content = content
    self.at = at
    self.isSameValue = isSameValue
  }

  /// Whether a version of the entity contains the write.
  public func isIn(_ entity: Entity) -> Bool {
    guard entity.key == key else { return false }
    return switch content {
    case .fields(let names): names.contains { entity.register($0)?.stamp == at }
    case .entry(let entry): entity.ledger[entry.id] != nil
    }
  }
}
