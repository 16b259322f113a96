import Synchronization

/// The warnings of a command, so a second run does not repeat them.
final class ToldWarnings: Sendable {
  private struct State {
    var isRepeated = false
    /// The number of times that each warning was written in the first run.
    var counts: [String: Int] = [:]
  }

  private let state = Mutex(State())

  func beginAgain() { state.withLock { $0.isRepeated = true } }

  /// Whether a warning has not been written before.
  func isNews(_ text: String) -> Bool {
    state.withLock { state in
      let count = state.counts[text] ?? 0
      guard state.isRepeated else {
        state.counts[text] = count + 1
        return true
      }
      state.counts[text] = count - 1
      return count <= 0
    }
  }
}
