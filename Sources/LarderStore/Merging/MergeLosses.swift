public import LarderGit
internal import LarderModel

/// A computation of the values that lost in a merge, from its parents.
///
/// It works for merges by any program.
public struct MergeLosses {
  let reader: CommitReader

  init(_ reader: CommitReader) {
    self.reader = reader
  }

  private var repository: Repository { reader.repository }

  /// Returns the values that lost in a merge, ordered by the paths of their files.
  ///
  /// Empty for other commits, and for a merge with too many files to read.
  public func losses(in merge: Commit) throws(GitError) -> [LostWrite] {
    do throws(GitError) {
      return try allLosses(in: merge)
    } catch  where error.code == .tooLarge {
      return []
    }
  }

  private func allLosses(in merge: Commit) throws(GitError) -> [LostWrite] {
    guard let first = merge.parents.first else { return [] }
    var losses: [LostWrite] = []
    for second in merge.parents.dropFirst() {
      let bases = try repository.mergeBases(first, second)
      guard try mayShare(first, second, since: bases.min()) else { continue }
      let values = try values(lostIn: merge, between: first, second, since: bases.min())
      var mine = try writes(values.filter(\.isFirst), in: merge, by: first, over: second, bases)
        .makeIterator()
      var others = try writes(
        values.filter { !$0.isFirst }, in: merge, by: second, over: first, bases
      ).makeIterator()
      losses += values.compactMap { $0.isFirst ? mine.next() : others.next() }
    }
    return losses
  }

  private typealias SideValue = (value: LostValue, isFirst: Bool)

  /// Returns the values of either side that the merge did not take, ordered by the paths of their
  /// files.
  private func values(
    lostIn merge: Commit, between first: ObjectID, _ second: ObjectID, since base: ObjectID?
  ) throws(GitError) -> [SideValue] {
    let ours = try changed(first, since: base)
    let theirs = try changed(second, since: base)
    let shared = ours.filter { theirs[$0.key] != nil }
    guard !shared.isEmpty else { return [] }
    let merged = try result(of: merge)
    var lost: [SideValue] = []
    for (key, mine) in shared.sorted(by: { ($0.value.path ?? "") < ($1.value.path ?? "") }) {
      guard let other = theirs[key], let one = mine.after, let two = other.after,
        let left = merged(mine)
      else { continue }
      lost += one.losses(to: two, since: mine.before, in: left).map { ($0, true) }
      lost += two.losses(to: one, since: other.before, in: left).map { ($0, false) }
    }
    return lost
  }

  /// Whether both sides may have changed the same entity: a file at one path, or a moved file.
  ///
  /// Most merges join unrelated changes, and their trees alone show it.
  private func mayShare(
    _ first: ObjectID, _ second: ObjectID, since base: ObjectID?
  ) throws(GitError) -> Bool {
    let old = try base.map { id throws(GitError) in try repository.commit(id).tree }
    let ours = try repository.ownChanges(from: old, to: try repository.commit(first).tree)
    guard !ours.isEmpty else { return false }
    let theirs = try repository.ownChanges(from: old, to: try repository.commit(second).tree)
    let paths = Set(ours.map(\.path))
    let hasMoved = { (changes: [TreeChange]) in
      changes.contains { $0.old == nil } && changes.contains { $0.new == nil }
    }
    return theirs.contains { paths.contains($0.path) } || hasMoved(ours) || hasMoved(theirs)
  }

  private func changed(_ side: ObjectID, since base: ObjectID?) throws(GitError)
    -> [EntityKey: EntityDifference]
  {
    let commit = try repository.commit(side)
    let old = try base.map { id throws(GitError) in try repository.commit(id) }
    var stand = try reader.stands(commit)
    if stand, let old { stand = try reader.stands(old) }
    let differences =
      stand
      ? try CommitDifferences(repository).differences(from: old?.tree, to: commit.tree)
      : try reader.meaning(of: side).household.differences(
        from: try base.map { id throws(GitError) in try reader.meaning(of: id).household }
          ?? Household())
    return differences.byKey
  }

  /// Returns a function for the merged version of an entity that the first parent changed.
  private func result(of merge: Commit) throws(GitError) -> (EntityDifference) -> Entity? {
    guard try reader.stands(merge) else {
      let household = try reader.meaning(of: merge.id).household
      return { household[$0.key] }
    }
    let changes = try CommitDifferences(repository).byKey(of: merge)
    return { mine in changes[mine.key].map { $0.after } ?? mine.after }
  }

  private func writes(
    _ values: [SideValue], in merge: Commit, by loser: ObjectID, over winner: ObjectID,
    _ bases: [ObjectID]
  ) throws(GitError) -> [LostWrite] {
    let lostBy = try writers(of: values.map { ($0.value, $0.value.lostAt) }, on: loser, bases)
    let keptBy = try writers(of: values.map { ($0.value, $0.value.keptAt) }, on: winner, bases)
    return zip(values, zip(lostBy, keptBy)).map { value, by in
      LostWrite(value: value.value, merge: merge, lostBy: by.0, keptBy: by.1)
    }
  }

  /// Returns the commits of one side that wrote values.
  ///
  /// Plain commits write no stamps, so the newest one that changed the file is used.
  private func writers(
    of values: [(value: LostValue, at: Instant)], on side: ObjectID, _ bases: [ObjectID]
  ) throws(GitError) -> [Commit?] {
    let writes = values.map { value, stamp in
      LaterWrite(
        key: value.key, content: .fields(value.names), at: stamp, isSameValue: false)
    }
    var found = try WriteSearch(repository: repository)
      .commits(that: writes, from: side, hiding: bases)
    var open = Set(found.indices.filter { found[$0] == nil })
    guard !open.isEmpty else { return found }
    try repository.history(from: side, hiding: bases) { (commit) throws(GitError) in
      guard commit.parents.count < 2 else { return true }
      let changes = try CommitDifferences(repository).byKey(of: commit)
      for index in open where changes[values[index].value.key] != nil {
        found[index] = commit
        open.remove(index)
      }
      return !open.isEmpty
    }
    return found
  }
}
