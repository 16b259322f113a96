/// A text of `help` that is not about a command, such as the exit codes.
struct HelpTopic: Sendable, Equatable {
  /// The word after `help`.
  var name: String
  /// One line without a full stop.
  var summary: String
  /// Paragraphs, as in a command's discussion.
  var text: String
}
