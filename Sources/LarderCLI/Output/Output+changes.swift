import LarderJSON
import LarderKit
import LarderModel

extension Output {
  /// Prints a command's changes as one JSON object, in the form of every command that writes.
  func changed(_ keys: [EntityKey], in household: Household, _ more: [JSONMember] = []) {
    let names = NameBook([household])
    let changed = keys.map { key -> JSON in
      var members = [
        JSONMember("kind", .string(key.kind.rawValue)), JSONMember("id", .string(key.id)),
      ]
      if let path = household.path(of: key) { members.append(JSONMember("path", .string(path))) }
      if let entity = household[key] {
        members.append(JSONMember("name", .string(names.title(of: entity))))
      }
      return .object(members)
    }
    json([JSONMember("changed", .array(changed))] + more)
  }
}

extension Invocation {
  /// Reports a command's changes, as a sentence or as JSON.
  func report(_ writing: Writing, _ sentence: String) {
    if output.mode == .json {
      output.changed(writing.changed, in: writing.household)
    } else {
      output.line(sentence)
    }
  }
}
