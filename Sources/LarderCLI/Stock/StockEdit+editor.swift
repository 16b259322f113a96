import LarderKit
import LarderModel
internal import LarderText

extension StockEdit {
  private static let options =
    "--full, --category, --set and others say what to change; see 'larder stock edit --help'"

  /// Opens an item's file in the editor and adopts what was saved.
  static func openEditor(_ invocation: Invocation) throws {
    let words = invocation.all(targets)
    let missing = CommandError(.usage, "what to change is missing", hints: [options])
    guard !words.contains(where: Filter.isFilter) else { throw missing }
    guard !invocation.has(Rehearsal.option) else {
      throw CommandError(
        .usage, "what to change is missing",
        hints: ["--dry-run needs an option such as --full; an editor is opened without it"])
    }
    try invocation.withLarder { larder in
      // Earlier edits are adopted first, so the commit has only this edit.
      let household = try larder.adopt().household
      let naming = Survey(household, now: larder.context.now()).naming
      let items = try naming.findSeveral(words, .stockItem)
      guard let item = items.first, items.count == 1 else { throw missing }
      let path = household.path(of: item.key) ?? ""
      let bytes = try Larder.bytes(of: path, in: larder.root)
      var draft = EditedText(
        text: String(decoding: bytes, as: UTF8.self),
        name: path.name,
        instead: options)
      draft.resuming = { "what you wrote is kept in \($0); once it is right, move it to \(path)" }
      let writing = try draft.edited(by: invocation) { text in
        _ = try EntityFile(.stockItem, parsing: Array(text.utf8))
        return try larder.save(Array(text.utf8), over: bytes, at: path)
      }
      report(writing, of: item, household, invocation.output)
    }
  }

  private static func report(
    _ writing: Writing?, of item: Entity, _ before: Household, _ output: Output
  ) {
    let changed = writing?.changed ?? []
    let household = writing?.household ?? before
    switch output.mode {
    case .json: return output.changed(changed, in: household)
    case .plain: return output.records(of: changed, in: household)
    case .human: break
    }
    guard changed.contains(item.key), let after = household[item.key] else {
      return output.note("\(item.title) is as it was")
    }
    let changes = FieldChanges(item, after, in: household)
    let total = Quantity(Stock(household).total(of: after), after.unit)
    output.line(changes.isEmpty ? "\(after.title): \(total) now" : changes.sentence)
  }
}
