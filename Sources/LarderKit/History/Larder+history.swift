public import LarderModel
internal import LarderGit

extension Larder {
  /// The commit that a revision names, as git understands it; nil if there is none.
  public func commit(named revision: String) throws -> Commit? {
    let repository = try repository()
    return try repository.resolve(revision).map { try repository.commit($0) }
  }

  /// Visits the history, newest first, until a visit returns false.
  ///
  /// With `keys`, only the commits that did something to these entities. `start` is the newest commit to
  /// visit; nil for the one that is checked out.
  public func history(
    of keys: Set<EntityKey>? = nil, from start: ObjectID? = nil, in household: Household,
    _ visit: (HistoryEntry) -> Bool
  ) throws {
    let repository = try repository()
    guard let start = try start ?? repository.head().commit else { return }
    var reader = HistoryReader(repository, try store.mergeLosses(), of: keys, in: household)
    try repository.history(from: start) { (commit) throws(GitError) in
      guard let entry = try reader.entry(of: commit) else { return true }
      return visit(entry)
    }
  }
}
