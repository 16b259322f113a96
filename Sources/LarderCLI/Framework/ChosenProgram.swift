import Libc

/// A program that the user chose, such as an editor or a pager; it shares the terminal.
struct ChosenProgram {
  /// The command as the shell reads it, so it may have arguments, as in `code --wait`.
  let command: String

  /// Starts the program with more arguments; nil if it can't be started.
  ///
  /// `input` is the descriptor of its standard input; nil for this process's. `variables` are set
  /// unless they are set already.
  func start(
    _ arguments: [String] = [], input: Int32? = nil, variables: [(String, String)] = []
  ) -> pid_t? {
    for (name, value) in variables { setenv(name, value, 0) }
    let words = isPlain ? [command] : ["/bin/sh", "-c", command + " \"$@\"", command]
    var program = ChildProcess(words + arguments)
    if let input { program.input = .descriptor(input) }
    program.defaultSignals = [SIGPIPE, SIGINT, SIGQUIT]
    return try? program.start()
  }

  /// Whether the command needs no shell, so a missing program is noticed at the start.
  private var isPlain: Bool {
    command.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || "/._-+,:@".utf8.contains(byte)
    } && command != ":"
  }

  /// Runs `body` while ^C and ^\ reach only the programs at the terminal, not this process.
  static func undisturbed<Value>(_ body: () throws -> Value) rethrows -> Value {
    let interrupt = signal(SIGINT, SIG_IGN)
    let quit = signal(SIGQUIT, SIG_IGN)
    defer {
      signal(SIGINT, interrupt)
      signal(SIGQUIT, quit)
    }
    return try body()
  }
}
