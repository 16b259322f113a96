public import LarderGit
internal import LarderJSON
public import LarderModel
public import LarderText

/// A computation of the values that lost in a merge, from its parents.
///
/// It works for merges by any program.
public struct MergeLosses {
  let reader: CommitReader
  private let differences: CommitDifferences

  init(_ reader: CommitReader) {
    self.reader = reader
    differences = CommitDifferences(ofStampsIn: reader.repository, reader.versions)
  }

  private var repository: Repository { reader.repository }

  /// Returns the household that a commit means.
  public func household(of commit: ObjectID) throws(GitError) -> Household {
    try reader.meaning(of: commit).household
  }

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
      let shared = try shared(first, second, since: bases.min())
      if shared == .none { continue }
      let values = try values(
        lostIn: merge, between: first, second, since: bases.min(), at: shared.paths)
      guard !values.isEmpty else { continue }
      let byFirst = try writers(
        of: values.map { ($0.value, $0.isFirst ? $0.value.lostAt : $0.value.keptAt) }, on: first,
        at: shared.paths, bases)
      let bySecond = try writers(
        of: values.map { ($0.value, $0.isFirst ? $0.value.keptAt : $0.value.lostAt) }, on: second,
        at: shared.paths, bases)
      losses += values.indices.map { index in
        let (value, isFirst) = values[index]
        return LostWrite(
          value: value, merge: merge, lostBy: isFirst ? byFirst[index] : bySecond[index],
          keptBy: isFirst ? bySecond[index] : byFirst[index])
      }
    }
    return losses
  }

  private typealias SideValue = (value: LostValue, isFirst: Bool)

  /// Returns the values of either side that the merge did not take, ordered by the paths of their
  /// files.
  private func values(
    lostIn merge: Commit, between first: ObjectID, _ second: ObjectID, since base: ObjectID?,
    at paths: Set<FilePath>?
  ) throws(GitError) -> [SideValue] {
    let ours = try changed(first, since: base, at: paths)
    let theirs = try changed(second, since: base, at: paths)
    let shared = ours.filter { theirs[$0.key] != nil }
    guard !shared.isEmpty else { return [] }
    let merged = try result(of: merge, at: paths)
    var lost: [SideValue] = []
    for (key, mine) in Array(shared).sorted(byBytesOf: \.value.anyPath.text) {
      guard let other = theirs[key], let one = mine.after, let two = other.after,
        let left = merged(mine)
      else { continue }
      lost += one.losses(to: two, since: mine.before, in: left).map { ($0, true) }
      lost += two.losses(to: one, since: other.before, in: left).map { ($0, false) }
    }
    return lost
  }

  /// The files of the entities that both sides may have changed.
  private enum Shared: Equatable {
    /// All that changed, because files moved.
    case all
    case at(Set<FilePath>)
    case none

    /// The paths of the files; nil for all.
    var paths: Set<FilePath>? { if case .at(let paths) = self { paths } else { nil } }
  }

  /// Returns the files of the entities that both sides may have changed.
  ///
  /// Most merges join unrelated changes, and their trees alone show it.
  private func shared(
    _ first: ObjectID, _ second: ObjectID, since base: ObjectID?
  ) throws(GitError) -> Shared {
    let old = try base.map { id throws(GitError) in try repository.commit(id).tree }
    let ours = try repository.ownChanges(from: old, to: try repository.commit(first).tree)
    guard !ours.isEmpty else { return .none }
    let theirs = try repository.ownChanges(from: old, to: try repository.commit(second).tree)
    if ours.haveMoved || theirs.haveMoved { return .all }
    let both = Set(ours.map(\.path)).intersection(theirs.map(\.path))
    // Both may have added one entity, under different names.
    let (mine, others) = (ours.filter { $0.old == nil }, theirs.filter { $0.old == nil })
    let added = mine.isEmpty || others.isEmpty ? [] : mine + others
    return both.isEmpty ? .none : .at(both.union(added.map(\.path)))
  }

  private func changed(
    _ side: ObjectID, since base: ObjectID?, at paths: Set<FilePath>?
  ) throws(GitError) -> [EntityKey: EntityDifference] {
    let commit = try repository.commit(side)
    let old = try base.map { id throws(GitError) in try repository.commit(id) }
    var stand = try reader.isLiteral(commit)
    if stand, let old { stand = try reader.isLiteral(old) }
    let differences =
      stand
      ? try differences.differences(from: old?.tree, to: commit.tree, at: paths)
      : try reader.meaning(of: side).household.differences(
        from: try base.map { id throws(GitError) in try reader.meaning(of: id).household }
          ?? Household(), ofStampsToo: true)
    return differences.byKey
  }

  /// Returns a function for the merged version of an entity that the first parent changed.
  private func result(
    of merge: Commit, at paths: Set<FilePath>?
  ) throws(GitError) -> (EntityDifference) -> Entity? {
    guard try reader.isLiteral(merge) else {
      let household = try reader.meaning(of: merge.id).household
      return { household[$0.key] }
    }
    var paths = paths
    let changes = try differences.byKey(of: merge, at: &paths)
    return { mine in changes[mine.key].map { $0.after } ?? mine.after }
  }

  /// Returns the commits of one side that wrote values.
  ///
  /// Plain commits write no stamps, so the newest one that changed the file is used.
  private func writers(
    of values: [(value: LostValue, at: Instant)], on side: ObjectID, at paths: Set<FilePath>?,
    _ bases: [ObjectID]
  ) throws(GitError) -> [Commit?] {
    let writes = values.map { value, stamp in
      LaterWrite(
        key: value.key, content: .fields(value.names), at: stamp, isSameValue: false)
    }
    var found = try WriteSearch(repository: repository, differences)
      .commits(that: writes, from: side, hiding: bases, at: paths)
    var open = Set(found.indices.filter { found[$0] == nil })
    guard !open.isEmpty else { return found }
    var paths = paths
    try repository.history(from: side, hiding: bases) { (commit) throws(GitError) in
      guard commit.parents.count < 2 else {
        paths = nil
        return true
      }
      let changes = try differences.byKey(of: commit, at: &paths)
      for index in open where changes[values[index].value.key] != nil {
        found[index] = commit
        open.remove(index)
      }
      return !open.isEmpty
    }
    return found
  }
}

/// The merge of one file for git's merge driver, `larder merge-driver`.
public enum MergeFile {
  /// Joins two versions of one file, with the ancestor that git passes.
  ///
  /// There is no history here, so each side is adopted against the ancestor, 1 ms after the latest
  /// time in either. Nil, a conflict, if the ids differ, if a side is untaken, or if there is no
  /// ancestor and a side lacks its creation time.
  public static func merge(base: [UInt8]?, ours: [UInt8], theirs: [UInt8], path: FilePath)
    -> [UInt8]?
  {
    guard let mine = file(ours, path), let other = file(theirs, path), let id = mine.id,
      other.id == id
    else { return nil }
    return merge(
      base: base.flatMap { file($0, path) }.flatMap { $0.id == id ? $0 : nil }, mine, other)
  }

  /// Joins a file with a copy of it that may be of an earlier version, among those known, newest
  /// first.
  static func merge(ours: [UInt8], theirs: [UInt8], versions: [OlderFile], path: FilePath)
    -> [UInt8]?
  {
    guard let mine = file(ours, path), let other = file(theirs, path), mine.id == other.id else {
      return nil
    }
    let time = other.updatedAt
    let base = versions.last { $0.file.updatedAt == time && $0.isTaken() }?.file
    return merge(base: time == nil ? nil : base, mine, other)
  }

  private static func merge(base ancestor: EntityFile?, _ mine: EntityFile, _ other: EntityFile)
    -> [UInt8]?
  {
    let later = [mine, other].compactMap(\.latest).max() ?? Instant(milliseconds: 0)
    guard let left = entity(mine, against: ancestor, at: later.next),
      let right = entity(other, against: ancestor, at: later.next)
    else { return nil }
    let joined = left.joined(with: right)
    guard joined.showsLoose else { return joined.fileBytes }
    guard let total = waitingTotal(ancestor, mine, other) else { return nil }
    return joined.fileBytes(waiting: total)
  }

  /// Returns the count of all there is that stays in the file, as nobody knows the batches here.
  ///
  /// It is that of the side that wrote it; nil if both wrote one, and not the same. Who adopts a file
  /// takes it out, so that a new one beats that.
  private static func waitingTotal(
    _ base: EntityFile?, _ ours: EntityFile, _ theirs: EntityFile
  ) -> Number?? {
    let was = base?.totalBesideLoose(since: nil)
    let (mine, other) = (ours.totalBesideLoose(since: base), theirs.totalBesideLoose(since: base))
    let new = Set([mine, other].filter { $0 != was }.compactMap(\.self))
    if let only = new.first { return new.count == 1 ? .some(only) : nil }
    return .some(mine == other ? mine : nil)
  }

  private static func file(_ bytes: [UInt8], _ path: FilePath) -> EntityFile? {
    guard case .readable(let file)? = HouseholdReader.written(path, bytes[...]) else { return nil }
    return file
  }

  private static func entity(_ file: EntityFile, against base: EntityFile?, at time: Instant)
    -> Entity?
  {
    guard let base, let known = Entity(base), let id = file.id else { return Entity(file) }
    var adoption = FileAdoption(
      after: file, befores: [base], known: known, id: id, at: time,
      userID: base[.userID]?.string ?? id, householdID: base[.householdID]?.string ?? id,
      history: { [OlderFile(base)] })
    adoption.isAlone = !file.showsLoose && !base.showsLoose
    do {
      var entity = try adoption.outcome().entity
      if let pageFrom = file.pageFrom { entity.openPage(at: pageFrom) }
      return entity.joined(
        with: Entity(file.kind, id: id, createdAt: file.createdAt ?? entity.createdAt))
    } catch {
      return nil
    }
  }
}

extension EntityFile {
  /// What a file of an item says there is in all, where another number beside it, or in the ancestor,
  /// says what lies loose.
  ///
  /// Nil if it says nothing, or is an older version than the ancestor.
  fileprivate func totalBesideLoose(since base: EntityFile?) -> Number? {
    if let mine = updatedAt, let theirs = base?.updatedAt, mine < theirs { return nil }
    if showsLoose { return total }
    return base?.showsLoose ?? false && total != ledgerTotal ? total : nil
  }
}
