import LarderGit
import LarderJSON
import LarderModel
import LarderText
import TestSupport

/// Actions with an editor and a file manager.
extension Simulation {
  func handEdit(_ device: Device, _ action: Action, _ random: inout SeededGenerator) throws {
    if action == .handNotes || action == .handPhoto {
      return try editOther(device, isPhoto: action == .handPhoto, &random)
    }
    guard let path = random.pick(try device.paths(action == .handNumber ? "stock/" : "")) else {
      return
    }
    switch action {
    case .handField: try writeText(path, device, &random)
    case .handNumber, .handEntry: try writeQuantity(action, path, device, &random)
    case .handBookkeeping: try loseBookkeeping(path, device, &random)
    case .handMove: try move(path, device, &random)
    case .handRemove:
      guard path != Kind.householdPath else { return }
      note(device, "remove \(path)")
      try device.remove(path)
    case .handCopy:
      guard let folder = Kind(path: path)?.folder, let bytes = device.bytes(path) else { return }
      note(device, "copy \(path) to \(folder)/copy-\(number).json")
      try device.write(bytes, to: "\(folder)/copy-\(number).json")
    case .handNew: try writeNew(device, &random)
    case .handStranger: try writeStranger(device, &random)
    case .handStale: try putBack(path, device, &random)
    default:
      guard path != Kind.householdPath, let bytes = device.bytes(path) else { return }
      note(device, "break \(path)")
      try device.write(bytes.dropLast(random.number(2...20)) + Array("<<".utf8), to: path)
    }
  }

  /// Writes a unique name, title or note, with or without other changes.
  private func writeText(_ path: FilePath, _ device: Device, _ random: inout SeededGenerator) throws
  {
    guard let kind = Kind(path: path), var json = device.json(path) else { return }
    let (field, text) = (kind.textField, "By hand \(number)")
    note(device, "write \(field) \"\(text)\" into \(path)")
    json = json.setting(field, .string(text))
    if random.happens(20) { json = json.setting("colour", .string("hand \(number)")) }
    if random.happens(20), kind == .stockItem { json = json.setting("category", nil) }
    if random.happens(15), kind == .stockItem {
      json = json.setting("quantityFullStock", .number("\(random.number(0...9))"))
    }
    try device.write(random.happens(30) ? json.compact() : json.writeFile(), to: path)
    device.handEdits[path] = Device.HandEdit(
      folder: kind.folder ?? Kind.householdPath.text, field: field, text: text)
  }

  private func writeQuantity(
    _ action: Action, _ path: FilePath, _ device: Device, _ random: inout SeededGenerator
  ) throws {
    guard var json = device.json(path), json["changes"] != nil else { return }
    let edit = device.handEdits[path]
    if action == .handNumber {
      let number = random.number(0...9)
      let name = random.happens(50) ? "quantityInStock" : "quantityLoose"
      let isAlone = random.happens(30)
      note(device, "write \(name) \(number) into \(path)\(isAlone ? ", alone" : "")")
      json = json.setting(name, .number("\(number)"))
      let other = name == "quantityLoose" ? "quantityInStock" : "quantityLoose"
      if isAlone { json = json.setting(other, nil) }
    } else {
      note(device, "write a ledger line into \(path)")
      let line = JSON.object([
        JSONMember("delta", .number("-1")), JSONMember("note", .string("by hand \(number)")),
      ])
      json = json.setting("changes", .array((json["changes"]?.array ?? []) + [line]))
    }
    try device.write(json.writeFile(), to: path)
    device.handEdits[path] = edit
  }

  private func loseBookkeeping(
    _ path: FilePath, _ device: Device, _ random: inout SeededGenerator
  ) throws {
    guard let json = device.json(path) else { return }
    let fields = ["changes", "edited", "createdAt", "userId", "updatedAt", "id"]
    let field = random.pick(fields) ?? "edited"
    note(device, "take \(field) out of \(path)")
    try device.write(json.setting(field, nil).writeFile(), to: path)
  }

  private func move(_ path: FilePath, _ device: Device, _ random: inout SeededGenerator) throws {
    guard let folder = Kind(path: path)?.folder, let bytes = device.bytes(path) else { return }
    let name = random.happens(30) ? "moved" : "moved-\(number)"
    let target: FilePath = "\(folder)\(random.happens(30) ? "/sub" : "")/\(name).json"
    note(device, "move \(path) to \(target)")
    let edit = device.handEdits[path]
    try device.remove(path)
    try device.write(bytes, to: target)
    device.handEdits[target] = edit
  }

  /// Creates a file with one of a few names, so two devices may use the same.
  private func writeNew(_ device: Device, _ random: inout SeededGenerator) throws {
    let path: FilePath = "stock/hand-\(random.number(0...2)).json"
    let text = "New by hand \(number)"
    note(device, "write \"\(text)\" to \(path)")
    let file = "{\"name\": \"\(text)\", \"quantityInStock\": 2, \"quantityFullStock\": 4}"
    try device.write(Array(file.utf8), to: path)
    device.handEdits[path] = Device.HandEdit(folder: "stock", field: "name", text: text)
  }

  /// Creates a batch of another household.
  private func writeStranger(_ device: Device, _ random: inout SeededGenerator) throws {
    guard let path = random.pick(try device.paths("stock/")),
      let item = device.json(path)?["id"]?.string
    else { return }
    let stranger: FilePath = "batches/stranger-\(random.number(0...1)).json"
    note(device, "write a stranger's batch to \(stranger)")
    let text = """
      {"householdId": "\(Self.otherHousehold)", "productRef": {"productId": "\(item)"},
       "quantity": {"value": 5, "unit": "piece"}}
      """
    try device.write(Array(text.utf8), to: stranger)
  }

  static let otherHousehold = "00000000-0000-7000-8000-00000000aaaa"

  /// Writes an older version over the newer one, like an editor that was left open.
  private func putBack(_ path: FilePath, _ device: Device, _ random: inout SeededGenerator) throws {
    let depth = random.number(1...6)
    guard let commit = try device.ancestor(depth),
      let entry = try device.repository.entry(
        at: path, in: try device.repository.commit(commit).tree)
    else { return }
    note(device, "put \(path) of HEAD~\(depth) back")
    try device.write(try device.repository.readBlob(entry.id), to: path)
  }

  /// Edits a note, which git merges by lines, or a photo, of which both versions are kept.
  private func editOther(_ device: Device, isPhoto: Bool, _ random: inout SeededGenerator) throws {
    let path: FilePath =
      isPhoto ? "receipts/photo.jpg" : random.happens(80) ? "README.md" : "notes/list.txt"
    note(device, "write \(path)")
    if isPhoto { return try device.write([0, 255, 0] + Array("photo \(number)".utf8), to: path) }
    let old = device.bytes(path) ?? Array("# Home\n\nOne\nTwo\nThree\n".utf8)
    var lines = String(decoding: old, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false
    ).map(String.init)
    lines[random.number(0...lines.count - 1)] = "Line \(number)"
    try device.write(Array(lines.joined(separator: "\n").utf8), to: path)
  }
}

extension JSON {
  /// Returns the object with one member set, or removed if the value is nil.
  func setting(_ key: String, _ value: JSON?) -> JSON {
    var members = (members ?? []).filter { $0.key != key || value != nil }
    guard let value else { return .object(members) }
    if let index = members.firstIndex(where: { $0.key == key }) {
      members[index].value = value
    } else {
      members.append(JSONMember(key, value))
    }
    return .object(members)
  }
}
