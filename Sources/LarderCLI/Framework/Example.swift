/// A command line that works, and what it is for.
struct Example: Sendable, Equatable {
  /// The whole line, beginning with the program's name.
  var command: String
  /// One phrase, without a full stop; empty where the line speaks for itself.
  var explanation: String

  init(_ command: String, _ explanation: String = "") {
    self.command = command
    self.explanation = explanation
  }
}
