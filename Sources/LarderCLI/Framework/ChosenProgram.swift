import Foundation
import LarderKit
import Libc
import Synchronization

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

/// The command by which git and background tasks call this program.
enum OwnProgram {
  /// Returns the plain name if the shell finds this program by it, otherwise its full path as a
  /// shell word.
  static func word(_ environment: Environment) -> String {
    guard let path = environment.program.map(resolved) else { return "larder" }
    let folders = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
    let found = folders.map { $0 + "/larder" }.first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
    if let found, resolved(found) == path { return "larder" }
    return shellWord(path)
  }

  /// Starts this program in the background; the current command does not wait for it.
  static func startBehind(_ words: [String], _ environment: Environment) throws {
    let process = Process()
    process.executableURL = environment.program.map { URL(filePath: $0) }
    process.arguments = words
    // Otherwise a reader of our output would wait until this process ends.
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  private static func resolved(_ path: String) -> String {
    URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
  }
}

/// The environment variables and the program's own file, of the process or of a test.
public struct Environment: Sendable {
  private let lookup: @Sendable (String) -> String?
  private let findProgram: @Sendable () -> String?

  /// The variables of this process.
  public static let process = Environment(program: { Bundle.main.executablePath }) { name in
    getenv(name).map { String(cString: $0) }
  }

  /// Creates an environment with exactly these variables.
  public init(_ variables: [String: String], program: String? = nil) {
    self.init(program: { program }) { variables[$0] }
  }

  private init(
    program: @escaping @Sendable () -> String?, lookup: @escaping @Sendable (String) -> String?
  ) {
    findProgram = program
    self.lookup = lookup
  }

  /// The path of the program, with which git and the program itself start it again.
  ///
  /// Foundation takes a while to find it, and few commands ask.
  var program: String? { findProgram() }

  /// The value of a variable; nil if it is not set or empty.
  public subscript(name: String) -> String? {
    guard let value = lookup(name), !value.isEmpty else { return nil }
    return value
  }

  /// Returns the text of a variable, which may be empty; nil if it is not set.
  func text(of name: String) -> String? { lookup(name) }
}

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
    // In a locale such as C, less would escape each byte of a name that is not ASCII; the output is
    // UTF-8 in every locale.
    let process = ChosenProgram(command: command).start(
      input: ends[0], variables: [("LESS", "FRX"), ("LV", "-c"), ("LESSCHARSET", "utf-8")])
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

/// A descriptor that becomes readable when the process should end.
///
/// The first SIGTERM, SIGINT or SIGHUP then no longer ends the process; a second one does. A signal
/// that the parent process ignores stays ignored.
struct StopSignals {
  /// Becomes readable after a signal.
  let descriptor: Int32

  /// A signal handler must not wait or allocate, so it uses a number that already exists.
  private static let writing = Atomic<Int32>(-1)

  init() throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw ErrorWords(.failed, "could not wait for signals: \(String(cString: strerror(errno)))")
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    descriptor = ends[0]
    Self.writing.store(ends[1], ordering: .sequentiallyConsistent)
    for signal in [SIGTERM, SIGINT, SIGHUP] { Self.catchOnce(signal) }
  }

  private static func catchOnce(_ signal: Int32) {
    var known = sigaction()
    sigaction(signal, nil, &known)
    guard !isIgnored(known) else { return }
    var action = sigaction()
    // SA_RESETHAND is an unsigned number beyond Int32 in the C library's header.
    action.sa_flags = Int32(bitPattern: UInt32(truncatingIfNeeded: SA_RESETHAND)) | SA_RESTART
    let handler: @convention(c) (Int32) -> Void = { _ in
      var byte: UInt8 = 0
      write(StopSignals.writing.load(ordering: .sequentiallyConsistent), &byte, 1)
    }
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = handler
    #else
      action.__sigaction_handler.sa_handler = handler
    #endif
    sigaction(signal, &action, nil)
    // The parent process may have blocked the signal and left it blocked.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, signal)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  private static func isIgnored(_ action: sigaction) -> Bool {
    #if canImport(Darwin)
      let handler = action.__sigaction_u.__sa_handler
    #else
      let handler = action.__sigaction_handler.sa_handler
    #endif
    // SIG_IGN is the number one in place of a function.
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
