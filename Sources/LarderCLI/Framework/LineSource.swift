#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Where a person's answers come from, a line at a time.
struct LineSource: Sendable {
  /// The next line without its ending; nil at the end of the input.
  var readLine: @Sendable () -> String?
  /// The same while the terminal doesn't show what is typed.
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
