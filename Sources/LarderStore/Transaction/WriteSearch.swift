internal import LarderGit
internal import LarderModel
internal import LarderText

/// A search for the commits that made writes, by their stamps and ledger entries.
struct WriteSearch {
  private let repository: Repository
  private let differences: CommitDifferences

  init(repository: Repository, _ differences: CommitDifferences? = nil) {
    self.repository = repository
    self.differences = differences ?? CommitDifferences(ofStampsIn: repository)
  }

  /// Returns the commit that brought each write, among the ancestors of `head` that are not
  /// ancestors of `hiding`.
  ///
  /// Nil if none did. `paths`, if they are known, are where the entities are in `head`: then only
  /// these files are read.
  func commits(
    that made: [LaterWrite], from head: ObjectID, hiding: [ObjectID], at paths: Set<FilePath>? = nil
  ) throws(GitError) -> [Commit?] {
    var paths = paths
    var found = [Commit?](repeating: nil, count: made.count)
    var open = Set(made.indices)
    guard !open.isEmpty else { return found }
    try repository.history(from: head, hiding: hiding) { (commit) throws(GitError) in
      // A file may have another path in one of the branches.
      if commit.parents.count > 1 { paths = nil }
      let changes = try differences.byKey(of: commit, at: &paths)
      for index in open {
        guard let change = changes[made[index].key],
          try isBrought(made[index], by: change, in: commit)
        else { continue }
        found[index] = commit
        // A new file may only have been restored, with content that somebody wrote earlier.
        if change.before != nil { open.remove(index) }
      }
      return !open.isEmpty
    }
    return found
  }

  private func isBrought(
    _ write: LaterWrite, by change: EntityDifference, in commit: Commit
  ) throws(GitError) -> Bool {
    guard let path = change.path, change.after.map({ write.isIn($0) }) ?? false,
      !(change.before.map { write.isIn($0) } ?? false)
    else { return false }
    // A merge has writes that the other parents had before.
    for parent in commit.parents.dropFirst() {
      let tree = try repository.commit(parent).tree
      let file = try differences.file(try repository.entry(at: path, in: tree))
      if file.flatMap({ Entity($0) }).map({ write.isIn($0) }) ?? false { return false }
    }
    return true
  }
}
