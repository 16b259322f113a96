public import LarderModel
public import LarderStore
public import LarderText

/// The outcome of a sync.
public struct SyncOutcome: Sendable {
  public var remote: String
  /// The remote's branch; its name may differ from the local branch's.
  public var branch: String
  /// The number of commits received from the remote.
  public var received = 0
  /// The number of commits sent to the remote.
  public var sent = 0
  /// Whether both sides had new commits, which were merged.
  public var hasJoined = false
  /// This device's household before the sync, including edits by hand.
  public var before: Household
  /// This device's household now.
  public var after: Household
  /// The entities that changed on this device.
  public var changed: [EntityKey] = []
  /// The files that are no entities and changed on both sides, with the path of the second version.
  public var conflicts: [Conflict] = []
  /// The number of edited files that a dry run did not adopt.
  public var waiting = 0
  /// The number of attempts in which somebody else pushed first.
  public var retries = 0

  /// A file of which both versions were kept.
  public struct Conflict: Sendable, Hashable {
    public let path: FilePath
    public let second: FilePath
  }
}

/// A step of a sync, reported when it happens.
public enum SyncEvent: Sendable {
  /// Edits by hand or commits of plain git were adopted; they stay adopted if the sync fails.
  case adopted(Writing.Adoption, Household)
  case fetching(remote: String)
  /// The remote has sent nothing for five seconds; the sync gives up after a while.
  case waiting(remote: String)
  case joining(commits: Int)
  case pushing(commits: Int)
  /// Somebody else pushed first; the sync starts the next attempt.
  case retrying(attempt: Int)
}
