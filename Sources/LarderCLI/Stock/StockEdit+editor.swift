import LarderKit
import LarderModel

extension StockEdit {
  /// Opens an item's file in the editor and adopts the edits.
  static func openEditor(_ invocation: Invocation) throws {
    let survey = try invocation.survey()
    let words = invocation.all(targets)
    guard words.count == 1, let word = words.first, !Filter.isFilter(word) else {
      throw CommandError(
        .usage, "what to change is missing",
        hints: ["--full, --category, --set and others say what; see 'larder stock edit --help'"])
    }
    let item = try survey.naming.find(word, .stockItem)
    guard invocation.prompt.isInteractive, invocation.output.terminal.outputIsTerminal else {
      throw CommandError(
        .usage, "what to change is missing, and there is no terminal for an editor",
        hints: ["--full, --category, --set and others say what; see 'larder stock edit --help'"])
    }
    guard !invocation.has(Rehearsal.option) else {
      throw CommandError(
        .usage, "what to change is missing",
        hints: ["--dry-run needs an option such as --full; an editor is opened without it"])
    }
    guard let editor = Editor(invocation.environment) else {
      throw CommandError(
        .failed, "no editor is known",
        hints: ["set VISUAL or EDITOR, as in 'export EDITOR=nano'"])
    }
    let path = survey.household.path(of: item.key) ?? ""
    let root = try invocation.withLarder { larder in larder.root }
    guard editor.open(root + "/" + path) == 0 else {
      throw CommandError(.failed, "the editor did not end well: '\(editor.command)'")
    }
    try adopt(path, of: item, invocation)
  }

  private static func adopt(_ path: String, of item: Entity, _ invocation: Invocation) throws {
    try invocation.withLarder { larder in
      let writing = try larder.adopt()
      if let mistakes = writing.household.unreadable[path] {
        throw StoreError.unreadable(path: path, mistakes)
      }
      let changed = writing.adoption?.changed ?? []
      guard invocation.output.mode != .json else {
        invocation.output.changed(changed, in: writing.household)
        return
      }
      guard changed.contains(item.key), let after = writing.household[item.key] else {
        invocation.output.note("\(item.title) is as it was")
        return
      }
      let changes = FieldChanges(item, after)
      let total = Quantity(Stock(writing.household).total(of: after), after.unit)
      invocation.output.line(changes.isEmpty ? "\(after.title): \(total) now" : changes.sentence)
    }
  }
}
