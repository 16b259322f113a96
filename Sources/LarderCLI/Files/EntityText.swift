import LarderJSON
import LarderModel

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
    let lines = lines(EntityDifference.Version(file, at: path)).map { sanitize($0) }
    return Array((lines.joined(separator: "\n") + "\n").utf8)
  }

  /// Returns the kind by the folder, otherwise by its specific fields, because git passes temporary
  /// files.
  private static func kind(of bytes: [UInt8], path: String) -> Kind? {
    if let kind = Kind(path: path) { return kind }
    guard let json = try? JSON(parsing: bytes), json.members != nil else { return nil }
    let signs: [(Kind, [FieldName])] = [
      (.inventoryItem, [.productRef]), (.receipt, [.shopName]), (.household, [.timeZone]),
      (.shoppingListEntry, [.desiredQuantity, .isCompleted, .itemID]),
      (.storageLocation, [.isColdStorage]), (.product, [.title, .barcodes]),
      (.stockItem, [.quantityInStock, .quantityFullStock, .changes, .name]),
    ]
    return signs.first { sign in sign.1.contains { json[$0] != nil } }?.0
  }

  private static func lines(_ version: EntityDifference.Version) -> [String] {
    let entity = version.entity
    let words = EntityWords(names: .empty, time: LocalTime(zone: "UTC"))
    var lines = ["\(entity.kind.noun) \(entity.title)"]
    if Schema.of(entity.kind).quantity != nil { lines.append("  quantity: \(version.quantity)") }
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
        "  \(minute(entry.at)) \(words.what(entry, in: ledger)), \(entry.by)\(note)\(undone)"
      )
    }
    return lines
  }

  private static func isShown(_ register: Register, in entity: Entity) -> Bool {
    let name = register.name
    if [.userID, .householdID, .format, Schema.of(entity.kind).tombstone?.field].contains(name) {
      return false
    }
    if entity.kind == .inventoryItem, name == .quantity { return false }
    if entity.kind == .stockItem, name == .unit { return false }
    if name == .name, entity.kind == .stockItem || entity.kind == .storageLocation { return false }
    return register.value != nil && register.value != .string("")
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
