public import LarderModel
internal import LarderGit

extension Larder {
  /// Returns the commit of a git revision; nil if there is none.
  public func commit(named revision: String) throws -> Commit? {
    let repository = try repository()
    return try repository.resolve(revision).map { try repository.commit($0) }
  }

  /// Visits the history, newest first, until a visit returns false.
  ///
  /// With `keys`, it visits only the commits that changed these entities. `start` is the newest
  /// commit to visit; nil for the current one.
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
