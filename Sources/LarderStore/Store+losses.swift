public import LarderGit
public import LarderModel

extension Store {
  /// What tells what merges did not take.
  public func mergeLosses() throws(StoreError) -> MergeLosses {
    try git { repository throws(GitError) in try MergeLosses(repository) }
  }

  /// Visits the values that merges did not take, newest merge first, until a visit returns false;
  /// only merges that are not behind `known`, where it is given.
  ///
  /// Recomputed from the merges' parents, so that merges of plain git are seen too. A value that
  /// lost in several merges is visited once, with the newest. Writes nothing.
  public func losses(
    since known: ObjectID? = nil, _ visit: (LostWrite) -> Bool
  ) throws(StoreError) {
    try git { repository throws(GitError) in
      guard let head = try repository.head().commit else { return }
      let search = try MergeLosses(repository)
      var seen: Set<Loss> = []
      let hidden = known.map { [$0] } ?? []
      try repository.history(from: head, hiding: hidden) { (commit) throws(GitError) in
        guard commit.parents.count > 1 else { return true }
        for loss in try search.losses(in: commit) where seen.insert(Loss(loss)).inserted {
          guard visit(loss) else { return false }
        }
        return true
      }
    }
  }

  /// What tells one loss from another, whichever merge it happened in.
  private struct Loss: Hashable {
    let key: EntityKey
    let names: [String]
    let at: Instant

    init(_ write: LostWrite) {
      (key, names, at) = (write.value.key, write.value.names, write.value.lostAt)
    }
  }

  /// The values that the last merge did not take and in place of which the other side's still stand.
  ///
  /// Follows first parents only, and no further than 1000 commits, so that it is quick.
  public func lossesOfLastMerge(in household: Household) throws(StoreError) -> [LostWrite] {
    try git { repository throws(GitError) in
      var next = try repository.head().commit
      for _ in 0..<1000 {
        guard let id = next, case let commit = try repository.commit(id) else { return [] }
        guard commit.parents.count < 2 else {
          return try MergeLosses(repository).losses(in: commit).filter { loss in
            household[loss.value.key].map { loss.value.isKept(in: $0) } ?? false
          }
        }
        next = commit.parents.first
      }
      return []
    }
  }
}
