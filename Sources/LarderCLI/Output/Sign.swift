/// What a line about a sync or a watch begins with.
///
/// A terminal shows a picture. A pipe or a file gets none: there a warning is told by its word, and
/// all else by its sentence.
enum Sign: String {
  case atWork = "🔄"
  case waiting = "⏳"
  case done = "✅"
  case warning = "⚠️"
  case failed = "❌"
  case adopted = "📝"
  case received = "📥"

  /// Returns the beginning of a line.
  func prefix(onTerminal isTerminal: Bool) -> String {
    isTerminal ? rawValue + " " : self == .warning ? "warning: " : ""
  }
}

extension Output {
  /// Writes one sanitised line that is not data to standard error, behind its sign.
  func note(_ sign: Sign, _ text: String) {
    note(sign.prefix(onTerminal: terminal.errorIsTerminal) + text)
  }
}
