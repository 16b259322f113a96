import Libc

/// The user's editor.
struct Editor {
  /// `$VISUAL`, otherwise `$EDITOR`.
  let command: String

  init?(_ environment: Environment) {
    guard let command = environment["VISUAL"] ?? environment["EDITOR"] else { return nil }
    self.command = command
  }

  /// Opens a file and waits until the editor is closed; returns its exit code.
  ///
  /// Nil if the editor did not start or was stopped by a signal. The command may have arguments, as
  /// in `code --wait`, so the shell parses it.
  func open(_ path: String) -> Int32? {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // This process ignores SIGPIPE and, while it waits, also ^C; the editor gets the default
    // handlers.
    var defaults = sigset_t()
    sigemptyset(&defaults)
    for signal in [SIGPIPE, SIGINT, SIGQUIT] { sigaddset(&defaults, signal) }
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    let interrupt = signal(SIGINT, SIG_IGN)
    let quit = signal(SIGQUIT, SIG_IGN)
    defer {
      signal(SIGINT, interrupt)
      signal(SIGQUIT, quit)
    }
    let words = ["/bin/sh", "-c", command + " \"$1\"", "sh", path]
    var arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var process: pid_t = 0
    guard posix_spawn(&process, "/bin/sh", nil, &attributes, &arguments, environ) == 0 else {
      return nil
    }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else { return nil }
    }
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : nil
  }
}
