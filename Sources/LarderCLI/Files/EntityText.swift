import LarderKit
import LarderModel
internal import LarderText

/// A household's file as text for people, line by line, for `git diff` and `git log -p`.
///
/// The text depends on the file alone, and times are in UTC. Fields without words are shown
/// unchanged.
enum EntityText {
  /// Returns the text for a file's bytes, or the bytes themselves if they are not an entity's.
  static func text(of bytes: [UInt8], path: String) -> [UInt8] {
    guard let kind = kind(of: bytes, path: path), let file = try? EntityFile(kind, parsing: bytes)
    else { return bytes }
    // Names in files may contain control characters.
    let lines = lines(EntityDifference.Version(file, at: FilePath(path))).map { sanitize($0) }
    return Array((lines.joined(separator: "\n") + "\n").utf8)
  }

  /// Returns the kind by the folder, otherwise the one that knows most of the file's keys, because git
  /// passes temporary files.
  private static func kind(of bytes: [UInt8], path: String) -> Kind? {
    if let kind = Kind(path: FilePath(path)) { return kind }
    guard let members = (try? JSON(parsing: bytes))?.members else { return nil }
    let keys = Set(members.map { FieldName($0.key) }).subtracting([.id])
    // An item comes before the others, the household last, if a file has only what all of them know.
    let known = Kind.allCases.sorted { $0 == .stockItem && $1 != .stockItem }
      .map { (kind: $0, count: keys.intersection(Schema.of($0).fields.map(\.name)).count) }
    let most = known.map(\.count).max() ?? 0
    return most == 0 ? nil : known.first { $0.count == most }?.kind
  }

  private static func lines(_ version: EntityDifference.Version) -> [String] {
    let entity = version.entity
    let words = EntityWords(names: .empty, time: LocalTime(zone: "UTC"))
    var lines = ["\(entity.kind.noun) \(entity.title)"]
    if Schema.of(entity.kind).quantity != nil {
      lines.append("  \(entity.showsLoose ? "loose" : "quantity"): \(version.quantity)")
    }
    if entity.showsLoose, let total = version.total {
      lines.append("  counted: \(total) in all")
    }
    for register in entity.registers where isShown(register, in: entity) {
      guard register.name != .items else { continue }
      lines.append(
        "  \(EntityWords.label(register.name)): \(words.text(of: register.value, field: register.name, in: entity))"
      )
    }
    for line in entity[.items]?.array ?? [] { lines.append("  line: " + text(ofLine: line)) }
    if entity.isTombstone { lines.append("  deleted") }
    let ledger = entity.ledger
    for entry in ledger.entries {
      let undone = ledger.counts(entry) || entry.quantity == nil ? "" : " (taken back)"
      let note = entry.note.map { ": \($0)" } ?? ""
      lines.append(
        "  \(minute(entry.at)) \(words.what(entry, in: ledger)), \(entry.by)\(note)\(undone)")
    }
    return lines
  }

  private static func isShown(_ register: Register, in entity: Entity) -> Bool {
    let schema = Schema.of(entity.kind)
    var hidden: [FieldName?] = [.userID, .householdID, .format, schema.tombstone?.field]
    if schema.namesAreUnique { hidden.append(schema.title) }
    // The quantity's line has its unit.
    switch schema.quantity {
    case .loose: hidden.append(.unit)
    case .nested: hidden.append(.quantity)
    case nil: break
    }
    return !hidden.contains(register.name) && register.value != nil && register.value != .string("")
  }

  /// Returns the text for a receipt's line, which may have no id yet.
  private static func text(ofLine line: JSON) -> String {
    let number = line[.quantity]?.number.flatMap { Number($0) } ?? .zero
    let unit = line[.unit]?.string.flatMap(Unit.init(rawValue:)) ?? .piece
    let parts = [
      "\(Quantity(number, unit)) × \(line[.itemName]?.string ?? "")",
      line[.price]?.number.map { "for \($0)" }, line[.expiry]?.string.map { "until \($0)" },
    ]
    return parts.compactMap { $0 }.joined(separator: " ")
  }

  private static func minute(_ instant: Instant) -> String {
    "\(instant.description.prefix(16))Z".replacing("T", with: " ")
  }
}
