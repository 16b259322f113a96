public import LarderGit
public import LarderModel

/// A household as a reading command sees it.
public struct Reading: Sendable {
  public let household: Household
  /// What adopting now would say.
  public let notes: [HouseholdAdoption.Note]
  /// The paths that people edited since HEAD.
  public let edited: [String]
  /// Plain commits that have not been adopted yet.
  public let plainCommits: Int
  /// What is checked out; nil for a household that is not a repository.
  public let head: Head?
}

extension Store {
  /// Reads the household as it is meant, hand edits included, and writes nothing.
  public func read() throws(StoreError) -> Reading {
    try recoverBeforeReading()
    let loaded = try load()
    guard loaded.household.own != nil || loaded.household.unreadable[Kind.householdPath] != nil
    else { throw .notAHousehold(directory: root) }
    let plain = loaded.meaning.plainCommits
    return Reading(
      household: loaded.household,
      notes: (plain > 0 ? loaded.meaning.notes : []) + (loaded.edits?.notes ?? []),
      edited: loaded.edited, plainCommits: plain, head: repository == nil ? nil : loaded.head)
  }

  /// What a killed command left is finished first, so that half of it is never taken for an edit.
  private func recoverBeforeReading() throws(StoreError) {
    guard hasUnfinishedTransaction, let folder = deviceFolder else { return }
    let lock = try HouseholdLock(folder: folder, patience: context.patience)
    defer { lock.release() }
    try recoverForReading()
  }

  /// What a commit's household means; nil where there is no such commit.
  public func household(at revision: String) throws(StoreError) -> Household? {
    let adopted = adopted
    return try git { repository throws(GitError) in
      guard let commit = try repository.resolve(revision) else { return nil }
      return try CommitReader(repository, adopted: adopted).meaning(of: commit).household
    }
  }
}

extension Store {
  /// What the cloud knows, as far as this clone has heard.
  static let cloudReference = "refs/larder/cloud"

  /// Those of some entities that anybody but this clone can know: they are in a remote's branch as it
  /// was last seen, or in the cloud.
  ///
  /// Only the others may be removed for good, by `Edit.remove(_:)` in the same `write`; what a remote
  /// has comes back from there.
  public func knownElsewhere(_ keys: Set<EntityKey>) throws(StoreError) -> Set<EntityKey> {
    let adopted = adopted
    return try git { repository throws(GitError) in
      let reader = CommitReader(repository, adopted: adopted)
      let names = ReferenceFiles(folder: repository.commonDirectory).entries().map(\.name)
      var commits: Set<ObjectID> = []
      for name in names where name.hasPrefix("refs/remotes/") || name == Store.cloudReference {
        // A remote's HEAD may lead to a branch that is gone.
        if let commit = try repository.reference(name) { commits.insert(commit) }
      }
      var known: Set<EntityKey> = []
      for commit in commits where known != keys {
        let household = try reader.meaning(of: commit).household
        known.formUnion(keys.filter { household[$0] != nil })
      }
      return known
    }
  }
}
