/// A text of `help` that is not about a command, such as the exit codes.
struct HelpTopic: Sendable {
  /// The word after `help`.
  var name: String
  /// One line without a full stop.
  var summary: String
  private let writeText: @Sendable () -> String

  /// Creates a topic; its text is written when somebody reads it.
  init(name: String, summary: String, text: @autoclosure @escaping @Sendable () -> String) {
    self.name = name
    self.summary = summary
    writeText = text
  }

  /// Paragraphs, as in a command's discussion.
  var text: String { writeText() }
}

extension HelpTopic: Equatable {
  /// Topics are told apart by their names.
  static func == (left: HelpTopic, right: HelpTopic) -> Bool { left.name == right.name }
}
