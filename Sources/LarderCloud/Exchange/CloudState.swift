public import LarderModel
internal import LarderStore

/// What of a household is in the cloud, as far as this device has heard.
public struct CloudState: Sendable {
  /// How one entity stands (the inventory plan's sync states; a parked one is a failed one).
  public enum Standing: String, Sendable, CaseIterable {
    /// The cloud has it as it is here.
    case synced
    /// It waits for the next push.
    case pending
    /// It is being sent.
    case syncing
    /// The cloud refused it; the next push tries again.
    case failed
    /// The cloud refused it five times; it waits until it changes or somebody asks for it.
    case parked
  }

  /// Those that are not synced.
  public let waiting: [EntityKey: Standing]
  /// What came of trying, of those that failed.
  public let refusals: [EntityKey: Outbox.Entry]
  /// How many entities of each kind stand how.
  public let counts: [Kind: [Standing: Int]]
  /// Files that can't be read here: what they say, the cloud has not.
  public let unreadable: [String]
  /// Rows in the cloud that no file may be; they stay there.
  public let left: [LeftRow]
  /// Whether the user belongs to the household there, as far as the last exchange has found.
  public let isMember: Bool
  /// Whether anything was ever read from this cloud, or written to it.
  public let hasExchanged: Bool

  /// Those among the waiting that the cloud has in some form.
  private let known: Set<EntityKey>
  private let times: SyncTimes

  /// When all that is new in the cloud was last brought; nil where it never was.
  public var lastPulledAt: Instant? { times.pulledAt }

  /// When the cloud was last known to have something as it was here; nil where it never had it.
  public func lastSyncedAt(_ key: EntityKey) -> Instant? {
    times.time(of: key, isKnown: waiting[key] == nil || known.contains(key))
  }

  public subscript(key: EntityKey) -> Standing { waiting[key] ?? .synced }

  /// `isExchanging` says that an exchange is under way, here or in another process.
  init(
    _ household: Household, _ replica: CloudReplica, _ outbox: Outbox, _ times: SyncTimes,
    _ heard: Hearsay, isExchanging: Bool = false
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
    unreadable = replica.unreadable
    hasExchanged = replica.isKnown
    left = heard.left
    isMember = heard.isMember
  }

  /// Whether the cloud has all that is here, as far as this device has heard.
  public var isComplete: Bool { waiting.isEmpty && unreadable.isEmpty }

  /// Whether something waits for a person, because the cloud refused it.
  public var hasRefusals: Bool { count(.failed) + count(.parked) > 0 }

  /// How many entities stand so.
  public func count(_ standing: Standing) -> Int {
    counts.values.reduce(0) { $0 + ($1[standing] ?? 0) }
  }
}
