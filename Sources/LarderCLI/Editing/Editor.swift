import LarderKit
import Libc

/// The user's editor, which is the one of git.
struct Editor {
  let command: String

  /// Chooses the editor as git does: `GIT_EDITOR`, `core.editor`, `VISUAL`, `EDITOR`, `vi`.
  ///
  /// `setting` is the value of `core.editor`. On a dumb terminal, `VISUAL` and `vi` are left out.
  /// Nil if there is no editor.
  init?(_ environment: Environment, setting: String?, hasTerminal: Bool) {
    let isDumb = (environment["TERM"] ?? "dumb") == "dumb"
    let visual = isDumb ? nil : environment["VISUAL"]
    let usual = isDumb || !hasTerminal ? nil : "vi"
    let chosen = environment["GIT_EDITOR"] ?? setting ?? visual ?? environment["EDITOR"] ?? usual
    guard let chosen else { return nil }
    command = chosen
  }

  /// Opens a file and waits until the editor is closed.
  ///
  /// Throws if the editor did not start or ended with a failure.
  func open(_ path: String) throws(CommandError) {
    let code = ChosenProgram.undisturbed {
      ChosenProgram(command: command).start([path]).flatMap { ChildProcess.end(of: $0) }
    }
    guard code != 0 else { return }
    throw CommandError(
      .failed, "the editor did not end well: '\(command)'" + (code.map { " (exit \($0))" } ?? ""),
      hints: ["'git config --global core.editor nano' chooses another one"])
  }
}

extension Invocation {
  /// Returns the editor; throws if there is none, or if questions are not allowed.
  ///
  /// `instead` is the hint that tells how to do it without an editor.
  func editor(instead: String) throws -> Editor {
    guard !has(GlobalOption.noInput) else {
      throw CommandError(.usage, "--no-input allows no editor", hints: [instead])
    }
    let setting = try withLarder { larder in try larder.gitSetting("core.editor") }
    let terminal = output.terminal
    let hasTerminal = terminal.inputIsTerminal && terminal.outputIsTerminal
    guard let editor = Editor(environment, setting: setting, hasTerminal: hasTerminal) else {
      throw CommandError(
        .usage,
        hasTerminal
          ? "no editor is known for this terminal" : "there is no terminal, and no editor is set",
        hints: [
          instead,
          "'git config --global core.editor nano' or 'export EDITOR=nano' sets an editor",
        ])
    }
    return editor
  }
}
