import Clibgit2
public import LarderText
internal import Libc

extension Repository {
  /// Returns all entries of the index, ordered by the bytes of their paths and then by stage.
  public func indexEntries() throws(GitError) -> [IndexEntry] {
    guard let index = try readable({ () throws(GitError) in try OpenIndex(indexPath) }) else {
      return try indexEntriesByGit()
    }
    return (0..<git_index_entrycount(index.pointer)).compactMap { position in
      guard let entry = git_index_get_byindex(index.pointer, position)?.pointee,
        let mode = FileMode(entry.mode)
      else { return nil }
      let flags = UInt32(entry.flags_extended)
      return IndexEntry(
        path: FilePath(String(cString: entry.path)), id: ObjectID(entry.id), mode: mode,
        isSkipWorktree: flags & GIT_INDEX_ENTRY_SKIP_WORKTREE.rawValue != 0,
        isIntentToAdd: flags & GIT_INDEX_ENTRY_INTENT_TO_ADD.rawValue != 0,
        stage: Self.stage(of: entry))
    }
  }

  /// Sets the index entries of some paths, or removes them with nil.
  ///
  /// All other staged entries stay.
  ///
  /// Conflict entries of these paths are removed. If a file in the work tree has exactly the given
  /// content, its status is stored too, which keeps `git status` fast. Any other file is shown as
  /// changed. Throws `locked`, with the lock file's path, if another process writes the index or
  /// died while writing.
  public func refreshIndex(_ paths: [FilePath: (ObjectID, FileMode)?]) throws(GitError) {
    guard !paths.isEmpty else { return }
    let action = "refresh the index"
    let lock = try IndexLock(indexPath, action: action)
    if let bytes = bytesOfPlainIndex(with: paths, since: lock.modified) {
      try lock.write(bytes)
      return try lock.release()
    }
    try lock.draftCopy()
    guard let index = try readable({ () throws(GitError) in try OpenIndex(lock.draftPath) }) else {
      lock.abandon()
      return try refreshIndexByGit(paths)
    }
    try refresh(paths, in: index, since: lock.modified, action: action)
    try lock.release()
  }

  /// Refreshes an index that libgit2 has read.
  private func refresh(
    _ paths: [FilePath: (ObjectID, FileMode)?], in index: borrowing OpenIndex,
    since written: timespec?, action: String
  ) throws(GitError) {
    try smudge(index.pointer, since: written, action: action)
    let hasConflicts = git_index_has_conflicts(index.pointer) == 1
    for (path, value) in paths {
      let stages: [Int32] = value == nil ? [0, 1, 2, 3] : hasConflicts ? [1, 2, 3] : []
      for stage in stages {
        let status = git_index_remove(index.pointer, path.text, stage)
        if status != GIT_ENOTFOUND.rawValue { try check(status, action, path: path.text) }
      }
      guard let (id, mode) = value else { continue }
      // Plain git may have staged a folder of that name.
      try check(
        git_index_remove_directory(index.pointer, path.text, 0), action, path: path.text)
      try add(path.text, id, mode, to: index.pointer, action: action)
    }
    try check(git_index_write(index.pointer), action, path: indexPath)
  }

  /// Returns the bytes of the index with the entries of some paths; nil if libgit2 has to write it.
  private func bytesOfPlainIndex(
    with paths: [FilePath: (ObjectID, FileMode)?], since written: timespec?
  ) -> [UInt8]? {
    guard let written, let index = plainIndex() else { return nil }
    let lines = paths.map { path, value in
      value.map { IndexLine(path, $0.0, $0.1, unchangedStatus(of: path.text, $0.0, $0.1)) }
        ?? IndexLine(removing: path)
    }
    let outdated = index.entries(changedSince: written).filter { entry in
      !paths.keys.contains(entry.path) && !isUnchanged(entry.path.text, entry.id, entry.mode)
    }
    return index.bytes(with: lines, outdated: outdated)
  }

  private static func stage(of entry: git_index_entry) -> Int { Int(entry.flags >> 12 & 3) }

  /// Returns an index that was opened; nil if libgit2 can't read it but there is a git program that
  /// may.
  private func readable(_ open: () throws(GitError) -> OpenIndex) throws(GitError) -> OpenIndex? {
    try refuseLostChecksum()
    do throws(GitError) {
      return try open()
    } catch  where gitProgram != nil {
      return nil
    }
  }

  private func add(
    _ path: String, _ id: ObjectID, _ mode: FileMode, to index: OpaquePointer, action: String
  ) throws(GitError) {
    var entry = git_index_entry()
    entry.id = id.oid
    entry.mode = mode.gitMode.rawValue
    if let status = unchangedStatus(of: path, id, mode) {
      entry.mtime = Self.time(status.modified)
      entry.ctime = Self.time(status.changed)
      entry.dev = UInt32(truncatingIfNeeded: status.device)
      entry.ino = UInt32(truncatingIfNeeded: status.inode)
      entry.uid = status.owner
      entry.gid = status.group
      entry.file_size = UInt32(truncatingIfNeeded: status.size)
    } else if let old = git_index_get_bypath(index, path, 0)?.pointee, isAbsent(path) {
      entry.flags = old.flags & UInt16(GIT_INDEX_ENTRY_EXTENDED.rawValue)
      entry.flags_extended = old.flags_extended & UInt16(GIT_INDEX_ENTRY_SKIP_WORKTREE.rawValue)
    }
    let added = path.withCString { name in
      entry.path = name
      return git_index_add(index, &entry)
    }
    try check(added, action, path: path)
  }

  /// Whether the work tree lacks the file; files left out by a sparse checkout stay left out.
  private func isAbsent(_ path: String) -> Bool {
    workTree.map { FileStatus(of: $0 + "/" + path) == nil } ?? true
  }

  /// Returns the status of a work tree file, if it has exactly this content.
  ///
  /// Otherwise nil, so that git reads the file itself and never treats an edit as clean.
  private func unchangedStatus(of path: String, _ id: ObjectID, _ mode: FileMode) -> FileStatus? {
    guard let workTree, mode != .submodule else { return nil }
    let file = workTree + "/" + path
    guard let before = FileStatus(of: file), before.isSymlink == (mode == .symlink),
      before.isSymlink || before.isFile, before.isExecutable == (mode == .executable)
    else { return nil }
    let content = mode == .symlink ? readLink(file, before.size) : readFile(file, before.size)
    guard let content, Repository.blobID(of: content) == id, let after = FileStatus(of: file),
      after.inode == before.inode, after.size == before.size,
      after.modified.tv_sec == before.modified.tv_sec,
      after.modified.tv_nsec == before.modified.tv_nsec
    else { return nil }
    return after
  }

  private static func time(_ time: timespec) -> git_index_time {
    git_index_time(
      seconds: Int32(truncatingIfNeeded: time.tv_sec),
      nanoseconds: UInt32(truncatingIfNeeded: time.tv_nsec))
  }

  /// Clears the size of entries whose file changed without another status, in the second in which the
  /// old index was written.
  ///
  /// With a newer index, git could not see that such a file changed; without a size, it reads the
  /// file again.
  private func smudge(
    _ index: OpaquePointer, since limit: timespec?, action: String
  ) throws(GitError) {
    guard let limit else { return }
    for position in 0..<git_index_entrycount(index) {
      guard let entry = git_index_get_byindex(index, position)?.pointee,
        Int(UInt32(bitPattern: entry.mtime.seconds)) >= Int(limit.tv_sec), entry.file_size > 0,
        Self.stage(of: entry) == 0,
        !isUnchanged(String(cString: entry.path), ObjectID(entry.id), entry.mode)
      else { continue }
      var copy = entry
      copy.file_size = 0
      try check(git_index_add(index, &copy), action, path: indexPath)
    }
  }

  private func isUnchanged(_ path: String, _ id: ObjectID, _ mode: UInt32) -> Bool {
    FileMode(mode).map { unchangedStatus(of: path, id, $0) != nil } ?? false
  }
}

private func readLink(_ path: String, _ size: Int) -> [UInt8]? {
  var bytes = [CChar](repeating: 0, count: size + 1)
  let count = readlink(path, &bytes, bytes.count)
  return count == size ? bytes[..<count].map { UInt8(bitPattern: $0) } : nil
}

/// Returns the content of a file of this size; nil if it can't be read or has another size.
func readFile(_ path: String, _ size: Int) -> [UInt8]? {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  let bytes = [UInt8](unsafeUninitializedCapacity: size + 1) { target, filled in
    while filled <= size {
      let count = read(descriptor, target.baseAddress?.advanced(by: filled), size + 1 - filled)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      filled += count
    }
  }
  return bytes.count == size ? bytes : nil
}

/// An entry of the index.
public struct IndexEntry: Sendable, Hashable {
  /// The path from the root.
  public var path: FilePath
  /// The id of the staged blob.
  public var id: ObjectID
  /// The kind of file.
  public var mode: FileMode
  /// Whether a sparse checkout leaves the file out of the work tree.
  public var isSkipWorktree: Bool
  /// Whether `git add --intent-to-add` added the entry; then no commit has the file.
  public var isIntentToAdd: Bool
  /// The stage: 0 normally; in a conflict 1 for the base, 2 for ours, 3 for theirs.
  public var stage: Int
}
