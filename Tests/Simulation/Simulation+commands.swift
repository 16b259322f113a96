import LarderGit
import LarderJSON
import LarderModel
import LarderStore
import LarderText
import TestSupport

/// Actions with the program.
extension Simulation {
  func command(
    _ device: Device, _ action: Action, _ fault: Fault?, _ random: inout SeededGenerator
  ) throws {
    note(device, "\(action)" + (fault.map { ", \($0)" } ?? ""))
    var done: (writing: Writing, value: Command)?
    let seed = random.next()
    let isDone = try perform(device, fault, &random) {
      done = try write(action, seed: seed, in: device.store)
    }
    guard isDone, let done else { return }
    try observe(device) { commit, version, parent in
      guard commit.id == done.writing.commit else { return }
      try self.check(done.value.now, commit, version, parent)
    }
    guard let said = done.value.said, done.writing.commit != nil else { return }
    note(device, "  \(said.text)")
    guard let (field, text) = said.field else { return }
    let folder = said.key.kind.folder ?? Kind.householdPath.text
    try expect(
      record.texts.contains("\(folder)/\(field)/\(text)"), "the command's \(field) is not there")
  }

  private func write(_ action: Action, seed: UInt64, in store: Store) throws -> (
    writing: Writing, value: Command
  ) {
    try store.commit(as: action.rawValue) { edit, writer in
      var act = Command(
        edit: edit, writer: writer, number: number, random: SeededGenerator(seed: seed))
      try act.run(action)
      edit = act.edit
      return ("\(action) \(self.number)", act)
    }.get()
  }

  /// Runs a command of another process, which may find the household locked.
  func commandMeanwhile(_ device: Device, _ random: inout SeededGenerator) throws {
    let action = random.pick([Action.consume, .writeField, .newItem, .receiptSave]) ?? .consume
    note(device, "  meanwhile \(action)")
    do {
      _ = try write(action, seed: random.next(), in: try device.another())
    } catch  where Simulation.isPassing(error) || Simulation.isRefusal(error) {
      return note(device, "  which failed: \(error)")
    }
    try observe(device)
  }

  func commitMeanwhile(_ device: Device) throws {
    var isDone = false
    do {
      isDone = try device.commit(try device.allPaths(), "meanwhile")
    } catch  where Simulation.isPassing(error) {}
    note(device, "  meanwhile git commit" + (isDone ? "" : ", which git will not do"))
  }
}
