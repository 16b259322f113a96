import Libc
import Synchronization

/// The program that shows long output page by page, chosen, started and awaited as git does it.
///
/// It starts with the first output. If it can't be started, the output goes directly to the
/// terminal. If the user quits it before the end, this process ends as by `SIGPIPE`. So only
/// commands that change nothing have a pager.
final class Pager: Sendable {
  private enum State {
    /// The state before the first output.
    case waiting
    case running(Running)
    /// There is no pager, or it has ended.
    case absent
  }

  private struct Running {
    let process: pid_t
    /// The end of the pipe that is written to.
    let input: Int32
    /// The bytes written to the pipe, in case the shell does not find the program; nil if they are
    /// too many.
    private(set) var taken: [UInt8]? = []

    init(_ process: pid_t, input: Int32) {
      self.process = process
      self.input = input
    }

    /// The number of bytes to keep; a pipe takes fewer before somebody reads.
    private static let mostTaken = 1 << 18

    mutating func take(_ bytes: Slice<UnsafeRawBufferPointer>) {
      taken?.append(contentsOf: bytes)
      if let count = taken?.count, count > Self.mostTaken { taken = nil }
    }
  }

  /// Returns the command; nil for none.
  private let choose: @Sendable () -> String?
  private let errorIsTerminal: Bool
  private let state = Mutex(State.waiting)

  init(errorIsTerminal: Bool, choose: @escaping @Sendable () -> String?) {
    self.errorIsTerminal = errorIsTerminal
    self.choose = choose
  }

  /// The sink for standard output; it starts the pager.
  var output: ByteSink { sink(STDOUT_FILENO) { self.start() } }

  /// The sink for standard error, which the pager shows too once it runs.
  var errors: ByteSink { sink(STDERR_FILENO) {} }

  /// Starts the pager; later calls do nothing.
  func start() {
    state.withLock { state in
      guard case .waiting = state else { return }
      state = choose().flatMap(Self.run).map { .running($0) } ?? .absent
    }
  }

  /// Tells the pager that the output is complete, and waits until the user leaves it.
  func finish() {
    state.withLock { state in
      if case .running(let running) = state { Self.end(running) }
      state = .absent
    }
  }

  private func sink(_ descriptor: Int32, _ prepare: @escaping @Sendable () -> Void) -> ByteSink {
    ByteSink(
      attempt: { bytes in
        prepare()
        return self.write(bytes, otherwise: descriptor)
      },
      wait: {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&entry, 1, -1)
      })
  }

  /// Writes to the pager if it runs, otherwise to a descriptor.
  ///
  /// Returns the number of bytes written or the negative error number.
  private func write(_ bytes: UnsafeRawBufferPointer, otherwise descriptor: Int32) -> Int {
    state.withLock { state in
      guard case .running(var running) = state, descriptor == STDOUT_FILENO || errorIsTerminal
      else { return Self.write(bytes, to: descriptor) }
      let count = Self.write(bytes, to: running.input)
      guard count == -Int(EPIPE) else {
        running.take(bytes.prefix(max(count, 0)))
        state = .running(running)
        return count
      }
      guard Self.end(running) else {
        // As in git, the command ends with its pager.
        signal(SIGPIPE, SIG_DFL)
        raise(SIGPIPE)
        return count
      }
      state = .absent
      return Self.write(bytes, to: descriptor)
    }
  }

  private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int {
    let count = Libc.write(descriptor, bytes.baseAddress, bytes.count)
    return count < 0 ? -Int(errno) : count
  }
}

extension Pager {
  /// Starts a command with a pipe as its input; nil if it can't be started.
  private static func run(_ command: String) -> Running? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // The same as in git: short output is only printed, colours are shown, and the screen stays.
    let process = ChosenProgram(command: command).start(
      input: ends[0], variables: [("LESS", "FRX"), ("LV", "-c")])
    close(ends[0])
    guard let process else {
      close(ends[1])
      return nil
    }
    PagerSignals.begin(process, ends[1])
    return Running(process, input: ends[1])
  }

  /// Closes the pipe and waits for the pager's end; returns whether the shell did not find the
  /// program.
  ///
  /// In that case, the bytes in the pipe are printed.
  @discardableResult
  private static func end(_ running: Running) -> Bool {
    close(running.input)
    let code = ChildProcess.end(of: running.process)
    PagerSignals.end()
    guard let taken = running.taken, let code, [126, 127].contains(code) else { return false }
    ByteSink(descriptor: STDOUT_FILENO).write(taken)
    return true
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

/// The handling of signals that end this process, while its pager runs.
///
/// The terminal sends Ctrl-C to both. The pager decides by itself whether to end, so this process
/// stops writing and waits for it. Otherwise the shell and the pager would both read keys.
private enum PagerSignals {
  private static let signals = [SIGINT, SIGQUIT, SIGTERM, SIGHUP]
  /// The process id, for the signal handler, which must not allocate or wait for a lock.
  private static let process = Atomic<pid_t>(0)
  private static let input = Atomic<Int32>(-1)
  /// The received signal; zero for none.
  ///
  /// Any thread may set it.
  private static let caught = Atomic<Int32>(0)
  private static let taken = Mutex<[Int32]>([])

  static func begin(_ process: pid_t, _ input: Int32) {
    self.process.store(process, ordering: .sequentiallyConsistent)
    self.input.store(input, ordering: .sequentiallyConsistent)
    let ours = signals.filter { number in
      let former = signal(number) { number in
        PagerSignals.caught.store(number, ordering: .sequentiallyConsistent)
        close(PagerSignals.input.load(ordering: .sequentiallyConsistent))
        let process = PagerSignals.process.load(ordering: .sequentiallyConsistent)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        signal(number, SIG_DFL)
        raise(number)
      }
      guard unsafeBitCast(former, to: Int.self) == unsafeBitCast(SIG_DFL, to: Int.self) else {
        signal(number, former)
        return false
      }
      return true
    }
    taken.withLock { $0 = ours }
  }

  /// Restores the signal handlers; a signal received while the pager ran now ends the process.
  static func end() {
    for number in taken.withLock({ $0 }) { signal(number, SIG_DFL) }
    let number = caught.load(ordering: .sequentiallyConsistent)
    if number != 0 { raise(number) }
  }
}
