internal import LarderKit
internal import Synchronization

/// The news of a household, for who waits for the next change by anybody.
final class HouseholdNews: Sendable {
  private struct State {
    /// How many changes there were.
    var count = 0
    /// Until when nobody waits.
    var hurry = ContinuousClock.now
    var listening: Task<Void, Never>?
    var waiting: [Int: Waiting] = [:]
    var number = 0
  }

  private struct Waiting {
    let continuation: CheckedContinuation<Void, Never>
    let limit: Task<Void, Never>

    func resume() {
      limit.cancel()
      continuation.resume()
    }
  }

  private let state = Mutex(State())

  /// The number of changes until now, with which a wait begins.
  var count: Int { state.withLock(\.count) }

  /// Listens to a larder, in the place of an earlier one.
  func listen(to larder: Larder) {
    let surveys = larder.surveys()
    let listening = Task(executorPreference: AnsweringQueue.shared) { [weak self] in
      for await _ in surveys { self?.tell() }
    }
    state.withLock { state in
      state.listening?.cancel()
      state.listening = listening
    }
  }

  /// Waits until there were more changes than so many; false if there were none in this time, or
  /// nobody may wait now.
  func wait(after count: Int, atMost time: Duration) async -> Bool {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if state.count != count || .now < state.hurry { return true }
        state.number += 1
        state.waiting[state.number] = waiting(state.number, continuation, time)
        return false
      }
      if isOver { continuation.resume() }
    }
    return state.withLock { $0.count != count }
  }

  private func waiting(
    _ number: Int, _ continuation: CheckedContinuation<Void, Never>, _ time: Duration
  ) -> Waiting {
    let limit = Task(executorPreference: AnsweringQueue.shared) {
      try? await Task.sleep(for: time)
      if !Task.isCancelled { self.resume(number) }
    }
    return Waiting(continuation: continuation, limit: limit)
  }

  /// Lets nobody wait for the next two seconds, because the server is about to end.
  func hurry() {
    state.withLock { $0.hurry = .now + .seconds(2) }
    resumeAll()
  }

  /// Lets all who wait ask again.
  func tell() {
    state.withLock { $0.count += 1 }
    resumeAll()
  }

  private func resume(_ number: Int) {
    state.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
  }

  private func resumeAll() {
    let all = state.withLock { state in
      defer { state.waiting = [:] }
      return state.waiting.values
    }
    for one in all { one.resume() }
  }
}
