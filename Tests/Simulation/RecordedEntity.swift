import LarderJSON

/// Everything written of one entity: for every field the value with the latest stamp, and all
/// entries of its ledger.
///
/// It is a model of FORMAT.md, sections 6 to 8, and so simple that it is obviously right. It shares
/// only the reading of JSON with the tested code.
struct RecordedEntity: Hashable {
  struct Key: Hashable, CustomStringConvertible {
    let folder: String
    let id: String
    var description: String { "\(folder)/\(id)" }
  }

  /// A field, or the fields of a group, which are written together.
  struct Write: Hashable {
    /// The canonical bytes of each existing field.
    var values: [String: [UInt8]]
    /// The times as in files, whose texts sort in the order of time.
    var stamps: [String: String]

    var stamp: String { stamps.values.max() ?? "" }
  }

  var key: Key
  var createdAt: String
  /// The writes by the name of the field, or of the group's first field.
  var writes: [String: Write]
  /// The lines of the ledger, by id; of those before the page only derived ones are part of it.
  var entries: [String: Entry]
  /// The time of the page as in files; empty if there is none.
  var pageFrom = ""
  /// Whether an item's file says what lies loose in place of all there is.
  var showsLoose = false

  struct Entry: Hashable {
    let at: String
    let line: [UInt8]
  }

  private static let groups: [String: [[String]]] = [
    "stock": [["quantityFullStock", "quantityMinimum", "unit"]],
    "products": [["packSize", "unit"]],
    "shopping": [["desiredQuantity", "unit"], ["itemId", "name"]],
    "receipts": [["amount", "currency"]],
  ]

  static func group(of field: String, in folder: String) -> [String] {
    groups[folder]?.first { $0.contains(field) } ?? [field]
  }

  private static let bookkeeping: Set<String> = [
    "id", "createdAt", "updatedAt", "edited", "pageFrom", "changes", "quantityInStock",
    "quantityLoose", "consumedAt",
  ]

  /// Whether devices that don't know of each other may write a line under this id.
  private static func isDerived(_ id: String) -> Bool { Array(id)[14] == "5" }

  /// Reads a file in canonical form; nil if a required key is missing.
  init?(_ json: JSON, folder: String) {
    guard let id = json["id"]?.string, let createdAt = json["createdAt"]?.string,
      let members = json.members
    else { return nil }
    key = Key(folder: folder, id: id)
    self.createdAt = createdAt
    writes = [:]
    entries = [:]
    let hidden = Self.hidden(in: folder)
    for member in members where !hidden.contains(member.key) {
      let stamp = json["edited"]?[member.key]?.string ?? createdAt
      let value = Self.register(member.key, member.value, in: folder)
      note(member.key, value.written(depth: 1), stamp)
    }
    for member in json["edited"]?.members ?? [] where json[member.key] == nil {
      note(member.key, nil, member.value.string ?? "")
    }
    pageFrom = json["pageFrom"]?.string ?? ""
    showsLoose = json["quantityLoose"] != nil
    for line in json["changes"]?.array ?? [] {
      guard let id = line["id"]?.string, let at = line["at"]?.string else { return nil }
      add(Entry(at: at, line: line.compact()), id)
    }
  }

  private static func hidden(in folder: String) -> Set<String> {
    switch folder {
    case "stock": bookkeeping.subtracting(["consumedAt"])
    case "batches": bookkeeping.subtracting(["quantityInStock", "quantityLoose"])
    default: ["id", "createdAt", "updatedAt", "edited"]
    }
  }

  /// Returns the value without the parts that follow from the ledger.
  private static func register(_ name: String, _ value: JSON, in folder: String) -> JSON {
    guard folder == "batches" else { return value }
    if name == "quantity", let members = value.members {
      return .object(members.filter { $0.key != "value" })
    }
    return name == "status" && value == .string("consumed") ? .string("active") : value
  }

  private mutating func note(_ field: String, _ value: [UInt8]?, _ stamp: String) {
    let name = Self.group(of: field, in: key.folder)[0]
    var write = writes[name] ?? Write(values: [:], stamps: [:])
    write.values[field] = value
    write.stamps[field] = stamp
    writes[name] = write
  }

  private mutating func add(_ entry: Entry, _ id: String) {
    guard entry.at >= pageFrom || Self.isDerived(id) else { return }
    guard let other = entries[id] else { return entries[id] = entry }
    let isLater = (other.at, Text(other.line)) < (entry.at, Text(entry.line))
    if entry != other, isLater != Self.isDerived(id) { entries[id] = entry }
  }

  /// The latest time in the file.
  var updatedAt: String {
    max(
      createdAt, writes.values.map(\.stamp).max() ?? "", pageFrom,
      entries.values.map(\.at).max() ?? "")
  }

  /// Adds everything of another version.
  mutating func add(_ other: RecordedEntity) {
    createdAt = min(createdAt, other.createdAt)
    pageFrom = max(pageFrom, other.pageFrom)
    showsLoose = showsLoose || other.showsLoose
    entries = entries.filter { $0.value.at >= pageFrom || Self.isDerived($0.key) }
    for (id, entry) in other.entries { add(entry, id) }
    for (name, write) in other.writes {
      guard let known = writes[name] else {
        writes[name] = write
        continue
      }
      if key.folder == "receipts", name == "items", known.stamp == write.stamp,
        let lines = RecordedLines.join(known.values[name], write.values[name])
      {
        writes[name]?.values[name] = lines
      } else if known.loses(to: write, name, in: key.folder) {
        writes[name] = write
      }
    }
  }
}

extension RecordedEntity.Write {
  /// Whether another write of the same field wins.
  fileprivate func loses(to other: Self, _ name: String, in folder: String) -> Bool {
    if stamp != other.stamp { return stamp < other.stamp }
    let ranks = (rank(name, folder), other.rank(name, folder))
    if ranks.0 != ranks.1 { return ranks.0 < ranks.1 }
    let group = RecordedEntity.group(of: name, in: folder)
    let texts = (Text(text(group)), Text(other.text(group)))
    if texts.0 != texts.1 { return texts.0 < texts.1 }
    for field in group.sorted() where stamps[field] != other.stamps[field] {
      return stamps[field] ?? "" < other.stamps[field] ?? ""
    }
    return false
  }

  /// Returns the rank of a value; a deletion wins over other values with the same time.
  private func rank(_ name: String, _ folder: String) -> Int {
    let value = values[name].map { String(decoding: $0, as: UTF8.self) }
    switch (name, value) {
    case ("isArchived", "true") where ["stock", "locations", "products"].contains(folder): return 1
    case ("isDeleted", "true") where ["shopping", "receipts"].contains(folder): return 1
    case ("status", "\"discarded\"") where folder == "batches": return 1
    case ("status", "\"archived\"") where folder == "batches": return 2
    default: return 0
    }
  }

  private func text(_ group: [String]) -> [UInt8] {
    guard group.count > 1 else { return values[group[0]] ?? [] }
    guard !values.isEmpty else { return [] }
    let lines = group.sorted().compactMap { field in
      values[field].map { "    \"\(field)\": \(String(decoding: $0, as: UTF8.self))" }
    }
    return Array("{\n\(lines.joined(separator: ",\n"))\n  }".utf8)
  }
}

/// Bytes in lexicographic order; a prefix is smaller.
private struct Text: Comparable {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  static func < (left: Text, right: Text) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}
