/// The number of retries after temporary failures, and the pauses between them.
///
/// The pause before the n-th retry is random between zero and the smaller of `longestPause` and
/// `base · 2ⁿ⁻¹`: exponential backoff with full jitter (AWS Architecture Blog, "Exponential Backoff
/// And Jitter", 2015). So devices that failed together don't retry together. If the server asks for
/// a time, that is the minimum. If it asks for more than `longestWait`, its error is thrown at
/// once.
public struct RetryPolicy: Sendable {
  /// The number of retries after the first failure; 0 for none.
  public var repetitions: Int
  public var base: Duration
  public var longestPause: Duration
  public var longestWait: Duration
  private let sleep: @Sendable (Duration) async throws -> Void
  private let random: @Sendable () -> Double

  /// Creates a policy.
  ///
  /// `random` returns numbers from 0 to less than 1, and `sleep` throws when the task is cancelled.
  public init(
    repetitions: Int = 4, base: Duration = .milliseconds(500),
    longestPause: Duration = .seconds(30), longestWait: Duration = .seconds(60),
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
  ) {
    self.repetitions = repetitions
    self.base = base
    self.longestPause = longestPause
    self.longestWait = longestWait
    self.sleep = sleep
    self.random = random
  }

  /// Runs a request until it succeeds, fails permanently, or reaches the number of retries.
  ///
  /// Throws the last error, or `cancelled` if the task is cancelled in the meantime.
  public func run<Value: Sendable>(
    _ request: @Sendable () async throws(CloudError) -> Value
  ) async throws(CloudError) -> Value {
    var repetition = 0
    while true {
      do throws(CloudError) {
        return try await request()
      } catch {
        guard error.isRetryable, repetition < repetitions else { throw error }
        let asked = error.retryAfter ?? .zero
        guard asked <= longestWait else { throw error }
        try await pause(max(asked, ceiling(repetition) * random()))
        repetition += 1
      }
    }
  }

  private func ceiling(_ repetition: Int) -> Duration {
    var ceiling = base
    for _ in 0..<repetition where ceiling < longestPause { ceiling *= 2 }
    return min(ceiling, longestPause)
  }

  private func pause(_ duration: Duration) async throws(CloudError) {
    do {
      try await sleep(duration)
      try Task.checkCancellation()
    } catch {
      throw .cancelled
    }
  }
}
