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
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // This process ignores some signals; the program gets the default handlers.
    var defaults = sigset_t()
    sigemptyset(&defaults)
    for signal in [SIGPIPE, SIGINT, SIGQUIT] { sigaddset(&defaults, signal) }
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let input { posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO) }
    for (name, value) in variables { setenv(name, value, 0) }
    var words = (isPlain ? [command] : ["/bin/sh", "-c", command + " \"$@\"", command]) + arguments
    let program = words[0]
    words = isPlain ? words : ["sh"] + words.dropFirst()
    var pointers = words.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    var process: pid_t = 0
    guard posix_spawnp(&process, program, &actions, &attributes, &pointers, environ) == 0 else {
      return nil
    }
    return process
  }

  /// Whether the command needs no shell, so a missing program is noticed at the start.
  private var isPlain: Bool {
    command.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || "/._-+,:@".utf8.contains(byte)
    } && command != ":"
  }

  /// Waits until a program ends; returns its exit code, or nil if a signal ended it.
  static func wait(for process: pid_t) -> Int32? {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else { return nil }
    }
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : nil
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
