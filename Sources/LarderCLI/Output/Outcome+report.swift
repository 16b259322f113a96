import LarderJSON
import LarderKit
import LarderModel

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
      for key in change.writing.changed {
        guard let entity = change[key] else { continue }
        record([
          key.kind.rawValue, key.id, names.household.path(of: key) ?? "", names.title(of: entity),
        ])
      }
    case .human:
      for line in lines { self.line(line) }
      for entry in change.consequences {
        line("\(names.title(of: entry)) is on the shopping list: \(entry.desired)")
      }
    }
  }
}

extension Outcome {
  /// The names of the entities that the command itself changed.
  var titles: [String] {
    own.compactMap { key in self[key].map { after.naming.title(of: $0) } }
  }
}
