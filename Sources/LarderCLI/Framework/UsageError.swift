/// All mistakes in the way a command was typed.
struct UsageError: Error, Sendable, Equatable {
  var problems: [UsageProblem]
  /// The names of the command with the program's, as far as they are known.
  var path: [String]

  init(_ problems: [UsageProblem], in path: [String]) {
    self.problems = problems
    self.path = path
  }
}

extension UsageError {
  /// The error to report, with its exit code.
  var commandError: CommandError {
    let title = path.joined(separator: " ")
    let help = "see '\(title) --help'"
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
