/// What a sync with all remotes came to.
public struct RemoteResults: Sendable {
  /// What became of one of them.
  public struct One: Sendable {
    public let remote: String
    /// What the sync came to, or why it could not be done.
    public internal(set) var outcome: Result<SyncOutcome, any Error>
  }

  /// The remotes, in the order in which they were synced first.
  public internal(set) var each: [One] = []
  /// All that could be done, in the order it happened, as one; nil where nothing could.
  public internal(set) var together: SyncOutcome?

  mutating func add(_ outcome: SyncOutcome) {
    together = together?.followed(by: outcome) ?? outcome
  }
}
