public import LarderModel

/// The sync state of an app's household at a moment.
public enum CloudSyncState: Sendable {
  /// No exchange is running.
  ///
  /// The count is the number of entities that differ from the cloud, including parked ones.
  case idle(pendingCount: Int)
  /// An exchange is running, with its progress; nil if it has just begun.
  case syncing(CloudProgress?)
  /// An exchange is complete; the count is the number of entities that still differ.
  case synced(at: Instant, pendingCount: Int)
  /// An exchange failed.
  ///
  /// Nothing is lost. The count is the number of entities that differ.
  case failed(any Error, pendingCount: Int)
}

/// The listeners to a household's exchanges.
struct CloudListeners: Sendable {
  private var states: [Int: AsyncStream<CloudSyncState>.Continuation] = [:]
  private var changes: [Int: AsyncStream<[EntityKey]>.Continuation] = [:]
  private var count = 0
  /// Whether an exchange is running.
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

  /// Sends a state to all listeners; it is only computed if there are any.
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
  /// Pulls, then pushes.
  public func sync() async throws -> (pulled: PullOutcome, pushed: PushOutcome) {
    let pulled = try await pull()
    return (pulled, try await push())
  }

  /// Returns the sync states of the household from now on, starting with the current state.
  ///
  /// A slow listener gets only the latest state.
  public func states() -> AsyncStream<CloudSyncState> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: CloudSyncState.self, bufferingPolicy: .bufferingNewest(1))
    continuation.yield(.idle(pendingCount: pendingCount))
    let number = listeners.add(continuation)
    continuation.onTermination = { _ in Task { await self.remove(number) } }
    return stream
  }

  /// Returns the entities that exchanges of this object change here, from now on.
  ///
  /// `Inventory.changes()` has the changes by everybody, including those of this object.
  public func changes() -> AsyncStream<[EntityKey]> {
    let (stream, continuation) = AsyncStream.makeStream(of: [EntityKey].self)
    let number = listeners.add(continuation)
    continuation.onTermination = { _ in Task { await self.remove(number) } }
    return stream
  }

  private func remove(_ number: Int) {
    listeners.remove(number)
  }

  /// The number of entities that the cloud lacks.
  ///
  /// Zero if it can't be read; the next exchange reports the error.
  private var pendingCount: Int { (try? pendingState())?.waiting.count ?? 0 }

  /// Runs an exchange and sends its states to the listeners.
  ///
  /// If the result is cached, the last state is idle.
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

  /// Sends progress to the listeners.
  ///
  /// It comes from another thread, so it is dropped if the exchange is over.
  func tell(_ progress: CloudProgress) {
    guard listeners.isUnderWay else { return }
    listeners.tell(.syncing(progress))
  }
}
