internal import LarderGit
public import LarderModel
public import LarderText

/// The result of adopting into the index of a commit in progress.
public struct Staging: Sendable {
  /// The household of the index, with its edits adopted.
  public let household: Household
  public let notes: [HouseholdAdoption.Note]
  /// The files that were staged again, sorted.
  public let paths: [FilePath]
  /// The staged content of broken and refused files, which is not changed.
  public let untaken: [FilePath: [UInt8]]
}

extension Store {
  /// Adopts what is staged in the index that git is about to commit, and stages the result there.
  ///
  /// It makes no commit. A file whose work tree version differs from the staged one stays as
  /// staged, and nothing else in the index changes. `path` is the path of the index, from git's
  /// `GIT_INDEX_FILE`. Returns nil if there is nothing to adopt, or during a merge or rebase, whose
  /// commits are adopted as a whole. Throws `partialCommit` if git commits a temporary index,
  /// because the next commit would revert additions to it.
  public func stage(intoIndex path: String) throws(StoreError) -> Staging? {
    guard let repository, let folder = deviceFolder else { throw .notARepository(root: root) }
    guard repository.operationInProgress() == nil else { return nil }
    guard try userID != nil else { throw .noUserID }
    repository.indexPath = path
    defer { repository.indexPath = repository.gitDirectory + "/index" }
    let lock = try HouseholdLock(folder: folder, patience: context.patience)
    defer { lock.release() }
    let name = path.split(separator: "/").last ?? ""
    let isPartial = name.hasPrefix("next-index-")
    if isPartial, hasUnfinishedTransaction { throw .unfinished }
    try recover()
    return try stage(isPartial: isPartial)
  }

  private func stage(isPartial: Bool) throws(StoreError) -> Staging? {
    try refuseFilters()
    let known = fileCache()
    let present = try WorkTree(self.files, known: known)
    let staged = try stagedTree(known)
    let loaded = try load(staged, known)
    guard let edits = loaded.edits, let own = loaded.household.own,
      Schema.knows(format: own.format)
    else {
      return nil
    }
    try refuseManyRemovals(edits, of: loaded)
    let planned = plan(
      edits.changed, edits.household, from: edits.household, loaded, also: loaded.edited)
    try check(planned)
    let untaken = edits.household.untaken
    let files = planned.filter { file in
      // A file that people must repair first stays as typed.
      guard untaken[file.path] == nil else { return false }
      let known = staged[file.path]?.blob
      return file.blob != known && present[file.path]?.blob == known
        && present.broken[file.path] == nil
    }
    guard !isPartial || files.isEmpty else { throw .partialCommit(paths: files.map(\.path)) }
    try write(files, over: staged)
    var texts: [FilePath: [UInt8]] = [:]
    for path in untaken.keys {
      guard let file = staged[path] else { continue }
      texts[path] = Array(try content(of: file, at: path))
    }
    return Staging(
      household: edits.household, notes: edits.notes, paths: files.map(\.path), untaken: texts)
  }

  /// Returns the household's files as in the index.
  private func stagedTree(_ known: FileCache?) throws(StoreError) -> WorkTree {
    var tree = WorkTree(known)
    var gone = known?.paths ?? []
    let now = context.now()
    try git { repository throws(GitError) in
      for entry in try repository.indexEntries()
      where Kind(path: entry.path) != nil && entry.stage == 0 && !entry.isIntentToAdd {
        guard entry.mode.isOrdinary else {
          tree.noteBroken(entry.path, FileMistakes([.notAFile]))
          continue
        }
        gone.remove(entry.path)
        if known?[entry.path]?.blob != entry.id {
          tree.note(entry.path, try repository.readBlob(entry.id), at: now)
        }
      }
    }
    for path in gone { tree.note(path, nil, at: now) }
    return tree
  }

  /// Writes to the index first: if killed in between, the commit is complete, and the work tree is
  /// understood as before.
  private func write(_ files: [PlannedFile], over staged: WorkTree) throws(StoreError) {
    guard !files.isEmpty else { return }
    try git { repository throws(GitError) in
      _ = try repository.writeBlobs(files.compactMap(\.bytes))
      var entries: [FilePath: (ObjectID, FileMode)?] = [:]
      for file in files { entries[file.path] = .some(file.blob.map { ($0, file.modeOrDefault) }) }
      try repository.refreshIndex(entries)
    }
    try exchange(
      files.map { file in
        Transaction.File(
          path: file.path, old: staged[file.path]?.blob, new: file.blob,
          mode: file.modeOrDefault)
      })
  }
}
