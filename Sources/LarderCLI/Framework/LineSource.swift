import Libc

/// The source of a user's answers, line by line.
struct LineSource: Sendable {
  /// Returns the next line without its ending; nil at the end of the input.
  var readLine: @Sendable () -> String?
  /// Returns the next line while the terminal does not show the typed text.
  var readHiddenLine: @Sendable () -> String?

  /// The process's standard input.
  static let standardInput = LineSource(
    readLine: { Swift.readLine(strippingNewline: true) },
    readHiddenLine: {
      var shown = termios()
      guard tcgetattr(STDIN_FILENO, &shown) == 0 else { return Swift.readLine() }
      var hidden = shown
      hidden.c_lflag &= ~tcflag_t(ECHO)
      tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
      defer { tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown) }
      return Swift.readLine(strippingNewline: true)
    })
}
