/// A text that `help` shows besides the commands, such as the exit codes.
struct HelpTopic: Sendable, Equatable {
  /// One word, as behind `help`.
  var name: String
  /// One line without a full stop.
  var summary: String
  /// Paragraphs as in a command's discussion.
  var text: String
}
