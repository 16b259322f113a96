internal import Clibgit2

extension Repository {
  /// Merges two trees over a common base, nil for none, without touching index, files or references.
  ///
  /// Files whose attribute is `merge=larder` are given to `driver`; all others, and all when it is
  /// nil, are merged as lines of text. The attributes are those of the work tree, so a bare
  /// repository has none. Renames are not looked for: a removed file and a similar new one stay two.
  public func mergeTrees(
    base: ObjectID?, ours: ObjectID, theirs: ObjectID, driver: MergeDriver?
  ) throws(GitError) -> MergedTree {
    let index = try mergedIndex(base, ours, theirs, driver)
    var conflicts = try self.conflicts(in: index.pointer)
    // Built from our tree, so that only folders with a difference are written.
    var changes = try cleanChanges(in: index.pointer, since: ours)
    try moveCollisions(from: &changes, to: &conflicts, ours: ours)
    for conflict in conflicts {
      guard let entry = conflict.ours else { continue }
      changes[conflict.path] = .some((entry.id, entry.mode))
    }
    var tree = try writeTree(from: ours, changing: changes)
    for conflict in conflicts where conflict.ours == nil {
      guard let entry = conflict.theirs, try isFree(entry.path, in: tree) else { continue }
      tree = try writeTree(from: tree, changing: [entry.path: .some((entry.id, entry.mode))])
    }
    return MergedTree(tree: tree, conflicts: conflicts)
  }

  private func mergedIndex(
    _ base: ObjectID?, _ ours: ObjectID, _ theirs: ObjectID, _ driver: MergeDriver?
  ) throws(GitError) -> Handle<OpaquePointer> {
    let action = "merge"
    var options = git_merge_options()
    try check(git_merge_options_init(&options, UInt32(GIT_MERGE_OPTIONS_VERSION)), action)
    options.flags &= ~GIT_MERGE_FIND_RENAMES.rawValue
    let ourTree = try treeHandle(ours)
    let theirTree = try treeHandle(theirs)
    var merged: OpaquePointer?
    func merge(_ baseTree: OpaquePointer?) throws(GitError) {
      let repository = pointer
      let status = try DriverRegistry.with(driver, for: repository, action: action) {
        "text".withCString { name in
          options.default_driver = name
          return git_merge_trees(
            &merged, repository, baseTree, ourTree.pointer, theirTree.pointer, &options)
        }
      }
      try check(status, action)
    }
    if let base {
      let baseTree = try treeHandle(base)
      try merge(baseTree.pointer)
    } else {
      try merge(nil)
    }
    guard let merged else {
      throw GitError(.other(0), action: action, detail: "libgit2 returned nothing")
    }
    return Handle(owning: merged, free: { git_index_free($0) })
  }

  private func conflicts(in index: OpaquePointer) throws(GitError) -> [MergeConflict] {
    guard git_index_has_conflicts(index) == 1 else { return [] }
    let iterator = try Handle("merge", free: { git_index_conflict_iterator_free($0) }) {
      git_index_conflict_iterator_new($0, index)
    }
    var conflicts: [MergeConflict] = []
    while true {
      var base: UnsafePointer<git_index_entry>?
      var ours: UnsafePointer<git_index_entry>?
      var theirs: UnsafePointer<git_index_entry>?
      let status = git_index_conflict_next(&base, &ours, &theirs, iterator.pointer)
      if status == GIT_ITEROVER.rawValue { return conflicts }
      try check(status, "merge")
      guard let name = (ours ?? theirs ?? base)?.pointee.path else { continue }
      conflicts.append(
        MergeConflict(
          path: String(cString: name), base: treeEntry(base), ours: treeEntry(ours),
          theirs: treeEntry(theirs)))
    }
  }

  private func treeEntry(_ entry: UnsafePointer<git_index_entry>?) -> TreeEntry? {
    guard let entry = entry?.pointee,
      let mode = FileMode(git_filemode_t(rawValue: UInt32(entry.mode)))
    else { return nil }
    return TreeEntry(path: String(cString: entry.path), id: ObjectID(entry.id), mode: mode)
  }

  /// What the merge decided differently from our tree; paths in conflict are left out.
  private func cleanChanges(
    in index: OpaquePointer, since ours: ObjectID
  ) throws(GitError) -> [String: (ObjectID, FileMode)?] {
    var gone: [String: TreeEntry] = [:]
    for entry in try entries(of: ours) { gone[entry.path] = entry }
    var changes: [String: (ObjectID, FileMode)?] = [:]
    for position in 0..<git_index_entrycount(index) {
      guard let raw = git_index_get_byindex(index, position), let entry = treeEntry(raw)
      else { continue }
      let mine = gone.removeValue(forKey: entry.path)
      guard git_index_entry_stage(raw) == 0, mine != entry else { continue }
      changes[entry.path] = .some((entry.id, entry.mode))
    }
    for path in gone.keys { changes[path] = .some(nil) }
    return changes
  }

  /// libgit2 calls a file of theirs clean even where our file, in conflict, has the name of one of
  /// its folders, and the other way round; both can't be in one tree, so it is a conflict too.
  private func moveCollisions(
    from changes: inout [String: (ObjectID, FileMode)?], to conflicts: inout [MergeConflict],
    ours: ObjectID
  ) throws(GitError) {
    let kept = Set(conflicts.filter { $0.ours != nil }.map(\.path))
    guard !kept.isEmpty else { return }
    let keptFolders = Set(kept.flatMap { folders(above: $0) })
    for (path, value) in changes {
      guard let (id, mode) = value, try entry(at: path, in: ours) == nil,
        keptFolders.contains(path) || folders(above: path).contains(where: kept.contains)
      else { continue }
      changes[path] = nil
      let theirs = TreeEntry(path: path, id: id, mode: mode)
      conflicts.append(MergeConflict(path: path, base: nil, ours: nil, theirs: theirs))
    }
    conflicts.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
  }

  /// The paths of all folders on the way to a file.
  private func folders(above path: String) -> [String] {
    path.utf8.indices.filter { path.utf8[$0] == UInt8(ascii: "/") }.map { String(path[..<$0]) }
  }

  /// Whether neither a file stands where the path needs a folder, nor a folder where it needs a file.
  private func isFree(_ path: String, in tree: ObjectID) throws(GitError) -> Bool {
    if try folder(at: path, in: tree) != nil { return false }
    for parent in folders(above: path) where try entry(at: parent, in: tree) != nil {
      return false
    }
    return true
  }
}
