public import LarderGit
internal import LarderModel

/// Recomputes from a merge's parents what it did not take, whoever made the merge.
public struct MergeLosses {
  let reader: CommitReader

  init(_ repository: Repository) throws(GitError) {
    let adopted = try repository.reference(Store.adoptedReference)
    reader = CommitReader(repository, adopted: adopted)
  }

  private var repository: Repository { reader.repository }

  /// The values that lost in a merge, in order of their files' paths; none in any other commit.
  public func losses(in merge: Commit) throws(GitError) -> [LostWrite] {
    guard let first = merge.parents.first else { return [] }
    var losses: [LostWrite] = []
    for second in merge.parents.dropFirst() {
      let bases = try repository.mergeBases(first, second)
      let base = bases.min()
      guard try mayShare(first, second, since: base) else { continue }
      let ours = try changed(first, since: base)
      let theirs = try changed(second, since: base)
      for (key, mine) in ours.sorted(by: { ($0.value.path ?? "") < ($1.value.path ?? "") }) {
        guard let other = theirs[key], let one = mine.after, let two = other.after,
          let merged = try version(of: key, at: mine, in: merge, first)
        else { continue }
        let lost = [
          (one.losses(to: two, since: mine.before, in: merged), first, second),
          (two.losses(to: one, since: other.before, in: merged), second, first),
        ]
        for (values, loser, winner) in lost {
          losses += try values.map { value throws(GitError) in
            try write(value, merge, by: loser, over: winner, bases)
          }
        }
      }
    }
    return losses
  }

  /// Whether both sides may have changed one entity: a file of one path, or one that moved.
  ///
  /// Most merges join what has nothing in common, and are told by their trees alone.
  private func mayShare(
    _ first: ObjectID, _ second: ObjectID, since base: ObjectID?
  ) throws(GitError) -> Bool {
    let old = try base.map { id throws(GitError) in try repository.commit(id).tree }
    let ours = try repository.changes(from: old, to: try repository.commit(first).tree)
    guard !ours.isEmpty else { return false }
    let theirs = try repository.changes(from: old, to: try repository.commit(second).tree)
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
    let differences =
      reader.stands(commit) && old.map { reader.stands($0) } ?? true
      ? try CommitDifferences(repository).differences(from: old?.tree, to: commit.tree)
      : try reader.meaning(of: side).household.differences(
        from: try base.map { id throws(GitError) in try reader.meaning(of: id).household }
          ?? Household())
    return Dictionary(differences.map { ($0.key, $0) }) { first, _ in first }
  }

  /// What a merge left of an entity.
  private func version(
    of key: EntityKey, at mine: EntityDifference, in merge: Commit, _ parent: ObjectID
  ) throws(GitError) -> Entity? {
    guard reader.stands(merge) else { return try reader.meaning(of: merge.id).household[key] }
    let changes = try CommitDifferences(repository).differences(of: merge)
    return changes.first { $0.key == key }.map { $0.after } ?? mine.after
  }

  private func write(
    _ value: LostValue, _ merge: Commit, by loser: ObjectID, over winner: ObjectID,
    _ bases: [ObjectID]
  ) throws(GitError) -> LostWrite {
    LostWrite(
      value: value, merge: merge,
      lostBy: try writer(of: value.names, value.key, value.lostAt, on: loser, bases),
      keptBy: try writer(of: value.names, value.key, value.keptAt, on: winner, bases))
  }

  /// The commit of one side that wrote a value; of several plain ones, which write no stamps, the
  /// newest that changed the file.
  private func writer(
    of names: [String], _ key: EntityKey, _ stamp: Instant, on side: ObjectID, _ bases: [ObjectID]
  ) throws(GitError) -> Commit? {
    let write = LaterWrite(key: key, content: .fields(names), at: stamp, isSameValue: false)
    let found = try WriteSearch(repository: repository)
      .commits(that: [write], from: side, hiding: bases)
    if let commit = found.first ?? nil { return commit }
    var newest: Commit?
    try repository.history(from: side, hiding: bases) { (commit) throws(GitError) in
      guard commit.parents.count < 2 else { return true }
      let changes = try CommitDifferences(repository).differences(of: commit)
      if changes.contains(where: { $0.key == key }) { newest = commit }
      return newest == nil
    }
    return newest
  }
}
