internal import LarderJSON

/// A typed view of an entity of one kind.
///
/// Reading and changing a view goes through the fields of its entity. A changed view is written by
/// ``Edit/update(_:by:_:)``.
public protocol EntityView: Hashable, Sendable, Identifiable {
  static var kind: Kind { get }
  /// The entity, which always has the view's kind.
  var entity: Entity { get set }
  init(entity: Entity)
}

extension EntityView {
  /// A view of an entity; nil if it has another kind.
  public init?(_ entity: Entity) {
    guard entity.kind == Self.kind else { return nil }
    self.init(entity: entity)
  }

  public var id: String { entity.id }
  public var key: EntityKey { entity.key }
  /// The time when it was first written.
  public var createdAt: Instant { entity.createdAt }
  /// The time of the last change, which also names the version for `unchangedSince`.
  public var updatedAt: Instant { entity.updatedAt }
  /// Whether it is deleted: archived, closed, void or discarded.
  public var isDeleted: Bool { entity.isTombstone }

  /// Writes a field of the view; its stamp comes with the edit.
  mutating func set(_ field: FieldName, _ value: JSON?) {
    entity.write(field, value, at: entity.updatedAt)
  }

  mutating func set(_ field: FieldName, _ text: String?) {
    set(field, text.map { JSON.string($0) })
  }
}

extension Household {
  /// The entities of a kind as typed views, ordered by id.
  public func all<View: EntityView>(_ view: View.Type) -> [View] {
    all(View.kind).map { View(entity: $0) }
  }

  /// The typed view of an entity; nil if the household has none with the id.
  public subscript<View: EntityView>(view: View.Type, id: String) -> View? {
    self[View.kind, id].map { View(entity: $0) }
  }
}

extension Edit {
  /// Changes the fields of an entity, all with one stamp; fields that keep their values keep their
  /// stamps.
  ///
  /// `change` gets the entity as the edit has it now. Nothing happens if it is not there.
  public mutating func update<View: EntityView>(
    _ view: View, by writer: Writer, _ change: (inout View) throws -> Void
  ) rethrows {
    write(try fields(of: view, changedBy: change), to: view.key, now: writer.now)
  }

  /// Returns the fields that `change` gives other values; none if the entity is not there.
  func fields<View: EntityView>(
    of view: View, changedBy change: (inout View) throws -> Void
  ) rethrows -> [FieldValue] {
    guard let old = after[view.key] else { return [] }
    var new = View(entity: old)
    try change(&new)
    return new.entity.registers.filter { old[$0.name] != $0.value }.map { ($0.name, $0.value) }
  }
}
