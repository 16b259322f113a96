import Libc
import Synchronization

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

/// An output stream of bytes that writes them completely and in order.
///
/// Writing never throws: the first failure is kept, and later output is dropped. So a command
/// finishes its work even if a reader closes the pipe early.
final class ByteSink: Sendable {
  /// Tries to write, and returns the number of bytes written or the negative error number.
  typealias Attempt = @Sendable (UnsafeRawBufferPointer) -> Int

  private let attempt: Attempt
  /// Waits until more can be written.
  private let wait: @Sendable () -> Void
  private let firstFailure = Mutex<Int32?>(nil)

  init(attempt: @escaping Attempt, wait: @escaping @Sendable () -> Void = {}) {
    self.attempt = attempt
    self.wait = wait
  }

  /// Creates a sink for a file descriptor, which the caller closes.
  convenience init(descriptor: Int32) {
    self.init(
      attempt: { bytes in
        let count = Libc.write(descriptor, bytes.baseAddress, bytes.count)
        return count < 0 ? -Int(errno) : count
      },
      wait: {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&entry, 1, -1)
      })
  }

  /// The error number of the write that failed, or nil.
  var failure: Int32? { firstFailure.withLock { $0 } }

  /// Writes all bytes, in as many attempts as necessary.
  func write(_ bytes: [UInt8]) {
    firstFailure.withLock { failure in
      guard failure == nil else { return }
      bytes.withUnsafeBytes { buffer in
        failure = writeAll(buffer)
      }
    }
  }

  private func writeAll(_ buffer: UnsafeRawBufferPointer) -> Int32? {
    var rest = buffer[...]
    while !rest.isEmpty {
      let count = attempt(UnsafeRawBufferPointer(rebasing: rest))
      if count >= 0 {
        rest = rest.dropFirst(count)
        continue
      }
      switch Int32(-count) {
      case EINTR: continue
      case EAGAIN: wait()
      case let error: return error
      }
    }
    return nil
  }
}

/// A line on a terminal's standard error that shows the progress of long work.
///
/// It shows nothing for work of up to half a second, nothing if standard error is no terminal, and
/// leaves nothing behind.
final class ProgressLine: Sendable {
  private struct State {
    var began: ContinuousClock.Instant?
    var drawn: ContinuousClock.Instant?
    var isVisible = false
  }

  private static let patience = Duration.milliseconds(500)
  private static let pause = Duration.milliseconds(100)

  private let sink: ByteSink
  private let isShown: Bool
  private let width: Int
  private let now: @Sendable () -> ContinuousClock.Instant
  private let state = Mutex(State())

  init(
    sink: ByteSink, isShown: Bool, width: Int,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
  ) {
    self.sink = sink
    self.isShown = isShown
    self.width = width
    self.now = now
  }

  /// Shows the current progress; the first call starts the clock.
  ///
  /// It may be called very often, because it draws at most ten times a second.
  func update(_ text: String) {
    guard isShown else { return }
    let instant = now()
    state.withLock { state in
      guard let began = state.began else {
        state.began = instant
        return
      }
      guard began.duration(to: instant) >= Self.patience else { return }
      if state.isVisible, let drawn = state.drawn, drawn.duration(to: instant) < Self.pause {
        return
      }
      // One column stays free, because a full line would wrap on some terminals.
      let line = truncated(sanitize(text), to: width - 1)
      sink.write(Array("\r\u{1B}[K\(line)".utf8))
      state.drawn = instant
      state.isVisible = true
    }
  }

  /// Removes the line so other output can be written; the next update shows it again.
  func clear() {
    state.withLock { state in
      guard state.isVisible else { return }
      sink.write(Array("\r\u{1B}[K".utf8))
      state.isVisible = false
    }
  }

  /// Removes the line and stops the clock, because the work is done.
  func finish() {
    clear()
    state.withLock { $0 = State() }
  }
}
