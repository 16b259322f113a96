internal import LarderKit
internal import Synchronization

/// The news of a household, for who waits for the next change by anybody.
final class HouseholdNews: Sendable {
  /// The most requests of one phone that wait.
  static let mostOfOne = 8

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
    let phone: String
    let continuation: CheckedContinuation<Heard, Never>
    let limit: Task<Void, Never>

    func resume(_ heard: Heard) {
      limit.cancel()
      continuation.resume(returning: heard)
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
    tell()
  }

  /// The end of a wait.
  enum Heard { case news, nothing, tooMany, ending }

  /// Waits, for a phone, until there were more changes than so many, for at most this time, or until
  /// nobody may wait any more.
  func wait(by phone: String, after count: Int, atMost time: Duration) async -> Heard {
    await withCheckedContinuation { continuation in
      let heard = state.withLock { state -> Heard? in
        if state.count != count { return .news }
        if .now < state.hurry { return .ending }
        if state.waiting.values.count(where: { $0.phone == phone }) >= Self.mostOfOne {
          return .tooMany
        }
        state.number += 1
        let limit = limit(of: state.number, time)
        state.waiting[state.number] = Waiting(
          phone: phone, continuation: continuation, limit: limit)
        return nil
      }
      if let heard { continuation.resume(returning: heard) }
    }
  }

  private func limit(of number: Int, _ time: Duration) -> Task<Void, Never> {
    Task(executorPreference: AnsweringQueue.shared) {
      try? await Task.sleep(for: time)
      if Task.isCancelled { return }
      self.state.withLock { $0.waiting.removeValue(forKey: number) }?.resume(.nothing)
    }
  }

  /// Lets nobody wait for the next two seconds, because the server is about to end.
  func hurry() {
    state.withLock { $0.hurry = .now + .seconds(2) }
    resumeAll(.ending)
  }

  /// Lets all who wait look again.
  func tell() {
    state.withLock { $0.count += 1 }
    resumeAll(.news)
  }

  private func resumeAll(_ heard: Heard) {
    let all = state.withLock { state in
      defer { state.waiting = [:] }
      return state.waiting.values
    }
    for one in all { one.resume(heard) }
  }
}
