import LarderModel
import Libc

/// A text that somebody writes in an editor.
///
/// It is offered again until it can be used. What was typed is never lost: a text that nothing was made
/// of stays in its file.
struct Draft {
  let editor: Editor
  let prompt: Prompt
  let output: Output
  /// The file, among the temporary ones.
  private let path: String

  /// Creates a draft with a name for its file, which people may see.
  init(_ name: String, editor: Editor, _ invocation: Invocation) {
    self.editor = editor
    prompt = invocation.prompt
    output = invocation.output
    let folder = invocation.environment["TMPDIR"] ?? "/tmp"
    let letters = (0..<6).map { _ in "abcdefghijklmnopqrstuvwxyz".randomElement() ?? "x" }
    path = (folder.hasSuffix("/") ? folder : folder + "/") + "\(name)-\(String(letters)).txt"
  }

  /// Lets somebody edit a text, and returns what `check` makes of it.
  ///
  /// Nil if the text was left as it was, or if nothing that `isEmpty` counts is left of it. If `check`
  /// throws, its error is told and the same text is offered again.
  func edit<Value>(
    _ text: String, isEmpty: (String) -> Bool, check: (String) throws -> Value
  ) throws -> Value? {
    try write(text)
    while true {
      let end = editor.open(path)
      let edited = try? read()
      guard end == 0 else { throw left(edited != text, "'\(editor.command)' did not end well") }
      guard edited != text, edited.map({ !isEmpty($0) }) ?? true else {
        unlink(path)
        return nil
      }
      do {
        let value = try check(try read())
        unlink(path)
        return value
      } catch let status as ExitStatus {
        throw status
      } catch {
        output.report(placed(MessageWords().commandError(for: error)))
        guard wantsAgain() else { throw left(true, "nothing was saved") }
      }
    }
  }

  private func wantsAgain() -> Bool {
    let answer = prompt.line("Edit again? [Y/n]").map(fold)
    return answer.map { ["", "y", "yes"].contains($0) } ?? false
  }

  /// Returns the error of an end without a result.
  private func left(_ hasText: Bool, _ reason: String) -> CommandError {
    guard hasText else {
      unlink(path)
      return CommandError(.failed, reason)
    }
    return CommandError(.failed, reason, hints: ["what you wrote is in \(path)"])
  }

  /// Returns an error whose problems without a file are in the draft's.
  private func placed(_ error: CommandError) -> CommandError {
    var error = error
    error.problems = error.problems.map { problem in
      var problem = problem
      if problem.line != nil, problem.path == nil { problem.path = path }
      return problem
    }
    return error
  }

  private func write(_ text: String) throws(CommandError) {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    let bytes = Array(text.utf8)
    guard file >= 0, Libc.write(file, bytes, bytes.count) == bytes.count, close(file) == 0 else {
      throw CommandError(
        .failed, "can't write \(path): \(String(cString: strerror(errno)))",
        hints: ["TMPDIR names another folder for temporary files"])
    }
  }

  private func read() throws -> String {
    guard let text = String(validating: try FileBytes.read(path), as: UTF8.self) else {
      throw CommandError(.failed, "\(path) is not UTF-8")
    }
    return text
  }
}
