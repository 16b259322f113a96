internal import LarderGit
internal import LarderModel

/// The files of a merge that are no entities: notes, photos, and files of ours that can't be read.
struct PlainMerge {
  var files: [PlannedFile] = []
  var conflicts: [(path: String, second: String)] = []
}

extension Store {
  /// Merges them as git does; where that conflicts, both versions stay, the second beside the first
  /// under a name that says so.
  func mergePlainFiles(
    base: ObjectID?, ours: ObjectID, theirs: ObjectID, _ joined: Household
  ) throws(StoreError) -> PlainMerge {
    try git { repository throws(GitError) in
      let isPlain = { (path: String) in
        Kind(path: path) == nil || joined.unreadable[path] != nil
      }
      let mine = try repository.changes(from: base, to: ours).filter { isPlain($0.path) }
      let other = try repository.changes(from: base, to: theirs).filter { isPlain($0.path) }
      let ownEntries = Dictionary(mine.map { ($0.path, $0) }) { first, _ in first }
      var merge = PlainMerge()
      var both: [TreeChange] = []
      for change in other {
        guard let own = ownEntries[change.path] else {
          merge.files.append(try planned(change.path, change.new, over: change.old, repository))
          continue
        }
        if own.new != change.new { both.append(change) }
      }
      guard !both.isEmpty else { return merge }
      try mergeBoth(both, ownEntries, joined, &merge, repository)
      return merge
    }
  }

  private func planned(
    _ path: String, _ entry: TreeEntry?, over committed: TreeEntry?, _ repository: Repository
  ) throws(GitError) -> PlannedFile {
    var file = PlannedFile(
      path: path,
      bytes: try entry.map { entry throws(GitError) in try repository.readBlob(entry.id) },
      blob: entry?.id, committed: committed)
    file.mode = entry?.mode
    return file
  }

  private func mergeBoth(
    _ both: [TreeChange], _ own: [String: TreeChange], _ joined: Household,
    _ merge: inout PlainMerge, _ repository: Repository
  ) throws(GitError) {
    let base = try tree(of: both.compactMap(\.old), repository)
    let ours = try tree(of: both.compactMap { own[$0.path]?.new }, repository)
    let theirs = try tree(of: both.compactMap(\.new), repository)
    let merged = try repository.mergeTrees(base: base, ours: ours, theirs: theirs) {
      guard let mine = $1, let other = $2 else { return nil }
      return MergeFile.merge(base: $0, ours: mine, theirs: other, path: $3)
    }
    let conflicts = Dictionary(merged.conflicts.map { ($0.path, $0) }) { first, _ in first }
    for change in both {
      let committed = own[change.path]?.new
      guard let conflict = conflicts[change.path] else {
        let entry = try repository.entry(at: change.path, in: merged.tree)
        merge.files.append(try planned(change.path, entry, over: committed, repository))
        continue
      }
      let sides = [conflict.ours, conflict.theirs].compactMap(\.self)
        .sorted { isFirst($0, before: $1, repository) }
      var kept = try planned(change.path, sides.first, over: committed, repository)
      if let first = sides.first, isReadable(first, repository),
        let entity = joined.key(at: change.path).flatMap({ joined[$0] })
      {
        kept.bytes = entity.fileBytes
        kept.blob = Repository.blobID(of: entity.fileBytes)
      }
      merge.files.append(kept)
      guard sides.count == 2 else { continue }
      let beside = ConflictFile.path(for: change.path, sides[1].id)
      merge.files.append(try planned(beside, sides[1], over: nil, repository))
      merge.conflicts.append((change.path, beside))
    }
  }

  /// Which of two versions keeps the path: one that can be read, else the one with the smaller blob
  /// id, so that both devices decide alike.
  private func isFirst(_ left: TreeEntry, before right: TreeEntry, _ repository: Repository) -> Bool
  {
    let (leftReads, rightReads) = (isReadable(left, repository), isReadable(right, repository))
    return leftReads == rightReads ? left.id < right.id : leftReads
  }

  private func isReadable(_ entry: TreeEntry, _ repository: Repository) -> Bool {
    guard let bytes = try? repository.readBlob(entry.id),
      case .readable? = HouseholdReader.written(entry.path, bytes)
    else { return false }
    return true
  }

  private func tree(of entries: [TreeEntry], _ repository: Repository) throws(GitError) -> ObjectID
  {
    var changes: [String: (ObjectID, FileMode)?] = [:]
    for entry in entries { changes[entry.path] = .some((entry.id, entry.mode)) }
    return try repository.writeTree(from: nil, changing: changes)
  }
}
