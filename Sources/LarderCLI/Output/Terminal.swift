import Libc

/// The connection of the standard streams to a terminal.
struct Terminal: Sendable, Equatable {
  var inputIsTerminal: Bool
  var outputIsTerminal: Bool
  var errorIsTerminal: Bool
  /// The number of columns of a line.
  var width: Int
  /// Whether the environment allows colours on a terminal.
  var allowsColor: Bool

  /// Checks the process's streams, with `COLUMNS`, `NO_COLOR` and `TERM`.
  static func detect(_ environment: Environment) -> Terminal {
    Terminal(
      inputIsTerminal: isatty(STDIN_FILENO) == 1,
      outputIsTerminal: isatty(STDOUT_FILENO) == 1,
      errorIsTerminal: isatty(STDERR_FILENO) == 1,
      width: environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
        ?? measuredWidth() ?? 80,
      allowsColor: environment["NO_COLOR"] == nil && environment["TERM"] != "dumb")
  }

  private static func measuredWidth() -> Int? {
    for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
      var size = winsize()
      if ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 {
        return Int(size.ws_col)
      }
    }
    return nil
  }
}
