import Libc
import Synchronization

/// The program that shows long output page by page, chosen and started as git does it.
///
/// It starts with the first output. If it can't be started, the output goes directly to the
/// terminal. If the user leaves it before the end, `SIGPIPE` ends this process. So only commands
/// that change nothing have a pager.
final class Pager: Sendable {
  /// Returns the command; nil for none.
  private let choose: @Sendable () -> String?
  private let errorIsTerminal: Bool
  /// Whether the command was asked for already.
  private let isChosen = Atomic(false)
  /// The pager, for the signal handler, which must not allocate or wait for a lock; 0 for none.
  private static let process = Atomic<pid_t>(0)

  init(errorIsTerminal: Bool, choose: @escaping @Sendable () -> String?) {
    self.errorIsTerminal = errorIsTerminal
    self.choose = choose
  }

  /// Starts the pager and gives it what this process prints from now on; later calls do nothing.
  func start() {
    guard !isChosen.exchange(true, ordering: .relaxed), let command = choose() else { return }
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // The same as in git: short output is only printed, colours are shown, and the screen stays.
    let process = ChosenProgram(command: command).start(
      input: ends[0], variables: [("LESS", "FRX"), ("LV", "-c")])
    if let process {
      Self.process.store(process, ordering: .sequentiallyConsistent)
      dup2(ends[1], STDOUT_FILENO)
      if errorIsTerminal { dup2(ends[1], STDERR_FILENO) }
      signal(SIGPIPE, SIG_DFL)
      for number in [SIGINT, SIGQUIT, SIGTERM, SIGHUP] { Self.waitForPager(at: number) }
    }
    for end in ends { close(end) }
  }

  /// Tells the pager that the output is complete, and waits until the user leaves it.
  func finish() { Self.end() }

  private static func end() {
    let process = process.load(ordering: .sequentiallyConsistent)
    guard process != 0 else { return }
    close(STDOUT_FILENO)
    close(STDERR_FILENO)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
  }

  /// Lets a signal end this process only after the pager.
  ///
  /// The terminal sends Ctrl-C to both, and the pager decides by itself whether to end. If this
  /// process went first, the shell and the pager would both read keys.
  private static func waitForPager(at number: Int32) {
    let former = signal(number) { number in
      Pager.end()
      signal(number, SIG_DFL)
      raise(number)
    }
    let isUsual = unsafeBitCast(former, to: Int.self) == unsafeBitCast(SIG_DFL, to: Int.self)
    if !isUsual { signal(number, former) }
  }

  /// Returns the command of the pager: `GIT_PAGER`, git's `core.pager`, `PAGER`, `less`.
  ///
  /// Nil if the command is `cat` or empty, which mean no pager. A terminal that can't move its
  /// cursor gets a pager only if the user chose one.
  static func command(_ environment: Environment, setting: () -> String?) -> String? {
    let isDumb = (environment["TERM"] ?? "dumb") == "dumb"
    let chosen =
      environment.text(of: "GIT_PAGER") ?? setting() ?? environment.text(of: "PAGER")
      ?? (isDumb ? "cat" : "less")
    return chosen.isEmpty || chosen == "cat" ? nil : chosen
  }
}
