import Foundation
import LarderJSON
import LarderModel

/// What people do with an editor, a file manager and plain git.
extension RandomDevices {
  func handEdit(on device: RandomDevice) throws {
    counter += 1
    let paths = try device.paths()
    guard let path = paths.randomElement(using: &random) else { return }
    switch Int.random(in: 0..<13, using: &random) {
    case 0, 1, 2: try rename(path, on: device)
    case 3, 4: try setNumber(on: device)
    case 5: try moveFile(path, on: device)
    case 6: try removeFile(path, on: device)
    case 7: try copyFile(path, on: device)
    case 8: try newFile(on: device)
    case 9: try putBack(path, on: device)
    case 10: try looseEntry(on: device)
    case 11: try loseBookkeeping(path, on: device)
    default: try editReadme(on: device)
    }
  }

  private func json(_ path: String, on device: RandomDevice) throws -> JSON? {
    try? JSON(parsing: try device.read(path))
  }

  /// Writes a name, a title or a note that nobody else has written.
  private func rename(_ path: String, on device: RandomDevice) throws {
    guard let kind = Kind(path: path), let json = try json(path, on: device) else { return }
    let field: String
    switch kind {
    case .receipt: field = "shopName"
    case .shoppingListEntry: field = "note"
    case .inventoryItem: field = "notes"
    default: field = "name"
    }
    let value = "By hand \(counter)"
    note(device, "write \(field) \(value) into \(path)")
    try device.write(json.setting(field, .string(value)).writeFile(), to: path)
    device.handEdits[path] = RandomDevice.HandEdit(kind: kind, field: field, value: value)
  }

  private func setNumber(on device: RandomDevice) throws {
    guard let path = try device.paths("stock/").randomElement(using: &random),
      let json = try json(path, on: device)
    else { return }
    let number = Int.random(in: 0...9, using: &random)
    note(device, "write quantityInStock \(number) into \(path)")
    // Compact, as a person would not write it: the form is mended too.
    try device.write(
      json.setting("quantityInStock", .number("\(number)")).compact(), to: path)
  }

  private func looseEntry(on device: RandomDevice) throws {
    guard let path = try device.paths("stock/").randomElement(using: &random),
      let json = try json(path, on: device)
    else { return }
    note(device, "write a ledger entry into \(path)")
    let entry = JSON.object([
      JSONMember("delta", .number("-1")), JSONMember("note", .string("by hand \(counter)")),
    ])
    try device.write(
      json.setting("changes", .array((json["changes"]?.array ?? []) + [entry])).writeFile(),
      to: path)
  }

  private func loseBookkeeping(_ path: String, on device: RandomDevice) throws {
    guard let json = try json(path, on: device) else { return }
    let field =
      ["changes", "edited", "createdAt", "userId", "updatedAt"].randomElement(using: &random)
      ?? "edited"
    note(device, "take \(field) out of \(path)")
    try device.write(json.setting(field, nil).writeFile(), to: path)
  }

  private func moveFile(_ path: String, on device: RandomDevice) throws {
    guard let folder = Kind(path: path)?.folder else { return }
    let target = folder + (random.happens(30) ? "/sub" : "") + "/moved-\(counter).json"
    note(device, "move \(path) to \(target)")
    let bytes = try device.read(path)
    let edit = device.handEdits[path]
    try device.remove(path)
    try device.write(bytes, to: target)
    device.handEdits[target] = edit
  }

  private func removeFile(_ path: String, on device: RandomDevice) throws {
    guard path != Kind.householdPath else { return }
    note(device, "remove \(path)")
    try device.remove(path)
  }

  private func copyFile(_ path: String, on device: RandomDevice) throws {
    guard let folder = Kind(path: path)?.folder else { return }
    let target = "\(folder)/copy-\(counter).json"
    note(device, "copy \(path) to \(target)")
    try device.write(try device.read(path), to: target)
  }

  /// Under one of few names, so that two devices may take the same.
  private func newFile(on device: RandomDevice) throws {
    let path = "stock/hand-\(Int.random(in: 0...3, using: &random)).json"
    let value = "New by hand \(counter)"
    note(device, "write \(value) to \(path)")
    let text = "{\"name\": \"\(value)\", \"quantityInStock\": 2, \"quantityFullStock\": 4}"
    try device.write(Array(text.utf8), to: path)
    device.handEdits[path] = RandomDevice.HandEdit(kind: .stockItem, field: "name", value: value)
  }

  /// An older version over the newer one, as an editor does that was left open.
  private func putBack(_ path: String, on device: RandomDevice) throws {
    let depth = Int.random(in: 1...6, using: &random)
    guard let old = try? device.git("show", "HEAD~\(depth):\(path)") else { return }
    note(device, "put \(path) of HEAD~\(depth) back")
    try device.write(Array(old.utf8), to: path)
    device.handEdits[path] = nil
  }

  private func editReadme(on device: RandomDevice) throws {
    let old = (try? device.read("README.md")) ?? Array("# Home\n\nOne\nTwo\nThree\n".utf8)
    var lines = String(decoding: old, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false
    ).map(String.init)
    let line = Int.random(in: 0..<lines.count, using: &random)
    note(device, "edit line \(line) of README.md")
    lines[line] = "Line \(counter)"
    try device.write(Array(lines.joined(separator: "\n").utf8), to: "README.md")
  }
}

extension RandomDevices {
  func plainGit(on device: RandomDevice) throws {
    counter += 1
    let action = Int.random(in: 0..<10, using: &random)
    switch action {
    case 0..<5: try commitAll(on: device)
    case 5: try commitOne(on: device)
    case 6, 7: try merge(on: device)
    case 8:
      note(device, "git revert HEAD")
      guard !device.tryGit("revert", "--no-edit", "HEAD") else { break }
      _ = device.tryGit("revert", "--abort")
    default:
      guard let path = try device.paths().randomElement(using: &random) else { return }
      let revision = "HEAD~\(Int.random(in: 1...4, using: &random))"
      note(device, "git checkout \(revision) -- \(path)")
      if device.tryGit("checkout", revision, "--", path) { device.handEdits[path] = nil }
    }
    try device.noteHead()
  }

  private func commitAll(on device: RandomDevice) throws {
    note(device, "git commit of everything")
    try device.git("add", "-A")
    if device.tryGit("commit", "-qm", "by hand \(counter)") { try device.settleEdits() }
  }

  private func commitOne(on device: RandomDevice) throws {
    let changed = try device.git("-c", "core.quotePath=false", "diff", "--name-only", "HEAD")
    guard let path = changed.split(separator: "\n").first.map(String.init) else { return }
    note(device, "git commit of \(path)")
    guard device.tryGit("commit", "-qm", "by hand \(counter)", "--", path) else { return }
    if let edit = device.handEdits.removeValue(forKey: path) { device.settledEdits.append(edit) }
  }

  private func merge(on device: RandomDevice) throws {
    note(device, "git merge origin/main")
    try device.git("fetch", "-q")
    guard !device.tryGit("merge", "-q", "--no-edit", "origin/main") else { return }
    note(device, "git merge --abort")
    // Where the driver fails, git itself puts the committed version over a file that was edited.
    let unmerged = try device.git("diff", "--name-only", "--diff-filter=U").split(separator: "\n")
    for path in unmerged { device.handEdits[String(path)] = nil }
    _ = device.tryGit("merge", "--abort")
  }
}
