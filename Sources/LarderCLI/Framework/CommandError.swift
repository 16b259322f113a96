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

  init(
    _ kind: ErrorKind, _ message: String, problems: [Problem] = [], hints: [String] = []
  ) {
    self.kind = kind
    self.message = message
    self.problems = problems
    self.hints = hints
  }

  /// A copy that is marked as an error about a broken or refused file.
  var tellingOfUntakenFile: CommandError {
    var error = self
    error.tellsOfUntakenFile = true
    return error
  }
}
