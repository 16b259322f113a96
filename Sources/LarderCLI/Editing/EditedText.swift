import LarderKit
import Libc

/// A text that somebody changes in the editor until it can be read; their text is never lost.
struct EditedText {
  /// The text that the editor shows first.
  let text: String
  /// The file's name, with an ending that the editor knows, such as `eggs.json`.
  let name: String
  /// The hint that tells how to do the same without an editor.
  let instead: String
  /// Whether a text counts as empty, which is like an unchanged one.
  var isEmpty: (String) -> Bool = { _ in false }
  /// Whether an unchanged text is accepted too.
  var takesUnchanged = false
  /// The hint that tells what to do with the file in which the text is kept.
  var resuming: (_ path: String) -> String = { "what you wrote is kept in \($0)" }

  /// Opens the editor, and returns the value that `read` makes of the text; nil if the text was not
  /// changed, or is empty.
  ///
  /// If `read` throws, the mistakes are reported, and on a terminal the user can go on editing. The
  /// problems of the error may have a line and a column of the text; their file and excerpt are
  /// added. Otherwise the text stays in a file, and the error names it.
  func edited<Value>(
    by invocation: Invocation, _ read: @Sendable (_ text: String) async throws -> Value
  ) async throws -> Value? {
    let editor = try await invocation.editor(instead: instead)
    let draft = try await invocation.withLarder { [text, name] larder in
      try larder.draft(of: text, named: name)
    }
    while true {
      do {
        try editor.edit(draft.path)
      } catch {
        // If the editor fails once, it would fail again.
        throw try failure(error, draft)
      }
      do {
        var value: Value?
        if let changed = try changedText(draft) { value = try await read(changed) }
        try draft.remove()
        return value
      } catch let status as ExitStatus {
        // The text is saved, and the error was reported.
        try draft.remove()
        throw status
      } catch {
        try askAgain(try failure(error, draft), draft, invocation)
      }
    }
  }

  /// Returns the saved text; nil if it was not changed.
  private func changedText(_ draft: Draft) throws -> String? {
    guard let changed = String(validating: try draft.bytes(), as: UTF8.self) else {
      throw ErrorWords(.invalidData, "what was saved is no UTF-8")
    }
    return (changed == text && !takesUnchanged) || isEmpty(changed) ? nil : changed
  }

  /// Returns the words for an error, which name the kept draft.
  ///
  /// An unchanged draft is removed.
  private func failure(_ error: any Error, _ draft: Draft) throws -> ErrorWords {
    let current = try draft.bytes()
    var failure = MessageWords().errorWords(for: error)
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

  /// Reports the mistakes and asks whether to go on; throws if not, or if nobody can be asked.
  private func askAgain(_ failure: ErrorWords, _ draft: Draft, _ invocation: Invocation) throws {
    guard invocation.prompt.isInteractive, invocation.output.mode != .json else { throw failure }
    let keeping = resuming(draft.path)
    var shown = failure
    shown.hints.removeAll { $0 == keeping }
    invocation.output.report(shown)
    guard invocation.prompt.agrees("Edit again? [Y/n]") else {
      throw ErrorWords(failure.kind, "nothing was changed", keeping)
    }
  }
}

extension ChosenProgram {
  /// The user's editor, chosen as git does: `GIT_EDITOR`, `core.editor`, `VISUAL`, `EDITOR`, `vi`.
  ///
  /// `setting` is the value of `core.editor`. On a dumb terminal, `VISUAL` and `vi` are left out.
  /// Nil if there is no editor.
  fileprivate init?(editorOf environment: Environment, setting: String?, hasTerminal: Bool) {
    let isDumb = (environment["TERM"] ?? "dumb") == "dumb"
    let visual = isDumb ? nil : environment["VISUAL"]
    let usual = isDumb || !hasTerminal ? nil : "vi"
    let chosen = environment["GIT_EDITOR"] ?? setting ?? visual ?? environment["EDITOR"] ?? usual
    guard let chosen else { return nil }
    self.init(command: chosen)
  }

  /// Opens a file and waits until the editor is closed.
  ///
  /// Throws if the editor did not start or ended with a failure.
  fileprivate func edit(_ path: String) throws(ErrorWords) {
    let code = Self.undisturbed { start([path]).flatMap { ChildProcess.end(of: $0) } }
    guard code != 0 else { return }
    throw ErrorWords(
      .failed, "the editor did not end well: '\(command)'" + (code.map { " (exit \($0))" } ?? ""),
      "'git config --global core.editor nano' chooses another one")
  }
}

extension Invocation {
  /// Returns the editor; throws if there is none, or if questions are not allowed.
  ///
  /// `instead` is the hint that tells how to do it without an editor.
  fileprivate func editor(instead: String) async throws -> ChosenProgram {
    guard !has(GlobalOption.noInput) else {
      throw ErrorWords(.usage, "--no-input allows no editor", instead)
    }
    let setting = try await withLarder { larder in try larder.gitSetting("core.editor") }
    let terminal = output.terminal
    let hasTerminal = terminal.inputIsTerminal && terminal.outputIsTerminal
    let editor = ChosenProgram(editorOf: environment, setting: setting, hasTerminal: hasTerminal)
    guard let editor else {
      throw ErrorWords(
        .usage,
        hasTerminal
          ? "no editor is known for this terminal" : "there is no terminal, and no editor is set",
        instead, "'git config --global core.editor nano' or 'export EDITOR=nano' sets an editor")
    }
    return editor
  }
}
