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
  /// Where the files of these things lay, in the commits that were read; nil where one has no file.
  private var paths: Set<String>?

  init(
    differences: CommitDifferences, losses: MergeLosses, household: Household, words: EntityWords,
    keys: Set<EntityKey>?
  ) {
    self.differences = differences
    self.losses = losses
    self.household = household
    self.words = words
    self.keys = keys
    let places = keys?.map { household.path(of: $0) } ?? [nil]
    paths = places.contains(nil) ? nil : Set(places.compactMap(\.self))
  }

  /// The chapter that a commit is; nil where it did nothing to what is asked for.
  ///
  /// Commits are to be asked for newest first, as a thing's file is followed to its older names.
  mutating func chapter(of commit: Commit) throws(GitError) -> Chapter? {
    let isMerge = commit.parents.count > 1
    if let paths, !isMerge, try !differences.touches(paths, commit) { return nil }
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
      for change in changes { paths?.formUnion([change.path, change.oldPath].compactMap(\.self)) }
    }
    return Chapter(
      commit: commit, differences: changes,
      losses: lost.map { LossWords($0, in: household, words) })
  }
}
