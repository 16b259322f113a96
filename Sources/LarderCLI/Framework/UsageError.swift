import LarderModel

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
}

extension UsageError {
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
enum UsageProblem: Sendable, Equatable {
  case unknownCommand(
    String, under: [String], suggestions: [String], because: String? = nil)
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
  var question: String? {
    guard let last = suggestions.last else { return nil }
    let others = suggestions.dropLast().map { "'\($0)'" }.joined(separator: ", ")
    return others.isEmpty ? "did you mean '\(last)'?" : "did you mean \(others) or '\(last)'?"
  }
}
