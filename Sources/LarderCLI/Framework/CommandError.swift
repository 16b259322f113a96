/// A failure as a command reports it: the kind for scripts, the rest for people.
struct CommandError: Error, Sendable, Equatable {
  var kind: ErrorKind
  /// What could not be done and why, without a full stop.
  var message: String
  /// Every mistake found, not only the first.
  var problems: [Problem]
  /// What to do about it, one sentence each.
  var hints: [String]

  init(
    _ kind: ErrorKind, _ message: String, problems: [Problem] = [], hints: [String] = []
  ) {
    self.kind = kind
    self.message = message
    self.problems = problems
    self.hints = hints
  }
}
