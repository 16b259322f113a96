#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What the standard streams are connected to.
struct Terminal: Sendable, Equatable {
  var inputIsTerminal: Bool
  var outputIsTerminal: Bool
  var errorIsTerminal: Bool
  /// The columns of a line.
  var width: Int
  /// Whether a terminal may be sent colours, by the environment.
  var allowsColor: Bool

  /// Looks at the process's streams; `COLUMNS`, `NO_COLOR` and `TERM` are heeded.
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
