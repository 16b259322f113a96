import LarderJSON
import LarderModel

extension Output {
  /// Tells what a command changed: sentences for people, records of kind, id, path and name, or an
  /// object with `changed` and what else the command has to say.
  ///
  /// What followed from the change, such as an item that came onto the shopping list, is told too.
  func report(_ change: Change, _ members: [JSONMember] = [], lines: [String]) {
    let names = change.after.naming
    switch mode {
    case .json:
      var object = [JSONMember("changed", .array(change.writing.changed.map { change.json($0) }))]
      if let adopted = change.writing.adoption?.changed, !adopted.isEmpty {
        object.append(JSONMember("adopted", .array(adopted.map { change.json($0) })))
      }
      json(object + members)
    case .plain:
      for key in change.writing.changed {
        guard let entity = change[key] else { continue }
        record([
          key.kind.rawValue, key.id, names.household.path(of: key) ?? "", names.title(of: entity),
        ])
      }
    case .human:
      for line in lines + change.consequences { self.line(line) }
    }
  }
}

extension Change {
  /// What followed from what the command did.
  var consequences: [String] {
    writing.changed.compactMap { key in
      guard key.kind == .shoppingListEntry, !own.contains(key), let entry = self[key] else {
        return nil
      }
      return "\(after.naming.title(of: entry)) is on the shopping list: \(entry.desired)"
    }
  }

  /// A changed entity in JSON output.
  func json(_ key: EntityKey) -> JSON {
    var members = [
      JSONMember("kind", .string(key.kind.rawValue)), JSONMember("id", .string(key.id)),
    ]
    if let path = after.household.path(of: key) {
      members.append(JSONMember("path", .string(path)))
    }
    if let entity = self[key] {
      members.append(JSONMember("name", .string(after.naming.title(of: entity))))
    }
    return .object(members)
  }
}
