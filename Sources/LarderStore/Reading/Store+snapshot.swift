internal import LarderGit
internal import LarderModel
internal import LarderText

extension Store {
  /// Returns what is known of the household's files; nil if nothing is.
  func knownFiles() -> Snapshot? {
    if snapshot == nil { snapshot = deviceFolder.flatMap { Snapshot(folder: $0) } }
    // Git removes trees that no branch has any more, and with them what to compare HEAD's tree
    // with.
    if let known = snapshot, repository?.hasOwnFolders(known.tree) != true { snapshot = nil }
    return snapshot
  }

  /// Keeps what reading found, for the next one.
  ///
  /// Errors are ignored, for example in a read-only repository.
  func keepSnapshot(of loaded: Loaded) {
    guard let folder = deviceFolder, var draft = SnapshotDraft(of: loaded) else { return }
    do throws(StoreError) {
      draft.untaken = try untakenEntries(of: loaded)
    } catch {
      return
    }
    let known = loaded.workTree.known
    let isWhole = known.map { draft.changed.count > $0.mostLater } ?? true
    let bytes = SnapshotPart.bytes(of: isWhole ? draft.whole : draft.later)
    guard let part = SnapshotPart(bytes) else { return }
    snapshot = isWhole ? Snapshot(part, nil) : known.map { Snapshot($0.first, part) }
    do throws(StoreError) {
      let name = isWhole ? Snapshot.firstName : Snapshot.laterName
      try SystemFile.replace(folder + name, with: bytes, durably: false)
      guard isWhole else { return }
      try SystemFile.remove(folder + Snapshot.laterName)
      // Version 0.2 kept the files' bytes instead.
      try SystemFile.remove(folder + "/cache")
    } catch {
      return
    }
  }

  private func untakenEntries(of loaded: Loaded) throws(StoreError) -> [TreeEntry] {
    let paths = loaded.standing.untaken.keys
    guard let tree = loaded.tree, !paths.isEmpty else { return [] }
    return try git { repository throws(GitError) in
      let listing = TreeListing(repository, tree)
      var entries: [TreeEntry] = []
      for path in paths { if let entry = try listing.entry(at: path) { entries.append(entry) } }
      return entries
    }
  }
}

/// The draft of a snapshot of a loaded household, if it knows more than the last one.
private struct SnapshotDraft {
  private let loaded: Loaded
  private let tree: ObjectID
  private let folders: [FilePath: FileState?]
  /// The paths that differ from the first part in blob or status.
  let changed: Set<FilePath>
  var untaken: [TreeEntry] = []

  init?(of loaded: Loaded) {
    guard let tree = loaded.tree, loaded.standing.own != nil, !loaded.standing.hasDuplicates else {
      return nil
    }
    let (known, workTree) = (loaded.workTree.known, loaded.workTree)
    let hasNews = known.map { $0.tree != tree } ?? true
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
    guard hasNews || !settled.isEmpty || isSettled else { return nil }
    self.loaded = loaded
    self.tree = tree
    self.folders = folders
    changed = Set(loaded.committed.changes.keys).union(settled).union(known?.laterPaths ?? [])
  }

  /// The first part: all files.
  var whole: SnapshotPart.Content {
    let known = loaded.workTree.known
    var content = SnapshotPart.Content(head: .init(tree: tree, untaken: untaken))
    content.household = loaded.standing
    content.files.standing = known?.first.files
    content.files.changed = changed
    content.files.files = changed.compactMap { path in file(path).map { (path, $0) } }
    content.files.folders = (known?.later?.files.folderStates ?? [:]).merging(folders) { $1 }
    return content
  }

  /// The later part: what differs from the first one.
  var later: SnapshotPart.Content {
    let known = loaded.workTree.known
    let first = known?.first.checksum ?? 0
    var content = SnapshotPart.Content(
      head: .init(tree: tree, first: first, untaken: untaken))
    for path in changed {
      if let file = file(path) {
        content.files.files.append((path, file))
      } else {
        content.head.removed.insert(path)
      }
      if let key = loaded.standing.key(at: path), let entity = loaded.standing[key] {
        content.household.put(entity, at: path)
      }
    }
    content.files.folders = (known?.later?.files.folderStates ?? [:]).merging(folders) { $1 }
    return content
  }

  private func file(_ path: FilePath) -> KnownFile? {
    guard let committed = loaded.committed[path] else { return nil }
    let workTree = loaded.workTree
    var state = workTree.states[path]
    if workTree.changes[path] == nil { state = workTree.known?[path]?.state }
    if workTree[path]?.blob != committed.id { state = nil }
    return KnownFile(
      blob: committed.id, isExecutable: committed.mode == .executable, state: state)
  }
}
