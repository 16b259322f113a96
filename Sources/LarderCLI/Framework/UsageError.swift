import LarderKit
import LarderModel

/// The end of a command that has already reported everything, with the process's exit code.
///
/// It is for findings that are the command's own data, such as those of `check`.
struct ExitStatus: Error, Sendable, Equatable {
  let code: Int32
}

/// All mistakes in the way a command was typed.
struct UsageError: HasErrorWords, Sendable, Equatable {
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
  var errorWords: ErrorWords {
    let title = path.joined(separator: " ")
    let forms = topic.map { "'larder help \($0)' shows how to write it" }
    let help = forms ?? "see '\(title) --help'"
    if problems.count == 1, let problem = problems.first {
      return ErrorWords(
        .usage, problem.message, hints: [problem.question, help].compactMap { $0 })
    }
    return ErrorWords(
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

extension ErrorWords {
  /// Returns the error of an edit without a change.
  static func nothingAsked(_ hint: String) -> ErrorWords {
    ErrorWords(.usage, "what to change is missing", hint)
  }
}

extension ErrorKind {
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

/// An error while asking the user for a value.
enum InputError: HasErrorWords {
  /// There is no terminal to ask at, and no option has the value.
  case nobodyToAsk(what: String, option: String)
  /// The terminal's input ended.
  case nothingTyped(what: String)
  case emptyInput(what: String)

  var errorWords: ErrorWords {
    switch self {
    case .nothingTyped(let what):
      ErrorWords(.usage, "nothing was typed for the \(what)", "the same command asks again")
    case .nobodyToAsk(let what, let option):
      ErrorWords(
        .usage, "the \(what) can't be asked for: there is no terminal", "\(option) gives it")
    case .emptyInput(let what): ErrorWords(.usage, "the \(what) is empty")
    }
  }
}
