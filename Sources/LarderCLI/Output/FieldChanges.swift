import LarderJSON
import LarderKit
import LarderModel

/// The changed fields of an entity, for messages.
struct FieldChanges {
  /// The entity before and after, for the units of numbers.
  private let entities: (before: Entity, after: Entity)
  private let changes: [(name: FieldName, before: JSON?, after: JSON?)]
  private let words: EntityWords

  init(_ before: Entity, _ after: Entity, in household: Household) {
    self.init((before, after), after.registers.map { ($0.name, $0.value) }, household)
  }

  init(_ before: Entity, setting fields: [FieldValue], in household: Household) {
    self.init((before, before), fields, household)
  }

  private init(
    _ entities: (before: Entity, after: Entity), _ fields: [FieldValue], _ household: Household
  ) {
    self.entities = entities
    changes = fields.filter { entities.before[$0.name] != $0.value }
      .map { ($0.name, entities.before[$0.name], $0.value) }
    words = EntityWords(names: NameBook([household]), time: LocalTime(of: household))
  }

  var isEmpty: Bool { changes.isEmpty }

  /// The changes in one line, such as `Oat milk: full stock 6 → 8 l, category none → Dairy`.
  var sentence: String {
    let parts = changes.map { change in
      let before = words.text(of: change.before, field: change.name, in: entities.before)
      let after = words.text(of: change.after, field: change.name, in: entities.after)
      return "\(EntityWords.label(change.name)) \(EntityWords.arrow(before, after))"
    }
    return "\(entities.before.title): \(parts.joined(separator: ", "))"
  }
}

extension Invocation {
  /// Shows the changes and asks for confirmation if three or more things are affected.
  func isWanted(_ differences: [FieldChanges], of count: Int, _ noun: String) throws -> Bool {
    guard count >= 3, !differences.isEmpty, !has(GlobalOption.yes) else { return true }
    for difference in differences { output.note(difference.sentence) }
    let changing = counted(differences.count, noun)
    guard let answer = prompt.confirm("Change \(changing)?") else {
      throw CommandError(
        .usage, "changing \(changing) at once needs a yes, and nobody can be asked",
        hints: ["--yes says yes"])
    }
    return answer
  }

  /// Reports the changed fields of each thing that a command changed.
  func reportEdited(_ change: Outcome) {
    let lines = change.own.compactMap { key -> String? in
      guard let before = change.before.household[key], let after = change[key] else { return nil }
      return FieldChanges(before, after, in: change.after.household).sentence
    }
    output.report(change, lines: lines)
    if change.isNothing { output.note("nothing to change: it is already so") }
  }
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
