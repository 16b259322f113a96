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
      problems: problems.map { problem in
        Problem(problem.message + (problem.question.map { "; \($0)" } ?? ""))
      },
      hints: [help])
  }
}
