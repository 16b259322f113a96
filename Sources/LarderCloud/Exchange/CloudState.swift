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
  /// Whether anything was ever read from this cloud, or written to it.
  public let hasExchanged: Bool

  public subscript(key: EntityKey) -> Standing { waiting[key] ?? .synced }

  init(_ household: Household, _ replica: CloudReplica, _ outbox: Outbox) {
    var waiting: [EntityKey: Standing] = [:]
    var refusals: [EntityKey: Outbox.Entry] = [:]
    for key in replica.differences {
      guard let entity = household[key] else { continue }
      let refusal = outbox.refusal(of: entity)
      refusals[key] = refusal
      waiting[key] = refusal.map { $0.isParked ? .parked : .failed } ?? .pending
    }
    var counts: [Kind: [Standing: Int]] = [:]
    for entity in household.entities {
      counts[entity.kind, default: [:]][waiting[entity.key] ?? .synced, default: 0] += 1
    }
    self.waiting = waiting
    self.refusals = refusals
    self.counts = counts
    unreadable = replica.unreadable
    hasExchanged = replica.isKnown
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
