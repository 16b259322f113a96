/// A command's failure, with its kind for scripts and its texts for people.
struct CommandError: Error, Sendable, Equatable {
  var kind: ErrorKind
  /// The failure and its reason, without a full stop.
  var message: String
  /// All mistakes that were found.
  var problems: [Problem]
  /// The next steps, one sentence each.
  var hints: [String]
  /// Names that nobody knows, if that is all that is wrong; a command may offer to make them.
  var unknownNames: [String] = []
  /// Whether it names a file that can't be read, so that nothing else has to.
  var tellsOfBrokenFile = false

  init(
    _ kind: ErrorKind, _ message: String, problems: [Problem] = [], hints: [String] = []
  ) {
    self.kind = kind
    self.message = message
    self.problems = problems
    self.hints = hints
  }

  /// The error, which names a file that can't be read.
  var tellingOfBrokenFile: CommandError {
    var error = self
    error.tellsOfBrokenFile = true
    return error
  }
}
