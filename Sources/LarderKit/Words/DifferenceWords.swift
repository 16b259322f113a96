package import LarderModel
import LarderStore

/// The changes of an entity, in words.
package struct DifferenceWords: Sendable {
  package let words: EntityWords

  package init(before: Household, after: Household) {
    words = EntityWords(names: NameBook([after, before]), time: LocalTime(of: after))
  }

  package init(_ words: EntityWords) { self.words = words }

  /// Returns the changes of entities between two households, a line for each.
  package static func summaries(
    _ keys: [EntityKey], from before: Household, to after: Household
  ) -> [String] {
    let words = DifferenceWords(before: before, after: after)
    return after.toldDifferences(from: before, of: keys).map(words.summary)
  }

  /// Returns the heading, such as `Oat milk`, `new item Oat milk` or `Oat milk is archived`.
  package func heading(_ difference: EntityDifference) -> String {
    guard let entity = difference.after ?? difference.before else { return "" }
    let title = self.title(entity)
    if difference.isNew {
      let end = entity.isTombstone ? ", \(deleted(entity))" : ""
      return "new \(entity.kind.noun) \(title)\(end)"
    }
    if difference.isDeleted { return "\(title) is \(deleted(entity))" }
    if difference.isRestored {
      return "\(title) is back\(entity.kind == .shoppingListEntry ? " on the list" : "")"
    }
    return title
  }

  private func title(_ entity: Entity) -> String {
    let title = words.names.title(of: entity)
    guard entity.kind == .inventoryItem else { return title }
    let (day, code) = (entity.batchDay, entity.lotCode)
    let place = day == nil && code == nil ? entity.locationID.flatMap(words.names.location) : nil
    let marks = LotMarks(day: day, code: code, place: place, isOpen: false)
    return "\(title) (\(marks.words))"
  }

  private func deleted(_ entity: Entity) -> String {
    guard entity.kind == .inventoryItem else { return entity.kind.deletedWord }
    let status = entity[.status]?.string
    return status == "discarded" ? "no longer there" : status ?? entity.kind.deletedWord
  }

  /// Returns the changes, one line each, without the heading.
  package func lines(_ difference: EntityDifference) -> [String] {
    // The heading says that a file is gone.
    guard difference.after != nil else { return [] }
    var lines: [String] = []
    if let quantity = difference.quantity {
      let isLoose = difference.after.map(words.names.hasBatches) ?? false
      lines.append("\(isLoose ? "loose" : "quantity"): \(arrow(quantity))")
    }
    if let counted = difference.counted { lines.append("counted as \(counted) in all") }
    if let ledger = difference.after?.ledger {
      lines += difference.toldEntries.map { entry in
        "\(words.what(entry, in: ledger)), \(words.time.text(of: entry.at)), \(entry.by)"
          + (entry.note.map { ": \($0)" } ?? "")
      }
    }
    lines += fieldLines(difference)
    if let path = difference.path, let old = difference.oldPath, path != old {
      lines.append("file: \(old) → \(path)")
    }
    return lines
  }

  /// Returns the changes in one line for the history: the quantity, then the fields.
  package func summary(_ difference: EntityDifference) -> String {
    guard difference.after != nil else { return heading(difference) }
    if let rest = restOfLot(difference) { return rest }
    var parts: [String] = []
    let isLoose = !difference.isNew && difference.after.map(words.names.hasBatches) ?? false
    if let quantity = difference.quantity {
      parts.append(
        (isLoose ? "loose " : "") + (difference.isNew ? text(quantity.after) : arrow(quantity)))
    }
    if let counted = difference.counted { parts.append("counted as \(counted) in all") }
    if !difference.isNew {
      parts += fieldLines(difference)
      if let path = difference.path, let old = difference.oldPath, path != old {
        parts.append("its file is \(path) now")
      }
    }
    let heading = heading(difference)
    let hasVerb = difference.isNew || difference.isDeleted || difference.isRestored
    if parts.isEmpty, !hasVerb, !difference.entries.isEmpty {
      return "\(heading): \(isLoose ? "loose " : "")as much as before"
    }
    return parts.isEmpty ? heading : "\(heading): \(parts.joined(separator: "; "))"
  }

  /// Returns the quantity of a lot, before and after, if one of its batches was discarded and others
  /// are still there; nil if none is.
  private func restOfLot(_ difference: EntityDifference) -> String? {
    guard difference.isDeleted, let batch = difference.before, batch.kind == .inventoryItem,
      let (before, after) = words.names.lot(of: batch)
    else { return nil }
    return "\(title(batch)): \(EntityWords.arrow(before.description, after.description))"
  }

  private func arrow(_ change: EntityDifference.Change<Quantity>) -> String {
    change.before == nil ? text(change.after) : "\(text(change.before)) → \(text(change.after))"
  }

  private func text(_ quantity: Quantity?) -> String { quantity.map(\.description) ?? "none" }

  private func fieldLines(_ difference: EntityDifference) -> [String] {
    difference.fields.flatMap { field -> [String] in
      if isSaid(field.name, by: difference) { return [] }
      let label = EntityWords.label(field.name)
      if field.name == .items { return lineChanges(difference) }
      let after = words.text(of: field.after, field: field.name, in: difference.after)
      if difference.isNew {
        return isUsual(field, difference.key.kind) ? [] : ["\(label): \(after)"]
      }
      let before = words.text(of: field.before, field: field.name, in: difference.before)
      return ["\(label): \(EntityWords.arrow(before, after))"]
    }
  }

  /// Whether the heading or the quantity already shows this field.
  private func isSaid(_ name: FieldName, by difference: EntityDifference) -> Bool {
    if name == Schema.of(difference.key.kind).title { return difference.isNew }
    return switch name {
    case .isArchived, .isDeleted, .status:
      difference.isNew || difference.isDeleted
        || difference.isRestored
    case .isCompleted: difference.isDeleted
    case .quantity, .unit: difference.isNew
    default: false
    }
  }

  private func isUsual(_ field: EntityDifference.FieldChange, _ kind: Kind) -> Bool {
    let schema = Schema.of(kind).fields.first { $0.name == field.name }
    return schema?.defaultValue == field.after || field.after == .string("")
  }

  /// Returns the lines of a receipt that were added, removed or changed.
  private func lineChanges(_ difference: EntityDifference) -> [String] {
    let before = difference.before?.lines ?? []
    let after = difference.after?.lines ?? []
    let known = Dictionary(before.map { ($0.id, $0) }) { first, _ in first }
    let kept = Set(after.map(\.id))
    func text(_ line: ReceiptLine) -> String {
      EntityWords.text(line, in: difference.after ?? difference.before)
    }
    let gone = before.filter { !kept.contains($0.id) }
    return after.compactMap { line in
      guard let old = known[line.id] else { return "line: \(text(line))" }
      return old == line ? nil : "line: \(text(old)) → \(text(line))"
    } + gone.map { "line gone: \(text($0))" }
  }
}

extension EntityWords {
  /// Creates the words for one household.
  package init(of household: Household) {
    self.init(names: NameBook([household]), time: LocalTime(of: household))
  }

  /// Returns what other values make of an entity's fields, in one line such as `Oat milk: full stock
  /// 6 → 8 l, category none → Dairy`; nil if no value differs.
  ///
  /// The entity before and after has the units of numbers.
  package func changes(of before: Entity, to fields: [FieldValue], in after: Entity) -> String? {
    let parts = fields.filter { before[$0.name] != $0.value }.map { field in
      let old = text(of: before[field.name], field: field.name, in: before)
      let new = text(of: field.value, field: field.name, in: after)
      return "\(Self.label(field.name)) \(Self.arrow(old, new))"
    }
    return parts.isEmpty ? nil : "\(before.title): \(parts.joined(separator: ", "))"
  }

  package func changes(of before: Entity, to after: Entity) -> String? {
    changes(of: before, to: after.registers.map { ($0.name, $0.value) }, in: after)
  }
}

extension Outcome {
  /// The changes in words, a line for each entity.
  package var summaries: [String] {
    DifferenceWords.summaries(writing.changed, from: before.household, to: after.household)
  }
}
