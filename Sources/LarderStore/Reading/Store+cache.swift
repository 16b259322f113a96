internal import LarderGit
internal import LarderModel
internal import LarderText

extension Store {
  /// Returns what is known of the household's files; nil if nothing is.
  func fileCache() -> FileCache? {
    if cache == nil { cache = cachePath.flatMap { FileCache(file: $0) } }
    // Git removes trees that no branch has any more, and with them what to compare HEAD's tree
    // with.
    if let known = cache, repository?.hasOwnFolders(known.tree) != true { cache = nil }
    return cache
  }

  private var cachePath: String? { deviceFolder.map { $0 + "/cache" } }

  /// Keeps what reading found, for the next one.
  ///
  /// Errors are ignored, for example in a read-only repository.
  func keepCache(of loaded: Loaded) {
    guard let path = cachePath, var news = CacheNews(of: loaded) else { return }
    do throws(StoreError) {
      news.unread = try unreadEntries(of: loaded)
      if let known = news.known, !news.areMany {
        // Whoever needs it next reads the file again.
        cache = nil
        guard let bytes = news.batch.bytes(after: known.end) else { return }
        try SystemFile.write(bytes, to: path, after: known.end.checksum, at: known.end.offset)
        return
      }
      guard let bytes = news.all.bytes(after: nil) else { return }
      cache = FileCache(bytes)
      try SystemFile.replace(path, with: bytes, durably: false)
      // Earlier versions kept it in two files.
      for former in ["snapshot", "snapshot-later"] {
        try SystemFile.remove(path.dropLast("cache".count) + former)
      }
    } catch {
      return
    }
  }

  /// Returns the entries of HEAD's tree at the paths of files that say nothing.
  private func unreadEntries(of loaded: Loaded) throws(StoreError) -> [FilePath: TreeEntry] {
    let paths = loaded.literal.untaken.keys
    guard let tree = loaded.tree, !paths.isEmpty else { return [:] }
    return try git { repository throws(GitError) in
      let listing = TreeListing(repository, tree)
      var entries: [FilePath: TreeEntry] = [:]
      for path in paths { entries[path] = try listing.entry(at: path) }
      return entries
    }
  }
}

/// What a loaded household knows that the cache does not.
private struct CacheNews {
  let known: FileCache?
  private let tree: ObjectID
  private let committed: CommittedFiles
  private let literal: Household
  private let workTree: WorkTree
  private let folders: [FilePath: FileState?]
  /// The paths that differ from the cache in blob or status.
  private let changed: Set<FilePath>
  /// The entries of files that say nothing.
  var unread: [FilePath: TreeEntry] = [:]

  /// Nil if there is no news, and for a household that is not kept: which of two files with one id
  /// counts depends on both.
  init?(of loaded: Loaded) {
    guard let tree = loaded.tree, loaded.literal.own != nil, !loaded.literal.hasDuplicates else {
      return nil
    }
    let (known, workTree) = (loaded.workTree.known, loaded.workTree)
    var folders = workTree.folders
    // What is not in the tree is not known, so its folder is listed each time.
    let strangers = loaded.changedPaths.filter { path in
      workTree[path] != nil && loaded.committed[path] == nil
    }
    for path in strangers.union(workTree.broken.keys) {
      if let folder = path.folders.last { folders[folder] = .some(nil) }
    }
    let settled = workTree.states.keys.filter { path in
      loaded.committed[path].map { $0.id == workTree[path]?.blob } ?? false
    }
    let isSettled = folders.contains { folder, state in
      state != nil && state != known?.state(ofFolder: folder)
    }
    guard known?.tree != tree || !settled.isEmpty || isSettled else { return nil }
    var changed = Set(loaded.committed.changes.keys).union(settled)
    if known == nil { changed.formUnion(loaded.literal.untaken.keys) }
    (self.known, self.tree, self.workTree) = (known, tree, workTree)
    (committed, literal) = (loaded.committed, loaded.literal)
    (self.folders, self.changed) = (folders, changed)
  }

  /// Whether there is so much news that all is written anew.
  var areMany: Bool {
    known.map { $0.laterRows + changed.count > $0.mostLaterRows } ?? true
  }

  /// The news alone.
  var batch: CacheBatch.Draft {
    let rows = rows
    let removed = changed.subtracting(rows.map(\.path))
    return CacheBatch.Draft(
      tree: tree, folders: folders, removed: Array(removed), rows: rows.map(\.bytes))
  }

  /// All files.
  var all: CacheBatch.Draft {
    let rows = ((known?.rows(without: changed) ?? []) + rows).sorted { $0.path < $1.path }
    return CacheBatch.Draft(
      tree: tree, folders: (known?.folders ?? [:]).merging(folders) { $1 },
      rows: rows.map(\.bytes))
  }

  /// The rows of changed files that are in the tree.
  private var rows: [(path: FilePath, bytes: ArraySlice<UInt8>)] {
    let entries = changed.sorted().compactMap { committed[$0] ?? unread[$0] }
    let rows = entries.concurrentMap { CacheRow.bytes($0, state(of: $0), entity(of: $0)) }
    return zip(entries, rows).map { ($0.path, $1[...]) }
  }

  private func state(of entry: TreeEntry) -> FileState? {
    guard workTree[entry.path]?.blob == entry.id else { return nil }
    return workTree.changes[entry.path] == nil
      ? workTree.known?[entry.path]?.state : workTree.states[entry.path]
  }

  /// Returns the entity of a file, if its canonical form says the same as the file.
  private func entity(of entry: TreeEntry) -> Entity? {
    guard let entity = literal.key(at: entry.path).flatMap({ literal[$0]?.compact }) else {
      return nil
    }
    let text = entity.fileBytes
    if Repository.blobID(of: text) == entry.id { return entity }
    guard case .success(let same) = HouseholdReader.decoded(entry.path, text[...]), same == entity
    else { return nil }
    return entity
  }
}
