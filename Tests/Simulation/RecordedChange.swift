import LarderJSON

/// What one commit wrote of an entity.
struct RecordedChange {
  /// Nil where the commit made it.
  let before: RecordedEntity?
  let after: RecordedEntity

  /// What is wrong with a version that is to be another one without this change, in words.
  func mistake(takenBackFrom known: RecordedEntity, to entity: RecordedEntity) -> String? {
    guard let before else { return mistake(deleting: known, to: entity) }
    for name in Set(known.writes.keys).union(entity.writes.keys) {
      let (was, now) = (known.values(name), entity.values(name))
      let (first, left) = (before.values(name), after.values(name))
      if now != (first == left ? was : first) { return "leaves a wrong \(name)" }
      if now != was, was != left { return "loses the later \(name)" }
    }
    return entity.counted == counted(in: known, before) ? nil : "leaves wrong ledger lines"
  }

  /// What the commit made is deleted, unless somebody has written into it since.
  private func mistake(deleting known: RecordedEntity, to entity: RecordedEntity) -> String? {
    guard entity.isDeleted else { return "leaves what was made" }
    if entity.counted != known.counted { return "changes the ledger" }
    for name in known.writes.keys where !RecordedEntity.tombstones.contains(name) {
      if entity.writes[name] != known.writes[name] { return "changes the \(name)" }
      if !known.isDeleted, known.values(name) != after.values(name) {
        return "loses the later \(name)"
      }
    }
    return nil
  }

  /// The lines that are to count: without those that the change brought, with those it had undone.
  private func counted(in known: RecordedEntity, _ before: RecordedEntity) -> [[UInt8]: Int] {
    var counted = known.counted
    for (id, entry) in after.entries where before.entries[id] == nil {
      if let undone = entry.undone {
        if let content = after.entries[undone]?.content, counted[content] == nil {
          counted[content] = 1
        }
      } else {
        // Two who save one basket write one line; what it says is the earlier one's.
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

  /// What is there of a field, or of the fields of a group.
  fileprivate func values(_ name: String) -> [String: [UInt8]] { writes[name]?.values ?? [:] }

  /// How often each line counts: one that is undone does not, nor does the one that undoes it.
  var counted: [[UInt8]: Int] {
    let undone = Set(entries.values.compactMap(\.undone))
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

  /// The line as it is again where it is written anew.
  var content: [UInt8] {
    let members = json?.members ?? []
    return JSON.object(members.filter { !["id", "by", "request"].contains($0.key) }).compact()
  }

  private var json: JSON? { try? JSON(parsing: line) }
}
