/// The results of a sync with all remotes.
public struct RemoteResults: Sendable {
  /// The result of one remote.
  public struct One: Sendable {
    public let remote: String
    /// The outcome, or the error if the sync failed.
    public internal(set) var outcome: Result<SyncOutcome, any Error>
  }

  /// The remotes, in the order in which they were first synced.
  public internal(set) var each: [One] = []
  /// All successful syncs combined, in the order in which they happened; nil if none succeeded.
  public internal(set) var together: SyncOutcome?

  /// Combines two rounds with the same remotes; a remote that failed first may have succeeded
  /// later.
  public func followed(by later: RemoteResults) -> RemoteResults {
    var both = later
    for (index, one) in both.each.enumerated() {
      guard let first = each.first(where: { $0.remote == one.remote }),
        case .success(let before) = first.outcome
      else { continue }
      both.each[index].outcome = one.outcome.map { before.followed(by: $0) }
    }
    both.together = later.together.map { together?.followed(by: $0) ?? $0 } ?? together
    return both
  }

  mutating func add(_ outcome: SyncOutcome) {
    together = together?.followed(by: outcome) ?? outcome
  }
}
