import LarderKit

/// A text that somebody changes in the editor until it reads; what they wrote is never lost.
struct EditedText {
  /// The text that the editor shows first.
  let text: String
  /// The file's name, with an ending that the editor knows, such as `eggs.json`.
  let name: String
  /// The hint about how to do the same without an editor.
  let instead: String
  /// Whether a text says nothing, like one that was not changed.
  var isEmpty: (String) -> Bool = { _ in false }
  /// Whether a text that was left as it is says something too.
  var takesUnchanged = false
  /// The hint about what to do with the file, if the text is kept there.
  var resuming: (_ path: String) -> String = { "what you wrote is kept in \($0)" }

  /// Opens the editor, and returns what `read` makes of the text; nil if it was not changed, or
  /// is empty.
  ///
  /// If `read` throws, the mistakes are told, and on a terminal the text can be changed again. The
  /// problems of the error may have a line and a column of the text; their file and excerpt are added.
  /// Otherwise the text stays in a file, and the error says where.
  func edited<Value>(
    by invocation: Invocation, _ read: (_ text: String) throws -> Value
  ) throws -> Value? {
    let editor = try invocation.editor(instead: instead)
    let draft = try invocation.withLarder { larder in try larder.draft(of: text, named: name) }
    while true {
      do {
        try editor.open(draft.path)
      } catch {
        // An editor that fails would fail again.
        throw try failure(error, draft)
      }
      do {
        let changed = try changedText(draft)
        let value = try changed.map(read)
        try draft.remove()
        return value
      } catch let status as ExitStatus {
        // It is saved, and told.
        try draft.remove()
        throw status
      } catch {
        try askAgain(try failure(error, draft), draft, invocation)
      }
    }
  }

  /// Returns the text as it was saved; nil if it is the same as before.
  private func changedText(_ draft: Draft) throws -> String? {
    guard let changed = String(validating: try draft.bytes(), as: UTF8.self) else {
      throw CommandError(.invalidData, "what was saved is no UTF-8")
    }
    return (changed == text && !takesUnchanged) || isEmpty(changed) ? nil : changed
  }

  /// Returns the words for an error, which say where the draft is kept; one without news is removed.
  private func failure(_ error: any Error, _ draft: Draft) throws -> CommandError {
    let current = try draft.bytes()
    var failure = MessageWords().commandError(for: error)
    guard current != Array(text.utf8) else {
      try draft.remove()
      return failure
    }
    failure.problems = failure.problems.map { placed($0, in: draft, current) }
    failure.hints.append(resuming(draft.path))
    return failure
  }

  /// Returns a problem with the draft's path and line.
  private func placed(_ problem: Problem, in draft: Draft, _ bytes: [UInt8]) -> Problem {
    guard let line = problem.line else { return problem }
    var placed = problem
    placed.path = draft.path
    placed.sourceLine = SourceLines(bytes: bytes)[line]
    return placed
  }

  /// Tells what is wrong and asks whether to go on; throws if not, or if nobody can be asked.
  private func askAgain(
    _ failure: CommandError, _ draft: Draft, _ invocation: Invocation
  ) throws {
    guard invocation.prompt.isInteractive, invocation.output.mode != .json else { throw failure }
    let keeping = resuming(draft.path)
    var shown = failure
    shown.hints.removeAll { $0 == keeping }
    invocation.output.report(shown)
    guard invocation.prompt.agrees("Edit again? [Y/n]") else {
      throw CommandError(failure.kind, "nothing was changed", hints: [keeping])
    }
  }
}
