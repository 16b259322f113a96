/// A program that is to become a child of this process, which `start` makes it.
///
/// The child has this process's folder, and its descriptors that are not closed on `exec`.
package struct ChildProcess {
  /// What a child has as one of its standard descriptors.
  package enum Stream {
    /// The same as this process.
    case inherited
    /// `/dev/null`.
    case nothing
    case descriptor(Int32)
  }

  /// The error number of a program that could not be started.
  package struct NotStarted: Error {
    package let code: Int32
  }

  package var input = Stream.inherited
  package var output = Stream.inherited
  package var complaint = Stream.inherited
  /// The variables, as `NAME=value`; nil for those of this process.
  package var environment: [String]?
  /// Whether the child leads a process group of its own.
  package var isInOwnGroup = false
  /// Signals that have their default handlers in the child although this process ignores them.
  package var defaultSignals: [Int32] = []
  /// Whether the child gets signals that this thread blocks.
  package var blocksNothing = false

  private let words: [String]

  /// Without a slash in it, the first word is looked for in the folders of `PATH`.
  package init(_ words: [String]) {
    self.words = words
  }

  /// Starts the program, and does not wait for it.
  package func start() throws(NotStarted) -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    for (number, stream) in [input, output, complaint].enumerated() {
      let number = Int32(number)
      switch stream {
      case .inherited: break
      case .nothing:
        let flags = number == STDIN_FILENO ? O_RDONLY : O_WRONLY
        posix_spawn_file_actions_addopen(&actions, number, "/dev/null", flags, 0)
      case .descriptor(let source): posix_spawn_file_actions_adddup2(&actions, source, number)
      }
    }
    var flags: Int32 = 0
    if isInOwnGroup { flags |= Int32(POSIX_SPAWN_SETPGROUP) }
    if !defaultSignals.isEmpty {
      var signals = sigset_t()
      sigemptyset(&signals)
      for signal in defaultSignals { sigaddset(&signals, signal) }
      posix_spawnattr_setsigdefault(&attributes, &signals)
      flags |= Int32(POSIX_SPAWN_SETSIGDEF)
    }
    if blocksNothing {
      var signals = sigset_t()
      sigemptyset(&signals)
      posix_spawnattr_setsigmask(&attributes, &signals)
      flags |= Int32(POSIX_SPAWN_SETSIGMASK)
    }
    posix_spawnattr_setflags(&attributes, Int16(flags))
    var arguments = words.map { strdup($0) } + [nil]
    var variables = environment.map { $0.map { strdup($0) } + [nil] } ?? []
    defer { for text in arguments + variables { free(text) } }
    var child: pid_t = 0
    let failure =
      environment == nil
      ? posix_spawnp(&child, words[0], &actions, &attributes, &arguments, environ)
      : posix_spawnp(&child, words[0], &actions, &attributes, &arguments, &variables)
    guard failure == 0 else { throw NotStarted(code: failure) }
    return child
  }

  /// Waits until a child ends; returns its exit code, or 128 and the number of the signal that
  /// ended it.
  ///
  /// Nil if it is no child of this process; `errno` has the reason.
  package static func end(of child: pid_t) -> Int32? {
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 {
      guard errno == EINTR else { return nil }
    }
    let signal = status & 0x7f
    return signal == 0 ? status >> 8 & 0xff : 128 + signal
  }
}
