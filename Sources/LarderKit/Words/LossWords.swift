import LarderGit
package import LarderModel
package import LarderStore

/// A value that lost in a merge, in words.
package struct LossWords {
  package let loss: LostWrite
  package let household: Household
  package let words: EntityWords

  package init(loss: LostWrite, household: Household, words: EntityWords) {
    self.loss = loss
    self.household = household
    self.words = words
  }

  /// The state of the field since the merge.
  package enum State: String {
    case kept, restored, changed
  }

  /// The short id, by which commands name it.
  package var id: String { String(loss.id.prefix(8)) }

  /// Whether both values read the same to people, so there is nothing to choose.
  package var readsSame: Bool { kept == lost }

  /// Returns the words for several losses, with the current names; values that read the same are
  /// left out.
  package static func all(_ losses: [LostWrite], in household: Household) -> [LossWords] {
    guard !losses.isEmpty else { return [] }
    let words = EntityWords(of: household)
    return losses.map { LossWords(loss: $0, household: household, words: words) }
      .filter { !$0.readsSame }
  }

  package var title: String {
    words.names.title(of: household[loss.value.key] ?? loss.value.merged)
  }

  package var path: String? { household.path(of: loss.value.key)?.text }

  /// The names of the differing fields, for people.
  package var field: String {
    isState ? "shopping list" : told.map(EntityWords.label).joined(separator: ", ")
  }

  /// Whether it is about where a shopping entry is.
  private var isState: Bool {
    loss.value.key.kind == .shoppingListEntry
      && names.allSatisfy { $0 == .isCompleted || $0 == .isDeleted }
  }

  package var kept: String {
    loss.value.count.map { words.what($0, in: Ledger()) } ?? text(of: loss.value.merged)
  }

  package var lost: String {
    loss.value.late.isEmpty
      ? text(of: loss.value.lost)
      : loss.value.late.map { words.what($0, in: Ledger()) }.joined(separator: ", ")
  }

  /// The current values of the fields.
  package var now: String {
    guard let entity = household[loss.value.key] else { return "none" }
    return loss.value.late.isEmpty
      ? text(of: entity) : Stock(household).withoutLack(entity).quantity.description
  }

  package var lostBy: String { by(loss.lostBy, at: loss.value.lostAt) }

  package var keptBy: String { by(loss.keptBy, at: loss.value.keptAt) }

  package var mergedAt: String { words.time.text(of: loss.merge.at) }

  package var state: State {
    guard let entity = household[loss.value.key] else { return .changed }
    if loss.value.isLost(in: entity) { return .restored }
    return loss.value.isKept(in: entity) ? .kept : .changed
  }

  /// The later change of the field; empty if it still has the value that won.
  package var change: String { state == .kept ? "" : state.rawValue }

  package var names: [FieldName] {
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
  package var shortText: String { "\(title) (\(field))" }

  /// The result of the merge, for the history, such as `Milk: name: Oatly won, …`.
  package var summary: String { "\(title): \(field): \(kept) won, \(lost) lost (\(lostBy))" }

  /// Returns a short sentence about values that lost.
  package static func sentence(_ texts: [String], in merge: String) -> String {
    let more = texts.count > 5 ? " and \(texts.count - 5) more" : ""
    let what = texts.prefix(5).joined(separator: ", ") + more
    return "\(counted(texts.count, "value")) lost to later writes in \(merge): \(what)"
  }

  package static let hint = "'larder conflicts' shows both values, and brings the other one back"
}

extension KeptVersion {
  /// The sentence about both versions.
  package var sentence: String {
    "\(original) was changed on both sides; the other version is \(path)"
  }

  package static let hint =
    "'larder conflicts restore FILE' puts the other version in the file's place; 'git rm FILE' and a "
    + "commit drop it, on every device"

  /// The finding of `check`, which stays until the file is gone.
  package var problem: Problem {
    Problem(
      "this is another version of \(original), which was changed on both sides", path: path.text,
      severity: .warning)
  }
}
