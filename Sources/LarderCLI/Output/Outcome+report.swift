import LarderJSON
import LarderKit
import LarderModel
internal import LarderText

extension Output {
  /// Reports a command's changes: sentences for people, records of kind, id, path and name, or an
  /// object with `changed` and other members.
  ///
  /// Consequences of the change, such as an item that went on the shopping list, are reported too.
  func report(_ change: Outcome, _ members: [JSONMember] = [], lines: [String]) {
    let names = change.after.naming
    switch mode {
    case .json: changed(change.writing.changed, in: change.after.household, members)
    case .plain:
      let changed = change.writing.changed.compactMap { key in
        change[key].map { entity in
          ChangedEntity(
            key: key, path: names.household.path(of: key)?.text ?? "", name: names.title(of: entity)
          )
        }
      }
      records(changed, ChangedEntity.record)
    case .human:
      for line in lines { self.line(line) }
      for entry in change.consequences {
        line("\(names.title(of: entry)) is on the shopping list: \(entry.desired)")
      }
    }
  }
}

/// A changed entity as a record.
struct ChangedEntity {
  let key: EntityKey
  let path: String
  let name: String

  /// The records of every command that changes the household.
  static let record = Record<ChangedEntity>(
    ("kind", { $0.key.kind.rawValue }), ("id", { $0.key.id }), ("path", { $0.path }),
    ("name", { $0.name }))
}

extension Outcome {
  /// The names of the entities that the command itself changed.
  var titles: [String] {
    own.compactMap { key in self[key].map { after.naming.title(of: $0) } }
  }
}
