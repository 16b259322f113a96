import LarderGit
import LarderModel
import LarderStore

/// Makes chapters of commits, all or those of some things alone.
struct ChapterReader {
  let differences: CommitDifferences
  let losses: MergeLosses
  /// The household of today, whose names are used.
  let household: Household
  let words: EntityWords
  /// The things that are asked for; nil for everything.
  let keys: Set<EntityKey>?

  /// The chapter that a commit is; nil where it did nothing to what is asked for.
  func chapter(of commit: Commit) throws(GitError) -> Chapter? {
    let isMerge = commit.parents.count > 1
    var changes = isMerge ? [] : try differences.differences(of: commit)
    // What was removed with plain git comes back marked as deleted, which the removal told already.
    if commit.command == "adopt", commit.device == nil {
      changes.removeAll { $0.isNew && $0.isDeleted }
    }
    var lost = isMerge ? try losses.losses(in: commit) : []
    if let keys {
      changes.removeAll { !keys.contains($0.key) }
      lost.removeAll { !keys.contains($0.value.key) }
      if changes.isEmpty, lost.isEmpty { return nil }
    }
    return Chapter(
      commit: commit, differences: changes,
      losses: lost.map { LossWords($0, in: household, words) })
  }
}
