import LarderKit

/// A command's failure, with its kind for scripts and its texts for people.
struct CommandError: Error, Sendable, Equatable {
  var kind: ErrorKind
  /// The failure and its reason, without a full stop.
  var message: String
  /// All mistakes that were found.
  var problems: [Problem]
  /// The next steps, one sentence each.
  var hints: [String]
  /// The unknown names, if they are the only problem; a command may offer to make these things.
  var unknownNames: [String] = []
  /// Whether the error is about a broken or refused file, so a warning about that file is not needed.
  var tellsOfUntakenFile = false

  /// Creates the error of a message with what to do next.
  init(_ kind: ErrorKind, _ message: String, _ hints: String..., problems: [Problem] = []) {
    self.init(kind, message, problems: problems, hints: hints)
  }

  init(_ kind: ErrorKind, _ message: String, problems: [Problem] = [], hints: [String]) {
    self.kind = kind
    self.message = message
    self.problems = problems
    self.hints = hints
  }

  /// Returns the error of an edit without a change.
  static func nothingAsked(_ hint: String) -> CommandError {
    CommandError(.usage, "what to change is missing", hint)
  }

  /// A copy that is marked as an error about a broken or refused file.
  var tellingOfUntakenFile: CommandError {
    var error = self
    error.tellsOfUntakenFile = true
    return error
  }
}

/// The kind of a command's failure, for scripts.
///
/// The raw value is the stable name in JSON output.
enum ErrorKind: String, Sendable, CaseIterable {
  case failed
  case usage
  case notFound
  case ambiguous
  case notAllowed
  case invalidData
  case unreachable
  case locked
  /// A commit of others is refused.
  case refused

  /// The process's exit code.
  var exitCode: Int32 {
    switch self {
    case .failed: 1
    case .usage: 2
    case .notFound, .ambiguous: 3
    case .notAllowed: 4
    case .invalidData: 5
    case .unreachable: 6
    case .locked: 7
    case .refused: 8
    }
  }
}

/// A single problem, with its position if it is in a file.
struct Problem: Sendable, Equatable {
  /// The severity; errors and warnings make a check fail.
  enum Severity: String, Sendable {
    case error
    case warning
    /// Possibly correct; no command fails for it.
    case note
  }

  /// The file, relative to the household's folder.
  var path: String?
  /// The line, from 1.
  var line: Int?
  /// The column, from 1, counted in Unicode scalars.
  var column: Int?
  var message: String
  /// The line of the file, without its line ending.
  var sourceLine: String?
  var severity: Severity

  init(
    _ message: String, path: String? = nil, line: Int? = nil, column: Int? = nil,
    sourceLine: String? = nil, severity: Severity = .error
  ) {
    self.message = message
    self.path = path
    self.line = line
    self.column = column
    self.sourceLine = sourceLine
    self.severity = severity
  }

  /// The position as `path:line:column`, as far as it is known; nil without a path.
  var place: String? {
    guard let path else { return nil }
    let numbers = [line, line == nil ? nil : column].compactMap { $0 }
    return ([path] + numbers.map(String.init)).joined(separator: ":")
  }
}

/// The end of a command that has already reported everything, with the process's exit code.
///
/// It is for findings that are the command's own data, such as those of `check`.
struct ExitStatus: Error, Sendable, Equatable {
  let code: Int32
}

extension CommandError {
  /// The error without the passwords and tokens in URLs that people typed.
  var withoutSecrets: CommandError {
    var error = self
    error.message = Larder.withoutSecrets(message)
    for index in problems.indices {
      error.problems[index].message = Larder.withoutSecrets(problems[index].message)
    }
    error.hints = hints.map(Larder.withoutSecrets)
    return error
  }
}
