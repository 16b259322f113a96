public import LarderModel
internal import LarderGit

extension Larder {
  /// Returns the commit of a git revision; nil if there is none.
  public func commit(named revision: String) throws -> Commit? {
    let repository = try repository()
    return try repository.resolve(revision).map { try repository.commit($0) }
  }

  /// Returns the household as it was at a moment; nil if it has no commit from before it.
  ///
  /// It is that of the newest commit with an earlier time.
  public func household(before moment: Instant) throws -> Household? {
    let repository = try repository()
    var last: Commit?
    guard let head = try repository.head().commit else { return nil }
    try repository.history(from: head) { commit in
      if commit.at < moment, last.map({ $0.at < commit.at }) ?? true { last = commit }
      return true
    }
    return try last.flatMap { try household(at: $0.id.hex) }
  }

  /// Visits the history, newest first, until a visit returns false.
  ///
  /// `keys` limits it to commits that changed these entities. `start` is the newest commit to
  /// visit; nil for the current one. `since` leaves out older commits, `author` those of people and
  /// devices whose name or address does not contain it. It visits at most `most` commits, and then
  /// returns whether there are older ones. Without `keys`, it reads at most
  /// `mostFiles` new files of a commit; with 0 it reads none of its files.
  @discardableResult
  public func history(
    of keys: Set<EntityKey>? = nil, from start: ObjectID? = nil, in household: Household,
    since: Instant? = nil, by author: String? = nil, most: Int = .max, mostFiles: Int = .max,
    _ visit: (HistoryEntry) -> Bool
  ) throws -> Bool {
    let repository = try repository()
    guard let start = try start ?? repository.head().commit else { return false }
    // A file that was moved by hand has another path in the commits.
    let committed = keys == nil ? nil : try store.household(at: start.hex)
    var reader = HistoryReader(
      repository, try store.mergeLosses(), of: keys,
      in: [household, committed].compactMap(\.self),
      mostFiles: keys == nil ? mostFiles : .max)
    var visited = 0
    var isCut = false
    try repository.history(from: start) { (commit) throws(GitError) in
      // Clocks differ, so newer commits may follow an older one.
      if let since, commit.at < since { return true }
      if let author, !commit.isBy(author) { return true }
      if visited == most {
        isCut = try reader.hasEntry(commit)
        return !isCut
      }
      guard let entry = try reader.entry(of: commit) else { return true }
      visited += 1
      return visit(entry)
    }
    return isCut
  }
}
