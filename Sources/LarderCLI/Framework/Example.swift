/// A valid command line and its purpose.
struct Example: Sendable, Equatable {
  /// The whole line, beginning with the program's name.
  var command: String
  /// One phrase without a full stop; empty if the line needs no explanation.
  var explanation: String

  init(_ command: String, _ explanation: String = "") {
    self.command = command
    self.explanation = explanation
  }
}
