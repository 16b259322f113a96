import LarderJSON
import LarderKit
import LarderModel
internal import LarderText

extension Output {
  /// Prints a command's changes as one JSON object, in the form of every command that writes.
  func changed(_ keys: [EntityKey], in household: Household, _ more: [JSONMember] = []) {
    let names = NameBook([household])
    let changed = keys.map { key -> JSON in
      var members = [
        JSONMember("kind", .string(key.kind.rawValue)), JSONMember("id", .string(key.id)),
      ]
      if let path = household.path(of: key) {
        members.append(JSONMember("path", .string(path.text)))
      }
      if let entity = household[key] {
        members.append(JSONMember("name", .string(names.title(of: entity))))
      }
      return .object(members)
    }
    json([JSONMember("changed", .array(changed))] + more)
  }
}

extension Output {
  /// Prints a command's changes as records.
  func records(of keys: [EntityKey], in household: Household) {
    let names = NameBook([household])
    let changed = keys.compactMap { key in
      household[key].map { entity in
        ChangedEntity(
          key: key, path: household.path(of: key)?.text ?? "", name: names.title(of: entity))
      }
    }
    records(changed, ChangedEntity.record)
  }
}

extension Invocation {
  /// Reports a command's changes, as a sentence, as records or as JSON.
  func report(_ writing: Writing, _ sentence: String) {
    switch output.mode {
    case .json: output.changed(writing.changed, in: writing.household)
    case .plain: output.records(of: writing.changed, in: writing.household)
    case .human: output.line(sentence)
    }
  }
}
