public import LarderModel

/// How an app's household stands with the cloud at a moment.
public enum CloudSyncState: Sendable {
  /// Nothing is under way; so many entities the cloud lacks or has otherwise, parked ones among them.
  case idle(pendingCount: Int)
  /// An exchange is under way, and this far; nil where it has just begun.
  case syncing(CloudProgress?)
  /// An exchange is over and nothing is under way; so many entities the cloud still lacks.
  case synced(at: Instant, pendingCount: Int)
  /// An exchange failed; nothing is lost, and so many entities the cloud lacks.
  case failed(any Error, pendingCount: Int)
}

/// Those who listen to a household's exchanges.
struct CloudListeners: Sendable {
  private var states: [Int: AsyncStream<CloudSyncState>.Continuation] = [:]
  private var changes: [Int: AsyncStream<[EntityKey]>.Continuation] = [:]
  private var count = 0
  /// Whether there is an exchange to tell the progress of.
  var isUnderWay = false

  mutating func add(_ continuation: AsyncStream<CloudSyncState>.Continuation) -> Int {
    count += 1
    states[count] = continuation
    return count
  }

  mutating func add(_ continuation: AsyncStream<[EntityKey]>.Continuation) -> Int {
    count += 1
    changes[count] = continuation
    return count
  }

  mutating func remove(_ number: Int) {
    states[number] = nil
    changes[number] = nil
  }

  /// What a state says is only looked up where somebody listens.
  func tell(_ state: @autoclosure () -> CloudSyncState) {
    guard !states.isEmpty else { return }
    let state = state()
    for continuation in states.values { continuation.yield(state) }
  }

  func tell(_ changed: [EntityKey]) {
    guard !changed.isEmpty else { return }
    for continuation in changes.values { continuation.yield(changed) }
  }
}

extension CloudSync {
  /// Brings what is new in the cloud and sends what is pending.
  public func sync() async throws -> (pulled: PullOutcome, pushed: PushOutcome) {
    let pulled = try await pull()
    return (pulled, try await push())
  }

  /// How the household stands with the cloud from now on, beginning with how it does now.
  ///
  /// Only the latest state waits for a listener that is slow.
  public func states() -> AsyncStream<CloudSyncState> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: CloudSyncState.self, bufferingPolicy: .bufferingNewest(1))
    continuation.yield(.idle(pendingCount: pendingCount))
    let number = listeners.add(continuation)
    continuation.onTermination = { _ in Task { await self.remove(number) } }
    return stream
  }

  /// The entities that exchanges of this object change here from now on.
  ///
  /// Changes by whomever, this object among them, come from `Inventory.changes()`.
  public func changes() -> AsyncStream<[EntityKey]> {
    let (stream, continuation) = AsyncStream.makeStream(of: [EntityKey].self)
    let number = listeners.add(continuation)
    continuation.onTermination = { _ in Task { await self.remove(number) } }
    return stream
  }

  private func remove(_ number: Int) {
    listeners.remove(number)
  }

  /// How many entities the cloud lacks; none where that can't be read, which the next exchange tells.
  private var pendingCount: Int { (try? pendingState())?.waiting.count ?? 0 }

  /// Tells the listeners of an exchange as it goes, and that nothing is under way where there was none.
  func told<Value>(
    _ changed: (Value) -> [EntityKey], isCached: (Value) -> Bool = { _ in false },
    _ body: () async throws -> Value
  ) async throws -> Value {
    listeners.isUnderWay = true
    defer { listeners.isUnderWay = false }
    listeners.tell(.syncing(nil))
    do {
      let value = try await body()
      let isCached = isCached(value)
      listeners.tell(changed(value))
      listeners.tell(
        isCached
          ? .idle(pendingCount: pendingCount)
          : .synced(at: now(), pendingCount: pendingCount))
      return value
    } catch {
      listeners.tell(.failed(error, pendingCount: pendingCount))
      throw error
    }
  }

  /// Progress is told from another thread, and is no news where the exchange is over by then.
  func tell(_ progress: CloudProgress) {
    guard listeners.isUnderWay else { return }
    listeners.tell(.syncing(progress))
  }
}
