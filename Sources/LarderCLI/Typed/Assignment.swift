import LarderModel

/// One `--set KEY=VALUE`.
struct Assignment {
  let key: FieldName
  let text: String
  private let kind: Kind

  static let option = Option(
    "set", value: "KEY=VALUE", isRepeatable: true,
    help: "set any field of the file; without a value, the field is removed")

  /// Keys that people can't set, with the reason.
  private static let settled: [FieldName: String] = [
    .quantityInStock: "'larder count', 'put' and 'use' change what there is",
    .quantityLoose: "'larder count', 'put' and 'use' change what there is",
    .changes: "the history is added to, never changed",
    .edited: "Larder keeps the times itself", .createdAt: "Larder keeps the times itself",
    .updatedAt: "Larder keeps the times itself", .id: "an id never changes",
    .userID: "it says who made it", .householdID: "it says whose household it is",
  ]

  /// Reads an assignment of a field; refuses an unknown name that is similar to a known one.
  init(_ text: String, _ invocation: Invocation, _ kind: Kind) throws(UsageError) {
    guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
      throw invocation.unreadable(text, for: "--set", "KEY=VALUE is needed")
    }
    let name = String(text[..<equals])
    if let reason = Assignment.settled[FieldName(name)] {
      throw invocation.unreadable(name, for: "--set", reason)
    }
    let known = Schema.of(kind).fields.map(\.name.text)
    let near = suggestions(for: name, among: known)
    if !known.contains(name), !near.isEmpty {
      throw UsageError(
        [.notAmong(value: name, name: "--set", choices: known, suggestions: near)],
        in: invocation.path)
    }
    key = FieldName(name)
    self.text = String(text[text.index(after: equals)...])
    self.kind = kind
  }

  /// Returns the value for the field's type; nil to remove the field.
  ///
  /// Throws a usage error if the value does not match the format.
  func value(in entity: Entity) throws(CommandError) -> JSON? {
    let isKnown = Schema.of(kind).fields.contains { $0.name == key }
    let json = try? JSON(parsing: Array(text.utf8))
    guard isKnown else {
      if text.isEmpty || json == .null { return nil }
      return json?.canonicalized() ?? .string(text)
    }
    var mistakes: FileMistakes?
    for candidate in [text.isEmpty ? nil : .string(text), json].compactMap(\.self) {
      do throws(FileMistakes) {
        return try normalized(candidate, in: entity)
      } catch {
        mistakes = error
      }
    }
    if let mistakes { throw refusal(mistakes) }
    do throws(FileMistakes) {
      return try normalized(nil, in: entity)
    } catch {
      throw refusal(error)
    }
  }

  private func refusal(_ mistakes: FileMistakes) -> CommandError {
    let reason = mistakes.all.first.map { MessageWords().message($0) } ?? "it can't be kept"
    return CommandError(
      .usage, "--set \(key)=\(text): \(reason)",
      "'larder schema \(kind.rawValue)' shows what fields take")
  }

  /// Returns the value after writing and reading a file with it.
  private func normalized(_ value: JSON?, in entity: Entity) throws(FileMistakes) -> JSON? {
    var members = (entity.json.members ?? []).filter { $0.key != key.text }
    if let value { members.append(JSONMember(key, value)) }
    return try EntityFile(kind, parsing: JSON.object(members).writeFile())[key]
  }
}

extension [Assignment] {
  /// Returns the fields to write, with the values for their types.
  func fields(in entity: Entity) throws -> [FieldValue] {
    try map { ($0.key, try $0.value(in: entity)) }
  }
}

extension Invocation {
  /// Reads the `--set` options for entities of a kind.
  func assignments(_ kind: Kind) throws -> [Assignment] {
    try all(Assignment.option).map { try Assignment($0, self, kind) }
  }
}
