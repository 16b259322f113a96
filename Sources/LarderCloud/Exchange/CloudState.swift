public import LarderModel
internal import LarderStore

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
