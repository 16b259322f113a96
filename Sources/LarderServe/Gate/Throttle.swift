/// A limit of how often something may go wrong within a minute, for each client by itself.
struct Throttle<Client: Hashable> {
  private static var minute: Duration { .seconds(60) }

  let most: Int
  private var times: [Client: [ContinuousClock.Instant]] = [:]

  init(most: Int) { self.most = most }

  /// Whether a client has reached the limit.
  func isReached(by client: Client, at now: ContinuousClock.Instant) -> Bool {
    times[client, default: []].count { now - $0 < Self.minute } >= most
  }

  mutating func count(_ client: Client, at now: ContinuousClock.Instant) {
    for (client, all) in times {
      let recent = all.filter { now - $0 < Self.minute }
      times[client] = recent.isEmpty ? nil : recent
    }
    times[client, default: []].append(now)
  }
}
