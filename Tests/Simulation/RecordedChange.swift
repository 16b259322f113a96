import LarderJSON

/// The change of an entity in one commit.
struct RecordedChange {
  /// The version before; nil if the commit created the entity.
  let before: RecordedEntity?
  let after: RecordedEntity

  /// Returns what is wrong with a version that should be another one without this change, in words;
  /// nil if it is right.
  func mistake(takenBackFrom known: RecordedEntity, to entity: RecordedEntity) -> String? {
    guard let before else { return mistake(deleting: known, to: entity) }
    for name in Set(known.writes.keys).union(entity.writes.keys) {
      let (was, now) = (known.values(name), entity.values(name))
      let (first, left) = (before.values(name), after.values(name))
      if now != (first == left ? was : first) { return "leaves a wrong \(name)" }
      if now != was, was != left { return "loses the later \(name)" }
    }
    // What began a page is taken back by the difference, and what is before one not at all.
    let isPaged = after.entries.contains { id, entry in
      before.entries[id] == nil && entry.at == known.pageFrom
    }
    return isPaged || entity.counted == counted(in: known, before)
      ? nil : "leaves wrong ledger lines"
  }

  /// Checks that a created entity is deleted and that later changes by others are kept.
  private func mistake(deleting known: RecordedEntity, to entity: RecordedEntity) -> String? {
    guard entity.isDeleted else { return "leaves what was made" }
    // A batch never was, with what its maker put in; what others did counts.
    let isBatch = known.key.folder == "batches" && !known.isDeleted
    var counted = known.counted
    for (id, entry) in after.entries where isBatch && entry.undone == nil {
      let content = known.entries[id]?.content ?? entry.content
      counted[content] = counted[content].flatMap { $0 == 1 ? nil : $0 - 1 }
    }
    if entity.counted != counted { return "changes the ledger" }
    for name in known.writes.keys where !RecordedEntity.tombstones.contains(name) {
      if entity.writes[name] != known.writes[name] { return "changes the \(name)" }
      if !known.isDeleted, known.values(name) != after.values(name) {
        return "loses the later \(name)"
      }
    }
    return nil
  }

  /// Returns the lines that should count: without the lines of the change, with those that it had
  /// undone.
  private func counted(in known: RecordedEntity, _ before: RecordedEntity) -> [[UInt8]: Int] {
    var counted = known.counted
    for (id, entry) in after.entries where before.entries[id] == nil {
      if let undone = entry.undone {
        if let content = after.entries[undone]?.content, counted[content] == nil {
          counted[content] = 1
        }
      } else {
        // Two people who save one basket write the same line; the content is that of the earlier
        // one.
        let content = known.entries[id]?.content ?? entry.content
        if let count = counted[content] { counted[content] = count == 1 ? nil : count - 1 }
      }
    }
    return counted
  }
}

extension RecordedEntity {
  static let tombstones: Set<String> = ["isArchived", "isDeleted", "status"]

  var isDeleted: Bool {
    Self.tombstones.contains { name in
      let value = writes[name]?.values[name].map { String(decoding: $0, as: UTF8.self) }
      return value == "true" || value == "\"discarded\"" || value == "\"archived\""
    }
  }

  /// Returns the values of a field, or of the fields of a group.
  fileprivate func values(_ name: String) -> [String: [UInt8]] { writes[name]?.values ?? [:] }

  /// The number of times that each line counts; an undone line and the one that undoes it don't
  /// count.
  var counted: [[UInt8]: Int] {
    let undone = Set(entries.values.compactMap(\.undone).filter { entries[$0]?.at != pageFrom })
    var counted: [[UInt8]: Int] = [:]
    for (id, entry) in entries where entry.undone == nil && !undone.contains(id) {
      counted[entry.content, default: 0] += 1
    }
    return counted
  }
}

extension RecordedEntity.Entry {
  /// The id of the line that this one undoes.
  var undone: String? { json?["undoes"]?.string }

  /// The line without the parts that change when it is written again.
  var content: [UInt8] {
    let members = json?.members ?? []
    return JSON.object(members.filter { !["id", "by", "request"].contains($0.key) }).compact()
  }

  private var json: JSON? { try? JSON(parsing: line) }
}
