/// The form in which a command prints its data.
enum OutputMode: Sendable, Equatable {
  /// Tables and sentences.
  case human
  /// One tab-separated record a line.
  case plain
  /// One JSON object.
  case json
}
