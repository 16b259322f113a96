import LarderKit

/// A value that lost in a merge, in words and as JSON.
struct LossWords {
  let loss: LostWrite
  let household: Household
  let words: EntityWords

  /// The state of the field since the merge.
  enum State: String {
    case kept, restored, changed
  }

  /// The short id, by which commands name it.
  var id: String { String(loss.id.prefix(8)) }

  /// Whether both values read the same to people, so there is nothing to choose.
  var readsSame: Bool { kept == lost }

  /// Returns the words for several losses, with the current names; values that read the same are
  /// left out.
  static func all(_ losses: [LostWrite], in household: Household) -> [LossWords] {
    guard !losses.isEmpty else { return [] }
    let words = EntityWords(of: household)
    return losses.map { LossWords(loss: $0, household: household, words: words) }
      .filter { !$0.readsSame }
  }

  var title: String { words.names.title(of: household[loss.value.key] ?? loss.value.merged) }

  var path: String? { household.path(of: loss.value.key)?.text }

  /// The names of the differing fields, for people.
  var field: String {
    isState ? "shopping list" : told.map(EntityWords.label).joined(separator: ", ")
  }

  /// Whether it is about where a shopping entry is.
  private var isState: Bool {
    loss.value.key.kind == .shoppingListEntry
      && names.allSatisfy { $0 == .isCompleted || $0 == .isDeleted }
  }

  var kept: String {
    loss.value.count.map { words.what($0, in: Ledger()) } ?? text(of: loss.value.merged)
  }

  var lost: String {
    loss.value.late.isEmpty
      ? text(of: loss.value.lost)
      : loss.value.late.map { words.what($0, in: Ledger()) }.joined(separator: ", ")
  }

  /// The current values of the fields.
  var now: String {
    guard let entity = household[loss.value.key] else { return "none" }
    return loss.value.late.isEmpty ? text(of: entity) : entity.quantity.description
  }

  var lostBy: String { by(loss.lostBy, at: loss.value.lostAt) }

  var keptBy: String { by(loss.keptBy, at: loss.value.keptAt) }

  var mergedAt: String { words.time.text(of: loss.merge.at) }

  var state: State {
    guard let entity = household[loss.value.key] else { return .changed }
    if loss.value.isLost(in: entity) { return .restored }
    return loss.value.isKept(in: entity) ? .kept : .changed
  }

  /// The later change of the field; empty if it still has the value that won.
  var change: String { state == .kept ? "" : state.rawValue }

  private var names: [FieldName] {
    if !loss.value.late.isEmpty { return loss.value.names }
    return loss.value.names.filter { loss.value.merged[$0] != loss.value.lost[$0] }
  }

  /// The differing fields as people tell them: a number and its unit or currency are one value.
  private var told: [FieldName] {
    guard names.contains(where: Self.measures.contains) else { return names }
    let numbers = loss.value.names.filter { name in
      !Self.measures.contains(name)
        && Self.isNumber(loss.value.lost[name] ?? loss.value.merged[name])
    }
    return numbers.isEmpty ? names : numbers
  }

  private static let measures: Set<FieldName> = [.unit, .currency]

  private static func isNumber(_ value: JSON?) -> Bool {
    if case .number(let text)? = value { text != "0" } else { false }
  }

  private func text(of entity: Entity) -> String {
    guard !isState else {
      return entity.isTombstone
        ? "off the list" : entity.isCompleted ? "in the basket" : "on the list"
    }
    return told.map { words.text(of: entity[$0], field: $0, in: entity) }.joined(separator: ", ")
  }

  private func by(_ commit: Commit?, at stamp: Instant) -> String {
    let time = words.time.text(of: stamp)
    return commit.map { "\($0.who), \(time)" } ?? time
  }

  /// The title and fields, such as `Milk (name)`.
  var shortText: String { "\(title) (\(field))" }

  /// The result of the merge, for the history, such as `Milk: name: Oatly won, …`.
  var summary: String { "\(title): \(field): \(kept) won, \(lost) lost (\(lostBy))" }

  /// Returns a short sentence about values that lost.
  static func sentence(_ texts: [String], in merge: String) -> String {
    let more = texts.count > 5 ? " and \(texts.count - 5) more" : ""
    let what = texts.prefix(5).joined(separator: ", ") + more
    return "\(counted(texts.count, "value")) lost to later writes in \(merge): \(what)"
  }

  /// Reports the values that lost in a sync, and how to restore them.
  static func report(_ losses: [LossWords], _ output: Output) {
    guard !losses.isEmpty else { return }
    output.note(.warning, sentence(losses.map(\.shortText), in: "the merge"))
    output.hint(hint)
  }

  /// Returns the losses as a member of a sync's JSON.
  static func member(_ losses: [LossWords]) -> JSON { ["lost": .array(losses.map(\.json))] }

  static let hint = "'larder conflicts' shows both values, and brings the other one back"

  /// The members of the JSON: the entity, both values with their authors, and the merge.
  var json: JSON {
    let value = loss.value
    return ChangedEntity(key: value.key, path: path, name: title).json + [
      "kept": side(value.merged, value.keptAt, loss.keptBy),
      "lost": side(value.lost, value.lostAt, loss.lostBy), "merge": loss.merge.json,
      "state": .string(state.rawValue),
    ]
  }

  private func side(_ entity: Entity, _ stamp: Instant, _ commit: Commit?) -> JSON {
    let changes =
      stamp == loss.value.lostAt ? loss.value.late : [loss.value.count].compactMap(\.self)
    let fields = names.map { name in
      JSONMember(name, name == .changes ? .array(changes.map(\.json)) : entity[name] ?? .null)
    }
    return [
      "fields": .object(fields), "at": .string(stamp.description),
      "commit": commit?.json ?? .null,
    ]
  }
}

extension KeptVersion {
  /// The sentence about both versions.
  var sentence: String { "\(original) was changed on both sides; the other version is \(path)" }

  static let hint =
    "'larder conflicts restore FILE' puts the other version in the file's place; 'git rm FILE' and a "
    + "commit drop it, on every device"

  /// The finding of `check`, which stays until the file is gone.
  var problem: Problem {
    Problem(
      "this is another version of \(original), which was changed on both sides", path: path.text,
      severity: .warning)
  }

  var json: JSON { ["path": .string(original.text), "second": .string(path.text)] }
}
