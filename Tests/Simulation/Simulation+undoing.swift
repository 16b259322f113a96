import LarderGit
import LarderModel
import LarderStore
import TestSupport

/// Undo and redo, of this device's last command or of any commit.
extension Simulation {
  func undo(
    _ device: Device, _ action: Action, _ fault: Fault?, _ random: inout SeededGenerator
  ) throws {
    let depth = random.number(0...4)
    let isNamed = action == .undo && random.happens(30)
    let named = isNamed ? try device.ancestor(depth) : nil
    let words = "\(action)" + (named == nil ? "" : " of HEAD~\(depth)")
    note(device, words + (fault.map { ", \($0)" } ?? ""))
    var done: Undoing?
    let isDone = try perform(device, fault, &random) {
      let store = device.store
      done = action == .redo ? try store.redo() : try store.undo(named?.hex)
    }
    guard isDone, let done else { return }
    figures.undoings += 1
    note(device, "  \(done.isRedo ? "redo" : "undo"): \(done.command.subject)")
    try observe(device) { commit, version, parent in
      guard commit.id == done.writing.commit else { return }
      let last = try named ?? self.last(of: done, before: commit.parents[0], device)
      try self.check(version, from: parent, takesBack: last, device)
    }
  }

  /// Returns the last commit of a command: its undo, which is redone, or its redo or itself, which
  /// is undone.
  private func last(of done: Undoing, before head: ObjectID, _ device: Device) throws -> ObjectID {
    let trailer = done.isRedo ? "Larder-Undoes: " : "Larder-Redoes: "
    var last = done.command.id
    try device.repository.history(from: head) { commit in
      let isLast = commit.message.contains("\n\(trailer)\(done.command.id.hex)")
      if isLast { last = commit.id }
      return !isLast
    }
    return last
  }

  /// Checks that everything in a commit is undone and nothing else has changed.
  private func check(
    _ version: Record.Version, from parent: Record.Version, takesBack last: ObjectID,
    _ device: Device
  ) throws {
    guard let first = try device.repository.commit(last).parents.first,
      case .some(.some(let before)) = record.versions[first],
      case .some(.some(let after)) = record.versions[last],
      [version, parent, before, after].allSatisfy(\.isWhole)
    else { return }
    for (key, entity) in version.entities where !entity.isOwnShoppingEntry {
      guard let known = parent.entities[key] else { throw Failure("an undo makes up \(key)") }
      guard let left = after.entities[key] else {
        try expect(entity == known, "an undo changes \(key), which is not its own")
        continue
      }
      let change = RecordedChange(before: before.entities[key], after: left)
      if let mistake = change.mistake(takenBackFrom: known, to: entity) {
        throw Failure("an undo of \(last) \(mistake) of \(key):\n\(known)\n\(entity)")
      }
    }
  }
}
