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

  /// Two rounds at the same remotes as one; what failed at first may have gone well then.
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
