import LarderKit
import LarderModel

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

/// All mistakes in the way a command was typed.
struct UsageError: Error, Sendable, Equatable {
  var problems: [UsageProblem]
  /// The names of the command with the program's, as far as they are known.
  var path: [String]
  /// The name of the help topic about the form of the unreadable value.
  var topic: String?

  init(_ problems: [UsageProblem], in path: [String], topic: HelpTopic? = nil) {
    self.problems = problems
    self.path = path
    self.topic = topic?.name
  }

  /// The error to report, with its exit code.
  var commandError: CommandError {
    let title = path.joined(separator: " ")
    let forms = topic.map { "'larder help \($0)' shows how to write it" }
    let help = forms ?? "see '\(title) --help'"
    if problems.count == 1, let problem = problems.first {
      return CommandError(
        .usage, problem.message, hints: [problem.question, help].compactMap { $0 })
    }
    return CommandError(
      .usage, "can't understand '\(title)': \(problems.count) mistakes",
      help,
      problems: problems.map { problem in
        Problem(problem.message + (problem.question.map { "; \($0)" } ?? ""))
      })
  }
}

/// One mistake in the way a command was typed; `message` has the words.
enum UsageProblem: Error, Equatable {
  case unknownCommand(String, under: [String], suggestions: [String], because: String? = nil)
  case missingSubcommand(of: [String], choices: [String])
  case unknownOption(String, suggestions: [String])
  case missingValue(option: String, placeholder: String)
  case unexpectedValue(option: String, value: String)
  case repeatedOption(String)
  case conflictingOptions(String, String)
  case missingArgument(String)
  case tooManyArguments([String])
  /// More words than one command is for.
  case tooManyWords(Int)
  case notAmong(value: String, name: String, choices: [String], suggestions: [String])
  /// A value that the command itself could not read.
  case unreadable(value: String, name: String, reason: String)

  /// Returns the problem of a value that is none of some words, with those that may be meant.
  static func notAmong(_ value: String, name: String, _ choices: [String]) -> UsageProblem {
    .notAmong(
      value: value, name: name, choices: choices,
      suggestions: LarderModel.suggestions(for: value, among: choices))
  }

  /// The problem in words, without a full stop.
  var message: String {
    switch self {
    case .unknownCommand(let word, let parents, _, let reason):
      (parents.count < 2
        ? "unknown command '\(word)'"
        : "unknown command '\(word)' under '\(parents.joined(separator: " "))'")
        + (reason.map { "; \($0)" } ?? "")
    case .missingSubcommand(let path, let choices):
      "'\(path.joined(separator: " "))' needs one of: \(choices.joined(separator: ", "))"
    case .unknownOption(let option, _): "unknown option '\(option)'"
    case .missingValue(let option, let placeholder): "\(option) needs a value, \(placeholder)"
    case .unexpectedValue(let option, let value): "\(option) takes no value, found '\(value)'"
    case .repeatedOption(let option): "\(option) is given more than once"
    case .conflictingOptions(let one, let other): "only one of \(one) and \(other) can be given"
    case .missingArgument(let name): "\(name) is missing"
    case .tooManyArguments(let words):
      words.count == 1
        ? "one argument too many: '\(words[0])'"
        : "\(words.count) arguments too many: "
          + words.map { "'\($0)'" }.joined(separator: " ")
    case .tooManyWords(let count): "\(count) words are too much for one command"
    case .notAmong(let value, let name, let choices, _):
      "\(name): '\(value)' is none of \(choices.joined(separator: ", "))"
    case .unreadable(let value, let name, let reason): "\(name): \(reason), found '\(value)'"
    }
  }

  /// Words that may have been meant, the best one first.
  var suggestions: [String] {
    switch self {
    case .unknownCommand(_, _, let suggestions, _), .unknownOption(_, let suggestions),
      .notAmong(_, _, _, let suggestions):
      suggestions
    default: []
    }
  }

  /// The suggestions as a question, or nil.
  var question: String? { didYouMean(suggestions) }
}

/// Returns the question about words that may be meant; nil without words.
func didYouMean(_ words: [String]) -> String? {
  guard let last = words.last else { return nil }
  let others = words.dropLast().map { "'\($0)'" }.joined(separator: ", ")
  return others.isEmpty ? "did you mean '\(last)'?" : "did you mean \(others) or '\(last)'?"
}
