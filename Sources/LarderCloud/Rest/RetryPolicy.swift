internal import LarderModel

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

/// The `Retry-After` header, by which a server asks for a pause (RFC 9110, 10.2.3).
enum RetryAfter {
  /// Returns the duration from now.
  ///
  /// Nil if the header is missing or invalid.
  ///
  /// A date counts from the date of the answer, if there is one, because this device's clock may be
  /// wrong.
  static func duration(in headers: Headers, now: Instant) -> Duration? {
    guard let text = headers["Retry-After"] else { return nil }
    if !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) {
      return .seconds(Int64(text) ?? .max / 1000)
    }
    guard let date = instant(httpDate: text) else { return nil }
    let from = headers["Date"].flatMap(instant(httpDate:)) ?? now
    return .milliseconds(max(0, date.milliseconds - from.milliseconds))
  }

  /// Parses a date in the required form, `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, 5.6.7).
  static func instant(httpDate text: String) -> Instant? {
    let words = text.split(separator: " ")
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    guard words.count == 6, words[5] == "GMT", words[1].utf8.count == 2, words[3].utf8.count == 4,
      let month = months.firstIndex(of: String(words[2]))
    else { return nil }
    let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
    return Instant("\(words[3])-\(number)-\(words[1])T\(words[4])Z")
  }
}
