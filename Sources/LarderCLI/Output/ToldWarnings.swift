import Synchronization

/// The warnings of a command, each of which is written once.
final class ToldWarnings: Sendable {
  private struct State {
    var told: Set<String> = []
    var held: String?
  }

  private let state = Mutex(State())

  /// Whether a warning has not been written before.
  func isNews(_ text: String) -> Bool {
    state.withLock { $0.told.insert(text).inserted }
  }

  /// Keeps a warning until the next output, unless it is dropped before.
  func hold(_ text: String) {
    state.withLock { state in
      if state.told.insert(text).inserted { state.held = text }
    }
  }

  /// Returns the warning that was kept, and forgets it.
  func takeHeld() -> String? {
    state.withLock { state in
      defer { state.held = nil }
      return state.held
    }
  }
}
