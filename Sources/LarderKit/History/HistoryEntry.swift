internal import LarderGit
public import LarderModel
internal import LarderStore
internal import LarderText

/// A commit of the history with its changes to the household.
public struct HistoryEntry: Sendable {
  public let commit: Commit
  /// The changes since the version before; empty for a merge, which only joins.
  public let differences: [EntityDifference]
  /// The number of new files that were not read, and are not in the differences.
  public let unread: Int
  /// The values that a merge did not take.
  public let losses: [LostWrite]
}

/// The facts in a commit's trailers and author line.
extension Commit {
  /// The device that made the commit; nil for a commit of plain git.
  public var device: String? { Trailers(message)["Larder-Device"] }

  /// The command that made the commit; nil for a commit of plain git.
  public var command: String? { Trailers(message)["Larder-Command"] }

  /// The command that the commit undoes, as a hexadecimal commit id.
  public var undoes: String? { Trailers(message)["Larder-Undoes"] }

  /// The command that the commit redoes, as a hexadecimal commit id.
  public var redoes: String? { Trailers(message)["Larder-Redoes"] }

  /// Whether the author's name or address, or the device's name, contains a text.
  ///
  /// Case and accents don't matter.
  func isBy(_ words: String) -> Bool {
    [author.name, author.email, device ?? ""].contains { fold($0).contains(fold(words)) }
  }

  /// The time of the author line.
  public var at: Instant { Instant(clampingSeconds: author.seconds) }
}

/// A reader of commits as history entries, newest first: of all entities or of some.
struct HistoryReader {
  private let differences: CommitDifferences
  private let losses: MergeLosses
  /// The requested entities; nil for all.
  private let keys: Set<EntityKey>?
  /// The largest number of new files to read of a commit; 0 reads no file.
  private let mostFiles: Int
  /// The paths of these entities' files now and in the commits read so far; nil if one has no file.
  private var paths: Set<FilePath>?

  init(
    _ repository: Repository, _ losses: MergeLosses, of keys: Set<EntityKey>?,
    in households: [Household], mostFiles: Int
  ) {
    self.mostFiles = mostFiles
    differences = CommitDifferences(repository)
    self.losses = losses
    self.keys = keys
    let places = keys?.map { key in households.compactMap { $0.path(of: key) } } ?? [[]]
    paths = places.contains(where: \.isEmpty) ? nil : Set(places.joined())
  }

  /// Whether the commit, which comes after those that were read, has an entry.
  mutating func hasEntry(_ commit: Commit) throws(GitError) -> Bool {
    if keys == nil { return true }
    return try entry(of: commit) != nil
  }

  /// Returns the entry of a commit; nil if it did not change the requested entities.
  ///
  /// The commits must come newest first, because a file is followed to its older names.
  mutating func entry(of commit: Commit) throws(GitError) -> HistoryEntry? {
    let isMerge = commit.parents.count > 1
    if let paths, !isMerge, try !differences.touches(paths, commit) { return nil }
    var (changes, unread) =
      isMerge ? ([], 0) : try differences.differences(of: commit, at: paths, most: mostFiles)
    // An adoption restores a file that was removed with plain git, marked as deleted; the commit of
    // the removal already shows that.
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
    return HistoryEntry(commit: commit, differences: changes, unread: unread, losses: lost)
  }
}
