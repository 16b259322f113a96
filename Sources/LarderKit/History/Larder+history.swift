internal import LarderGit
public import LarderModel
internal import LarderStore

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
  private let stocks: [Stock]
  /// Whether more was once taken from a batch or an item than was in it, of those asked for so far.
  private var lacked: [EntityKey: Bool] = [:]

  init(
    _ repository: Repository, _ losses: MergeLosses, of keys: Set<EntityKey>?,
    in households: [Household], mostFiles: Int
  ) {
    self.mostFiles = mostFiles
    differences = CommitDifferences(repository)
    self.losses = losses
    self.keys = keys
    stocks = households.map { Stock($0) }
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
    changes = try told(changes, of: commit)
    if let keys {
      changes.removeAll { !keys.contains($0.key) }
      lost.removeAll { !keys.contains($0.value.key) }
      if changes.isEmpty, lost.isEmpty { return nil }
      for change in changes { paths?.formUnion([change.path, change.oldPath].compactMap(\.self)) }
    }
    return HistoryEntry(commit: commit, differences: changes, unread: unread, losses: lost)
  }

  /// Returns the changes with what was there in place of what the files say, where more was taken from
  /// one batch than was in it: then what it lacked was there of the others.
  private mutating func told(
    _ changes: [EntityDifference], of commit: Commit
  ) throws(GitError) -> [EntityDifference] {
    guard changes.contains(where: { mayLack($0) }) else { return changes }
    let before = try commit.parents.first.map { id throws(GitError) in
      try losses.household(of: id)
    }
    return try losses.household(of: commit.id).told(changes, from: before ?? Household())
  }

  private mutating func mayLack(_ change: EntityDifference) -> Bool {
    guard let entity = change.after ?? change.before,
      [.stockItem, .inventoryItem].contains(change.key.kind)
    else {
      return false
    }
    let numbers = [change.quantity?.before, change.quantity?.after].compactMap(\.self)
    if numbers.contains(where: { $0.value < .zero }) { return true }
    if let known = lacked[change.key] { return known }
    let hasLacked = stocks.contains { $0.hasLacked(around: entity) }
    lacked[change.key] = hasLacked
    return hasLacked
  }
}

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

  /// Visits the history, newest first, until a visit returns false; returns what the visits made of
  /// a first value, and whether there are older commits than `most`.
  ///
  /// `keys` limits it to commits that changed these entities. `start` is the newest commit to
  /// visit; nil for the current one. `since` leaves out older commits, `author` those of people and
  /// devices whose name or address does not contain it. It visits at most `most` commits. Without
  /// `keys`, it reads at most `mostFiles` new files of a commit; with 0 it reads none of its files.
  public func history<Value: Sendable>(
    into first: Value, of keys: Set<EntityKey>? = nil, from start: ObjectID? = nil,
    in household: Household,
    since: Instant? = nil, by author: String? = nil, most: Int = .max, mostFiles: Int = .max,
    _ visit: @Sendable (inout Value, HistoryEntry) -> Bool
  ) throws -> (value: Value, isCut: Bool) {
    let repository = try repository()
    var value = first
    guard let start = try start ?? repository.head().commit else { return (value, false) }
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
      return visit(&value, entry)
    }
    return (value, isCut)
  }

  /// Undoes the changes of a commit in a new commit.
  ///
  /// The default is this device's last command that is not undone; edits by hand count as commands.
  /// Throws `UndoError`, and changes nothing, if something written later would be lost.
  public func undo(_ revision: String? = nil) throws -> Reversal {
    reversal(try store.undo(revision, adopted: tell))
  }

  /// Redoes what an undo took back, in a new commit.
  ///
  /// The default is this device's last undo, if it has done nothing else since. Throws `UndoError`.
  public func redo(_ revision: String? = nil) throws -> Reversal {
    reversal(try store.redo(revision, adopted: tell))
  }

  private func reversal(_ undoing: Undoing) -> Reversal {
    let (writing, now) = (undoing.writing, context.now())
    heard(writing)
    return Reversal(
      command: undoing.command, isRedo: undoing.isRedo, newerPlain: undoing.newerPlain,
      outcome: Outcome(
        writing: writing, before: Survey(undoing.before, now: now),
        after: Survey(writing.household, now: now), own: writing.changed))
  }
}

/// The outcome of an undo or a redo.
public struct Reversal: Sendable {
  /// The commit whose change was undone or redone.
  public let command: Commit
  /// Whether it was redone.
  public let isRedo: Bool
  /// The author's newest commit of plain git, if an undo without a revision skipped one.
  public let newerPlain: Commit?
  public let outcome: Outcome
}

/// The values that lost when two people changed the same thing.
extension Larder {
  /// Visits the values that merges did not take, newest first, until a visit returns false; returns
  /// what the visits made of a first value.
  public func losses<Value: Sendable>(
    into first: Value, _ visit: @Sendable (inout Value, LostWrite) -> Bool
  ) throws(StoreError) -> Value {
    var value = first
    try store.losses { visit(&value, $0) }
    return value
  }

  /// Returns the ids of the lost values that are settled on this device.
  public func dismissedLosses() throws(StoreError) -> Set<String> { try store.dismissedLosses() }

  /// Settles lost values on this device, by their ids; they stay in the history.
  public func dismissLosses(_ ids: [String]) throws(StoreError) { try store.dismissLosses(ids) }

  /// Returns the second versions of files that both sides of a merge changed.
  public func keptVersions() throws(StoreError) -> [KeptVersion] { try store.keptVersions() }

  /// Replaces the first version of a file by the second; the first one stays in the history.
  public func restore(_ version: KeptVersion) throws -> Writing {
    told(try store.restore(version, adopted: tell))
  }
}
