import Clibgit2
public import LarderText

extension Repository {
  /// Merges two trees over a base, which may be nil, without changing index, files or references.
  ///
  /// Files with the attribute `merge=larder` are given to `driver`. All others, and all files if it
  /// is nil, are merged as text. The attributes are those of the work tree, so a bare repository
  /// has none. Renames are not detected: a removed file and a similar new file stay separate.
  public func mergeTrees(
    base: ObjectID?, ours: ObjectID, theirs: ObjectID, driver: MergeDriver?
  ) throws(GitError) -> MergedTree {
    let index = try mergedIndex(base, ours, theirs, driver)
    var conflicts = try self.conflicts(in: index.pointer)
    // Starts from our tree, so that only folders with a difference are written.
    var changes = try cleanChanges(in: index.pointer, since: ours)
    try moveCollisions(from: &changes, to: &conflicts, ours: ours)
    changes += conflicts.compactMap { $0.ours.map(change) }
    var tree = try TreeWriter(self, changes).write(base: ours)
    var theirs: [TreeWriter.Change] = []
    for conflict in conflicts where conflict.ours == nil {
      guard let entry = conflict.theirs, try isFree(entry.path, in: tree) else { continue }
      theirs.append(change(to: entry))
    }
    tree = try TreeWriter(self, theirs).write(base: tree)
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
          path: FilePath(String(cString: name)), base: treeEntry(base), ours: treeEntry(ours),
          theirs: treeEntry(theirs)))
    }
  }

  private func treeEntry(_ entry: UnsafePointer<git_index_entry>?) -> TreeEntry? {
    guard let entry = entry?.pointee,
      let mode = FileMode(entry.mode)
    else { return nil }
    return TreeEntry(
      path: FilePath(String(cString: entry.path)), id: ObjectID(entry.id), mode: mode)
  }

  private func change(to entry: TreeEntry) -> TreeWriter.Change {
    TreeWriter.Change(path: [UInt8](entry.path.utf8), value: (entry.id, entry.mode))
  }

  /// Returns the changes of the merge to our tree, without paths in conflict.
  private func cleanChanges(
    in index: OpaquePointer, since ours: ObjectID
  ) throws(GitError) -> [TreeWriter.Change] {
    var changes: [TreeWriter.Change] = []
    // Both lists are ordered by the bytes of their paths.
    var mine = try entries(of: ours)[...]
    for position in 0..<git_index_entrycount(index) {
      guard let raw = git_index_get_byindex(index, position), let entry = treeEntry(raw)
      else { continue }
      while let first = mine.first, first.path < entry.path {
        changes.append(TreeWriter.Change(path: [UInt8](first.path.utf8), value: nil))
        mine.removeFirst()
      }
      let same = mine.first.flatMap { $0.path == entry.path ? $0 : nil }
      if git_index_entry_stage(raw) != 0 {
        // A path may have several entries; ours is dropped with the last of them.
        if same != nil, isLast(position, of: entry, in: index) { mine.removeFirst() }
        continue
      }
      if same != nil { mine.removeFirst() }
      if same?.id != entry.id || same?.mode != entry.mode { changes.append(change(to: entry)) }
    }
    return changes + mine.map { TreeWriter.Change(path: [UInt8]($0.path.utf8), value: nil) }
  }

  private func isLast(_ position: Int, of entry: TreeEntry, in index: OpaquePointer) -> Bool {
    guard let next = git_index_get_byindex(index, position + 1)?.pointee else { return true }
    return FilePath(String(cString: next.path)) != entry.path
  }

  /// Turns clean files into conflicts if their path collides with our file of a conflict.
  ///
  /// If our file has the name of one of their folders, or the reverse, libgit2 reports their file
  /// as clean; but a tree can't have both.
  private func moveCollisions(
    from changes: inout [TreeWriter.Change], to conflicts: inout [MergeConflict], ours: ObjectID
  ) throws(GitError) {
    let kept = Set(conflicts.compactMap { $0.ours.map { [UInt8]($0.path.utf8) } })
    guard !kept.isEmpty else { return }
    let keptFolders = Set(kept.flatMap { folders(above: $0) })
    var clean: [TreeWriter.Change] = []
    for change in changes {
      let path = FilePath(String(decoding: change.path, as: UTF8.self))
      let collides =
        keptFolders.contains(change.path)
        || folders(above: change.path).contains { kept.contains($0) }
      if collides, let (id, mode) = change.value, try entry(at: path, in: ours) == nil {
        let theirs = TreeEntry(path: path, id: id, mode: mode)
        conflicts.append(MergeConflict(path: path, base: nil, ours: nil, theirs: theirs))
      } else {
        clean.append(change)
      }
    }
    changes = clean
    conflicts.sort { $0.path < $1.path }
  }

  /// Returns the paths of all folders above a file.
  private func folders(above path: [UInt8]) -> [[UInt8]] {
    path.indices.filter { path[$0] == UInt8(ascii: "/") }.map { Array(path[..<$0]) }
  }

  /// Whether no file is at the place of the path's folders, and no folder at the place of its file.
  private func isFree(_ path: FilePath, in tree: ObjectID) throws(GitError) -> Bool {
    if try folder(at: path, in: tree) != nil { return false }
    for folder in path.folders where try entry(at: folder, in: tree) != nil { return false }
    return true
  }
}

/// The result of merging two trees.
public struct MergedTree: Sendable, Hashable {
  /// The merged tree.
  ///
  /// At each path in conflict, it has our file. If we have none, it has theirs, unless a file or
  /// folder of ours has that path.
  public var tree: ObjectID
  /// The paths in conflict, ordered by their bytes; empty after a clean merge.
  public var conflicts: [MergeConflict]
}

/// A path on which two sides differ and that could not be merged.
public struct MergeConflict: Sendable, Hashable {
  /// The path from the root.
  public var path: FilePath
  /// The file in the merge base; nil if there was none.
  public var base: TreeEntry?
  /// The file on our side; nil if we removed it or never had it.
  public var ours: TreeEntry?
  /// The file on their side; nil if they removed it or never had it.
  public var theirs: TreeEntry?
}

/// A function that merges one file.
///
/// It gets the common ancestor (nil if both sides added the file), our content, their content and
/// the path, and returns the merged content, or nil for a conflict.
///
/// It is only called for files that both sides changed or added, never for a file that one side
/// removed.
public typealias MergeDriver = (
  _ ancestor: [UInt8]?, _ ours: [UInt8]?, _ theirs: [UInt8]?, _ path: FilePath
) -> [UInt8]?
