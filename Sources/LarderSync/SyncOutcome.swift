public import LarderModel
public import LarderStore

/// What a sync came to.
public struct SyncOutcome: Sendable {
  public var remote: String
  /// The remote's branch, which need not have the name of the one that is checked out.
  public var branch: String
  /// Commits that came from the remote.
  public var received = 0
  /// Commits that went to the remote.
  public var sent = 0
  /// Whether both sides had something new, which was joined.
  public var hasJoined = false
  /// This device's household, its hand edits included, before anything came.
  public var before: Household
  /// This device's household now.
  public var after: Household
  /// The entities that are different on this device now.
  public var changed: [EntityKey] = []
  /// Files that are no entities and changed on both sides, with where the second version lies.
  public var conflicts: [Conflict] = []
  /// How many files people had edited that a dry run did not adopt.
  public var waiting = 0
  /// How often somebody else had pushed in between.
  public var retries = 0

  /// A file of which both versions were kept.
  public struct Conflict: Sendable, Hashable {
    public let path: String
    public let second: String
  }
}

/// A step of a sync, told as it happens.
public enum SyncEvent: Sendable {
  /// What people had done with an editor or plain git was adopted, and stays so if the sync fails.
  case adopted(Writing.Adoption, Household)
  case fetching(remote: String)
  /// The remote has said nothing for five seconds; it is given up after a while.
  case waiting(remote: String)
  case joining(commits: Int)
  case pushing(commits: Int)
  /// Somebody pushed in between; once more.
  case retrying(attempt: Int)
}
