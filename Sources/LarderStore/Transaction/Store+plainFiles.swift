internal import LarderGit
internal import LarderModel
internal import LarderText

/// The merged files that are not entities: notes, photos, and broken and refused files of the household.
struct PlainMerge {
  var files: [PlannedFile] = []
  var conflicts: [(path: FilePath, second: FilePath)] = []
}

/// One side of a join: its files, and what they mean.
struct JoinedSide {
  let tree: ObjectID
  let household: Household

  /// Whether a file of the household is broken or refused here.
  func isLeft(_ path: FilePath) -> Bool { household.untaken[path] != nil }
}

extension Store {
  /// Merges these files as git does.
  ///
  /// In a conflict both versions stay, the second one beside the first with a conflict name.
  ///
  /// A file that only one side mended is not among them: `joined` has what it means then.
  func mergePlainFiles(
    base: ObjectID?, _ ours: JoinedSide, _ theirs: JoinedSide, _ joined: inout Household
  ) throws(StoreError) -> PlainMerge {
    try git { repository throws(GitError) in
      let mine = try repository.changes(from: base, to: ours.tree)
      let other = try repository.changes(from: base, to: theirs.tree)
      let ownEntries = Dictionary(mine.map { ($0.path, $0) }) { first, _ in first }
      let otherEntries = Dictionary(other.map { ($0.path, $0) }) { first, _ in first }
      for path in joined.untaken.keys where joined.key(at: path) != nil {
        let change = ownEntries[path] ?? otherEntries[path]
        guard (ownEntries[path] == nil) != (otherEntries[path] == nil), change?.new != nil else {
          continue
        }
        let side = ownEntries[path] == nil ? theirs : ours
        if !side.isLeft(path) { joined.untaken[path] = nil }
      }
      var merge = PlainMerge()
      var both: [TreeChange] = []
      for change in other {
        guard Kind(path: change.path) == nil || joined.untaken[change.path] != nil else {
          continue
        }
        guard let own = ownEntries[change.path] else {
          merge.files.append(try planned(change.path, change.new, over: change.old, repository))
          continue
        }
        if own.new != change.new { both.append(change) }
      }
      if !both.isEmpty {
        try mergeBoth(both, ownEntries, ours, theirs, &joined, &merge, repository)
      }
      try settleFolders(&merge, ours: ours.tree, repository)
      return merge
    }
  }

  /// If one side has a file and the other a folder of the same name, the folder keeps the name.
  private func settleFolders(
    _ merge: inout PlainMerge, ours: ObjectID, _ repository: Repository
  ) throws(GitError) {
    guard merge.files.contains(where: { $0.blob != nil }) else { return }
    var entries: [FilePath: TreeEntry] = [:]
    for entry in try repository.entries(of: ours) { entries[entry.path] = entry }
    var paths = Set(entries.keys)
    for file in merge.files where file.blob == nil { paths.remove(file.path) }
    for file in merge.files where file.blob != nil { paths.insert(file.path) }
    let folders = Set(paths.flatMap(\.folders))
    for path in paths.intersection(folders).sorted() {
      let index = merge.files.firstIndex { $0.path == path && $0.blob != nil }
      guard let blob = index.flatMap({ merge.files[$0].blob }) ?? entries[path]?.id else {
        continue
      }
      let beside = ConflictFile.path(for: path, blob)
      let mode = index.flatMap { merge.files[$0].mode } ?? entries[path]?.mode ?? .file
      if let index { merge.files.remove(at: index) }
      if let entry = entries[path] {
        merge.files.append(try planned(path, nil, over: entry, repository))
      }
      let moved = TreeEntry(path: beside, id: blob, mode: mode)
      merge.files.append(try planned(beside, moved, over: nil, repository))
      merge.conflicts.append((path, beside))
    }
  }

  private func planned(
    _ path: FilePath, _ entry: TreeEntry?, over committed: TreeEntry?, _ repository: Repository
  ) throws(GitError) -> PlannedFile {
    var file = PlannedFile(
      path: path,
      bytes: try entry.flatMap { entry throws(GitError) in
        entry.mode == .submodule ? nil : try repository.readBlob(entry.id)
      },
      blob: entry?.id, committed: committed)
    file.mode = entry?.mode
    return file
  }

  private func mergeBoth(
    _ both: [TreeChange], _ own: [FilePath: TreeChange], _ ours: JoinedSide, _ theirs: JoinedSide,
    _ joined: inout Household, _ merge: inout PlainMerge, _ repository: Repository
  ) throws(GitError) {
    var left: Set<TreeEntry> = []
    for change in both {
      if ours.isLeft(change.path), let entry = own[change.path]?.new { left.insert(entry) }
      if theirs.isLeft(change.path), let entry = change.new { left.insert(entry) }
    }
    // The text of a file whose edit was refused is kept whole; merged, it could be read as an edit.
    var refused: Set<TreeEntry> = []
    for entry in left where try isReadable(entry, repository) { refused.insert(entry) }
    let mergeable = both.filter { change in
      let sides = [own[change.path]?.new, change.new].compactMap(\.self)
      return !sides.contains { refused.contains($0) }
    }
    let merged = try merged(mergeable, own, repository)
    let conflicts = Dictionary((merged?.conflicts ?? []).map { ($0.path, $0) }) { first, _ in first
    }
    var seconds: [(path: FilePath, entry: TreeEntry)] = []
    for change in both {
      let committed = own[change.path]?.new
      var sides = [committed, change.new].compactMap(\.self)
      if let merged, mergeable.contains(change) {
        guard let conflict = conflicts[change.path] else {
          let entry = try repository.entry(at: change.path, in: merged.tree)
          merge.files.append(try planned(change.path, entry, over: committed, repository))
          continue
        }
        sides = [conflict.ours, conflict.theirs].compactMap(\.self)
      }
      sides = try inOrder(sides, but: refused, repository)
      var kept = try planned(change.path, sides.first, over: committed, repository)
      if let first = sides.first, !refused.contains(first), try isReadable(first, repository),
        let entity = joined.key(at: change.path).flatMap({ joined[$0] })
      {
        kept.bytes = entity.fileBytes
        kept.blob = Repository.blobID(of: entity.fileBytes)
        joined.untaken[change.path] = nil
      }
      merge.files.append(kept)
      guard sides.count == 2 else { continue }
      seconds.append((change.path, sides[1]))
    }
    for second in seconds { try keep(second.entry, beside: second.path, &merge, repository) }
  }

  /// Merges files that both sides changed, as git does; nil if there are none.
  private func merged(
    _ both: [TreeChange], _ own: [FilePath: TreeChange], _ repository: Repository
  ) throws(GitError) -> MergedTree? {
    guard !both.isEmpty else { return nil }
    let base = try tree(of: both.compactMap(\.old), repository)
    let ours = try tree(of: both.compactMap { own[$0.path]?.new }, repository)
    let theirs = try tree(of: both.compactMap(\.new), repository)
    return try repository.mergeTrees(base: base, ours: ours, theirs: theirs) {
      guard let mine = $1, let other = $2 else { return nil }
      return MergeFile.merge(base: $0, ours: mine, theirs: other, path: $3)
    }
  }

  /// Stores a second version beside the first, unless the other side has done so already.
  private func keep(
    _ entry: TreeEntry, beside path: FilePath, _ merge: inout PlainMerge, _ repository: Repository
  ) throws(GitError) {
    var beside = ConflictFile.path(for: path, entry.id)
    if merge.files.contains(where: { $0.path == beside && $0.blob != entry.id }) {
      beside = ConflictFile.path(for: path, entry.id, digits: 40)
    }
    merge.conflicts.append((path, beside))
    guard !merge.files.contains(where: { $0.path == beside }) else { return }
    merge.files.append(try planned(beside, entry, over: nil, repository))
  }

  /// Returns two versions, the one that keeps the path first: one that can be read and was not
  /// refused, otherwise the one with the smaller blob id, so that both devices decide the same.
  private func inOrder(
    _ sides: [TreeEntry], but refused: Set<TreeEntry>, _ repository: Repository
  ) throws(GitError) -> [TreeEntry] {
    var readable: [TreeEntry] = []
    var others: [TreeEntry] = []
    for side in sides.sorted(by: { $0.id < $1.id }) {
      if !refused.contains(side), try isReadable(side, repository) {
        readable.append(side)
      } else {
        others.append(side)
      }
    }
    return readable + others
  }

  private func isReadable(_ entry: TreeEntry, _ repository: Repository) throws(GitError) -> Bool {
    guard entry.mode != .submodule else { return false }
    let bytes = try repository.readBlob(entry.id)
    if case .readable? = HouseholdReader.written(entry.path, bytes[...]) { return true }
    return false
  }

  private func tree(of entries: [TreeEntry], _ repository: Repository) throws(GitError) -> ObjectID
  {
    var changes: [FilePath: (ObjectID, FileMode)?] = [:]
    for entry in entries { changes[entry.path] = .some((entry.id, entry.mode)) }
    return try repository.writeTree(from: nil, changing: changes)
  }
}
