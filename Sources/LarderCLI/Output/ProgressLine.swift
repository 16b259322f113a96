import Synchronization

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
