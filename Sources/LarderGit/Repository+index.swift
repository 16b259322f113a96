internal import Clibgit2

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

extension Repository {
  /// All lines of the index, in the order of their paths' bytes and then of their stages.
  public func indexEntries() throws(GitError) -> [IndexEntry] {
    guard let index = try openIndex(indexPath, action: "read the index") else {
      return try indexEntriesByGit()
    }
    return (0..<git_index_entrycount(index.pointer)).compactMap { position in
      guard let entry = git_index_get_byindex(index.pointer, position)?.pointee,
        let mode = FileMode(entry.mode)
      else { return nil }
      let flags = UInt32(entry.flags_extended)
      return IndexEntry(
        path: String(cString: entry.path), id: ObjectID(entry.id), mode: mode,
        isSkipWorktree: flags & GIT_INDEX_ENTRY_SKIP_WORKTREE.rawValue != 0,
        isIntentToAdd: flags & GIT_INDEX_ENTRY_INTENT_TO_ADD.rawValue != 0,
        stage: Self.stage(of: entry))
    }
  }

  /// Sets the index's lines of the given paths, or removes them by nil, and leaves all others as they
  /// are, so that what the user has staged stays staged.
  ///
  /// Lines of a conflict on these paths are removed. A file that holds exactly the given content is
  /// noted as seen, which keeps `git status` quick; any other will be shown as changed. Throws
  /// `locked`, with the lock file's path, when somebody else writes the index or died in doing so.
  public func refreshIndex(_ paths: [String: (ObjectID, FileMode)?]) throws(GitError) {
    guard !paths.isEmpty else { return }
    let action = "refresh the index"
    let lock = try IndexLock(indexPath, action: action)
    guard let index = try openIndex(lock.draftPath, action: action) else {
      lock.abandon()
      return try refreshIndexByGit(paths)
    }
    try smudge(index.pointer, since: lock.modified, action: action)
    let hasConflicts = git_index_has_conflicts(index.pointer) == 1
    for (path, value) in paths {
      let stages: [Int32] = value == nil ? [0, 1, 2, 3] : hasConflicts ? [1, 2, 3] : []
      for stage in stages {
        let status = git_index_remove(index.pointer, path, stage)
        if status != GIT_ENOTFOUND.rawValue { try check(status, action, path: path) }
      }
      guard let (id, mode) = value else { continue }
      // Plain git may have put a folder of that name there.
      try check(git_index_remove_directory(index.pointer, path, 0), action, path: path)
      try add(path, id, mode, to: index.pointer, action: action)
    }
    try check(git_index_write(index.pointer), action, path: indexPath)
    try lock.release()
  }

  private static func stage(of entry: git_index_entry) -> Int { Int(entry.flags >> 12 & 3) }

  /// Nil when libgit2 can't read the index but there is a git program that may.
  private func openIndex(
    _ path: String, action: String
  ) throws(GitError) -> Handle<OpaquePointer>? {
    do throws(GitError) {
      return try Handle(action, path: path, free: { git_index_free($0) }) {
        git_index_open($0, path)
      }
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

  /// What a sparse checkout leaves out stays left out.
  private func isAbsent(_ path: String) -> Bool {
    workTree.map { FileStatus(of: $0 + "/" + path) == nil } ?? true
  }

  /// What the file system says of a file in the work tree, provided that it holds that very content;
  /// otherwise nil, so that git looks into the file itself and an edit is never taken for clean.
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

  /// A file that changed in the very tick in which the old index was written can't be told from an
  /// unchanged one once the index is newer; without its size, git looks into the file again.
  private func smudge(
    _ index: OpaquePointer, since limit: timespec?, action: String
  ) throws(GitError) {
    guard let limit else { return }
    for position in 0..<git_index_entrycount(index) {
      guard let entry = git_index_get_byindex(index, position)?.pointee else { continue }
      let modified = (Int(entry.mtime.seconds), Int(entry.mtime.nanoseconds))
      guard modified >= (limit.tv_sec, limit.tv_nsec), entry.file_size > 0,
        Self.stage(of: entry) == 0
      else { continue }
      var copy = entry
      copy.file_size = 0
      try check(git_index_add(index, &copy), action, path: indexPath)
    }
  }
}

private func readLink(_ path: String, _ size: Int) -> [UInt8]? {
  var bytes = [CChar](repeating: 0, count: size + 1)
  let count = readlink(path, &bytes, bytes.count)
  return count == size ? bytes[..<count].map { UInt8(bitPattern: $0) } : nil
}

/// The content of a file that has the given size; nil when it can't be read or has another size.
private func readFile(_ path: String, _ size: Int) -> [UInt8]? {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  var bytes = [UInt8](repeating: 0, count: size + 1)
  var filled = 0
  while filled < bytes.count {
    let count = bytes.withUnsafeMutableBytes { target in
      read(descriptor, target.baseAddress?.advanced(by: filled), target.count - filled)
    }
    if count < 0, errno == EINTR { continue }
    guard count >= 0 else { return nil }
    guard count > 0 else { break }
    filled += count
  }
  return filled == size ? Array(bytes.prefix(size)) : nil
}
