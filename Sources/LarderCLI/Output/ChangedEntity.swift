import LarderKit

extension Invocation {
  /// Shows the changes and asks for confirmation if three or more things are affected; throws if the
  /// answer is no.
  func confirm(
    _ entities: [Entity], _ noun: String, in survey: Survey,
    _ fields: (Entity) throws -> [FieldValue]
  ) throws {
    let words = EntityWords(of: survey.household)
    let changes = try entities.compactMap { words.changes(of: $0, to: try fields($0), in: $0) }
    guard entities.count >= 3, !changes.isEmpty, !has(GlobalOption.yes) else { return }
    for change in changes { output.note(change) }
    let changing = counted(changes.count, noun)
    guard let answer = prompt.confirm("Change \(changing)?") else {
      throw ErrorWords(
        .usage, "changing \(changing) at once needs a yes, and nobody can be asked",
        "--yes says yes")
    }
    guard answer else { throw ErrorWords(.failed, "nothing was changed") }
  }

  /// Reports the changed fields of each thing that a command changed.
  func reportEdited(_ change: Outcome) {
    let words = EntityWords(of: change.after.household)
    let lines = change.own.compactMap { key -> String? in
      guard let before = change.before.household[key], let after = change[key] else { return nil }
      return words.changes(of: before, to: after)
    }
    output.report(change, lines: lines, nothing: Self.nothingToChange)
  }

  /// The note about an edit that changed nothing.
  static let nothingToChange = "nothing to change: it is already so"
}

extension JSON {
  /// The value on one line; texts without their quotes.
  var plainText: String {
    if let texts = array?.compactMap(\.string), !texts.isEmpty, texts.count == array?.count {
      return texts.joined(separator: ", ")
    }
    return string ?? String(decoding: compact(), as: UTF8.self)
  }
}

extension Output {
  /// Reports a command's changes: sentences for people, records of kind, id, path and name, or an
  /// object with `changed` and other members.
  ///
  /// Consequences of the change, such as an item that went on the shopping list, are reported too.
  func report(_ change: Outcome, _ members: JSON = [:], lines: [String]) {
    report(change.writing.changed, in: change.after.household, members) {
      for line in lines { self.line(line) }
      for entry in change.consequences {
        line("\(change.after.naming.title(of: entry)) is on the shopping list: \(entry.desired)")
      }
    }
  }

  /// Reports a command's changes, or the note `nothing` if there are none.
  func report(_ change: Outcome, lines: [String], nothing: String) {
    report(change, lines: lines)
    if change.isNothing { note(nothing) }
  }
}

/// A changed entity as JSON and as a record.
struct ChangedEntity {
  let key: EntityKey
  /// The path of its file; nil if it has none any more.
  let path: String?
  /// The name that people use; nil for one that is gone.
  let name: String?

  /// Returns the changed entities of a household.
  static func all(_ keys: [EntityKey], in household: Household) -> [ChangedEntity] {
    let names = NameBook([household])
    return keys.map { key in
      ChangedEntity(
        key: key, path: household.path(of: key)?.text, name: household[key].map(names.title))
    }
  }

  /// The records of every command that changes the household.
  static let record = Column<ChangedEntity>.records(
    ("kind", { $0.key.kind.rawValue }), ("id", { $0.key.id }), ("path", { $0.path ?? "" }),
    ("name", { $0.name ?? "" }))

  var json: JSON {
    [
      "kind": .string(key.kind.rawValue), "id": .string(key.id),
      "path": path.map { .string($0) }, "name": name.map { .string($0) },
    ]
  }
}

extension DifferenceWords {
  /// Returns the JSON of a difference: kind, id and path, and the changes with the format's names.
  func json(_ difference: EntityDifference) -> JSON {
    let path = (difference.path ?? difference.oldPath)?.text
    let entity = difference.after ?? difference.before
    let key = ChangedEntity(key: difference.key, path: path, name: entity.map(words.names.title))
    let fields = difference.fields.map { JSONMember($0.name, beforeAfter($0.before, $0.after)) }
    let changes = difference.entries.map(\.json)
    return key.json + [
      "isNew": difference.isNew ? .bool(true) : nil,
      "isDeleted": difference.isDeleted ? .bool(true) : nil,
      "isRestored": difference.isRestored ? .bool(true) : nil,
      "quantity": difference.quantity.map { beforeAfter($0.before?.json, $0.after?.json) },
      "fields": fields.isEmpty ? nil : .object(fields),
      "changes": changes.isEmpty ? nil : .array(changes),
    ]
  }

  private func beforeAfter(_ before: JSON?, _ after: JSON?) -> JSON {
    ["before": before ?? .null, "after": after ?? .null]
  }
}

extension Outcome {
  /// The entities that the command itself changed, as they are after it.
  var entities: [Entity] { own.compactMap { self[$0] } }

  /// Their names.
  var titles: [String] { entities.map(after.naming.title) }
}
