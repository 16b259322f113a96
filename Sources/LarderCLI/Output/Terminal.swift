import LarderKit
import LarderModel
internal import LarderText
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
      bytes.withUnsafeBytes { buffer in failure = writeAll(buffer) }
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

/// A style of text on a terminal with colours.
enum Style: String, Sendable {
  case bold = "1"
  case dim = "2"
  case red = "31"
  case green = "32"
  case yellow = "33"
  case cyan = "36"
  case boldRed = "1;31"
  case boldYellow = "1;33"

  /// The code before a text in this style.
  var beginning: String { "\u{1B}[\(rawValue)m" }

  /// The code after a text in any style.
  static let end = "\u{1B}[0m"

  /// Returns the text between the style's codes.
  func applied(to text: String) -> String { text.isEmpty ? text : beginning + text + Style.end }
}

/// What a line about a sync or a watch begins with.
///
/// A terminal shows a picture. A pipe or a file gets none: there a warning is told by its word, and
/// all else by its sentence.
enum Sign: String {
  case atWork = "🔄"
  case waiting = "⏳"
  case done = "✅"
  case warning = "⚠️"
  case failed = "❌"
  case adopted = "📝"
  case received = "📥"

  /// Returns the beginning of a line.
  func prefix(onTerminal isTerminal: Bool) -> String {
    isTerminal ? rawValue + " " : self == .warning ? "warning: " : ""
  }
}

extension Output {
  /// Writes one sanitised line that is not data to standard error, behind its sign.
  func note(_ sign: Sign, _ text: String) {
    note(sign.prefix(onTerminal: terminal.errorIsTerminal) + text)
  }
}

/// Returns a small bar of `width` columns, filled to a fraction in eighths of a column.
///
/// Any fraction above zero shows at least one eighth, and only a full one fills the bar.
func bar(_ fraction: Double, width: Int) -> String {
  guard width > 0 else { return "" }
  let steps = width * 8
  let known = fraction.isNaN ? 0 : min(max(fraction, 0), 1)
  var filled = Int((known * Double(steps)).rounded())
  if known > 0 { filled = max(filled, 1) }
  if known < 1 { filled = min(filled, steps - 1) }
  let eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
  let drawn = String(repeating: "█", count: filled / 8) + eighths[filled % 8]
  return drawn + String(repeating: "░", count: width - (filled + 7) / 8)
}

/// Returns a line of blocks whose heights show the numbers, from the lowest to the highest.
///
/// If there are more than `width` numbers, it shows the last ones. If all are equal, they are half
/// high.
func sparkline(_ numbers: [Number], width: Int) -> String {
  let shown = numbers.suffix(max(width, 1))
  guard let lowest = shown.min(), let highest = shown.max() else { return "" }
  let blocks = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
  return shown.map { number in
    guard let height = (number - lowest).fraction(of: highest - lowest) else { return blocks[3] }
    return blocks[min(Int(height * Double(blocks.count)), blocks.count - 1)]
  }.joined()
}
