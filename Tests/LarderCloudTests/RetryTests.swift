import Foundation
import LarderCloud
import LarderJSON
import TestSupport
import Testing

@Suite("Trying again")
struct RetryTests {
  private let pauses = Recorder<Duration>()

  private func policy(_ repetitions: Int, random: Double = 0.999_999) -> RetryPolicy {
    RetryPolicy(
      repetitions: repetitions, base: .seconds(1), sleep: { [pauses] in pauses.add($0) },
      random: { random })
  }

  /// What came of selecting rows from a server that says this, the last again and again.
  private func run(_ policy: RetryPolicy, _ replies: WebServer.Reply...) async throws
    -> (error: CloudError?, requests: Int)
  {
    let device = try Device()
    let client = device.client(try await device.signedIn(), policy)
    let asked = Counter()
    device.cloud.rest = { _ in
      asked.add()
      return replies[min(asked.count, replies.count) - 1]
    }
    do {
      _ = try await client.select("receipts", [])
      return (nil, asked.count)
    } catch {
      return (error, asked.count)
    }
  }

  @Test("what passes is tried again as often as one wants, with pauses that double up to a limit")
  func backoff() async throws {
    let result = try await run(policy(8), .answer(503, "{}"))
    guard case .server(status: 503, _, _)? = result.error else {
      Issue.record("\(result.error as Any)")
      return
    }
    #expect(result.requests == 9)
    let seconds = pauses.all.map { ($0 / .seconds(1)).rounded() }
    #expect(seconds == [1, 2, 4, 8, 16, 30, 30, 30])
  }

  @Test("the jitter is full: a pause may be none at all")
  func jitter() async throws {
    _ = try await run(policy(3, random: 0), .drop)
    #expect(pauses.all == [.zero, .zero, .zero])
    var drawn = RetryPolicy(
      repetitions: 400, base: .seconds(1), sleep: { [pauses] in pauses.add($0) })
    drawn.longestPause = .seconds(1)
    _ = try await run(drawn, .drop)
    let seconds = pauses.all.dropFirst(3).map { $0 / .seconds(1) }
    #expect(seconds.count == 400 && seconds.allSatisfy { (0..<1).contains($0) })
    #expect(abs(seconds.reduce(0, +) / 400 - 0.5) < 0.1)
  }

  @Test("what fails for good is not tried again, and what succeeds is enough")
  func permanent() async throws {
    #expect(try await run(policy(5), .answer(400, "{}")).requests == 1)
    #expect(try await run(policy(5), .answer(403, "{}")).requests == 1)
    #expect(try await run(policy(5), .answer(200, "no")).requests == 1)
    #expect(try await run(policy(0), .drop).requests == 1)
    let result = try await run(
      policy(5), .drop, .truncated(200, body: []), .answer(502, "<html>"), .answer(200, "[]"))
    #expect(result.error == nil && result.requests == 4)
  }

  @Test(
    "a server that says when to come back is heard, in seconds and by its own clock",
    arguments: [
      (["Retry-After": "7"], 7), (["retry-after": "0"], 0), (["Retry-After": "soon"], 0),
      (["Retry-After": "-7"], 0), (["Retry-After": ""], 0),
      (
        [
          "Retry-After": "Sun, 06 Nov 1994 08:49:37 GMT",
          "Date": "Sun, 06 Nov 1994 08:49:07 GMT",
        ], 30
      ),
      (
        [
          "Retry-After": "Sun, 06 Nov 1994 08:49:37 GMT",
          "Date": "Sun, 06 Nov 1994 08:59:07 GMT",
        ], 0
      ),
      // The device's clock stands at 18 November 2026, 11:06:40.
      (["Retry-After": "Wed, 18 Nov 2026 11:06:52 GMT"], 12),
      (["Retry-After": "Sun, 06 Nov 1994 08:49:37 GMT"], 0),
    ] as [([String: String], Int64)])
  func retryAfter(_ headers: [String: String], _ seconds: Int64) async throws {
    let result = try await run(
      policy(2, random: 0), .answer(429, headers: headers), .answer(503, headers: headers),
      .answer(200, "[]"))
    #expect(result.error == nil)
    #expect(pauses.all == [.seconds(seconds), .seconds(seconds)])
  }

  @Test("a server that wants to be left alone for long is not waited for")
  func longWait() async throws {
    for text in ["61", "99999999999999999999999"] {
      let result = try await run(policy(5), .answer(429, headers: ["Retry-After": text]))
      guard case .rateLimited(let wait)? = result.error else {
        Issue.record("\(result.error as Any)")
        return
      }
      #expect(try #require(wait) >= .seconds(61))
      #expect(result.requests == 1)
    }
    #expect(pauses.all.isEmpty)
  }

  @Test("cancelling ends the pause")
  func cancelling() async throws {
    let device = try Device()
    let client = device.client(
      try await device.signedIn(),
      RetryPolicy(
        repetitions: 5, base: .seconds(600), longestPause: .seconds(600), random: { 0.99 }))
    device.cloud.rest = { _ in .drop }
    let waiting = Task { try await client.select("receipts", []) }
    try await Task.sleep(for: .milliseconds(50))
    waiting.cancel()
    let began = ContinuousClock.now
    let result = await waiting.result
    #expect(ContinuousClock.now - began < .seconds(300))
    guard case .failure(CloudError.cancelled) = result else {
      Issue.record("\(result)")
      return
    }
  }
}
