/// The form of a command's output.
enum OutputMode: Sendable, Equatable {
  /// Tables and sentences.
  case human
  /// One tab-separated record for each line.
  case plain
  /// One JSON object.
  case json
}
