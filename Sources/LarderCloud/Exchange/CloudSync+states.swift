public import LarderModel
internal import LarderStore

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
  /// `Larder.changes()` has the changes by everybody, including those of this object.
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

/// The state of a household in the cloud, as far as this device knows.
public struct CloudState: Sendable {
  /// The sync state of one entity.
  public enum Standing: String, Sendable, CaseIterable {
    /// The cloud has the version of this device.
    case synced
    /// The entity waits for the next push.
    case pending
    /// The entity is being sent.
    case syncing
    /// The cloud refused the entity; the next push tries again.
    case failed
    /// The cloud refused the entity as often as ``Outbox/mostRefusals`` says.
    ///
    /// It waits until it changes or somebody asks for a retry.
    case parked
  }

  /// The states of entities that are not synced.
  public let waiting: [EntityKey: Standing]
  /// The refusals of entities that failed.
  public let refusals: [EntityKey: Outbox.Entry]
  /// The number of entities in each state, by kind.
  public let counts: [Kind: [Standing: Int]]
  /// The files that are broken or refused here, so the cloud lacks their content.
  public let untaken: [FilePath]
  /// The rows in the cloud that are not valid files; they stay there.
  public let left: [LeftRow]
  /// Whether the user is a member of the household, by the last exchange.
  public let isMember: Bool
  /// Whether anything was ever read from or written to this cloud.
  public let hasExchanged: Bool

  /// The waiting entities of which the cloud has some version.
  private let known: Set<EntityKey>
  private let times: SyncTimes

  /// The time of the last complete pull; nil if there was none.
  public var lastPulledAt: Instant? { times.pulledAt }

  /// Returns the last time at which the cloud was known to have this device's version.
  ///
  /// Nil if it never had it.
  public func lastSyncedAt(_ key: EntityKey) -> Instant? {
    times.time(of: key, isKnown: waiting[key] == nil || known.contains(key))
  }

  public subscript(key: EntityKey) -> Standing { waiting[key] ?? .synced }

  /// `isExchanging` says whether an exchange is running, here or in another process.
  init(
    _ household: Household, _ replica: CloudReplica, _ outbox: Outbox, _ times: SyncTimes,
    _ heard: CloudFacts, isExchanging: Bool = false
  ) {
    var waiting: [EntityKey: Standing] = [:]
    var refusals: [EntityKey: Outbox.Entry] = [:]
    var known: Set<EntityKey> = []
    for key in replica.differences {
      guard let entity = household[key] else { continue }
      let refusal = outbox.refusal(of: entity)
      refusals[key] = refusal
      waiting[key] = refusal.map { $0.isParked ? .parked : .failed } ?? .pending
      if isExchanging, times.sending.contains(key) { waiting[key] = .syncing }
      if replica.known(key, in: household) != nil { known.insert(key) }
    }
    self.known = known
    self.times = times
    var counts: [Kind: [Standing: Int]] = [:]
    for entity in household.entities {
      counts[entity.kind, default: [:]][waiting[entity.key] ?? .synced, default: 0] += 1
    }
    self.waiting = waiting
    self.refusals = refusals
    self.counts = counts
    untaken = replica.untaken
    hasExchanged = replica.isKnown
    left = heard.left
    isMember = heard.isMember
  }

  /// Whether the cloud has everything on this device, as far as the device knows.
  public var isComplete: Bool { waiting.isEmpty && untaken.isEmpty }

  /// Whether the cloud refused something, which a person must resolve.
  public var hasRefusals: Bool { count(.failed) + count(.parked) > 0 }

  /// Returns the number of entities in a state.
  public func count(_ standing: Standing) -> Int {
    counts.values.reduce(0) { $0 + ($1[standing] ?? 0) }
  }
}
