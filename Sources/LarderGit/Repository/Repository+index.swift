import Clibgit2
public import LarderText
internal import Libc

/// Git's index: read by libgit2, and written by the git program, or by libgit2 where there is none.
extension Repository {
  /// Returns all entries of the index, ordered by the bytes of their paths and then by stage.
  ///
  /// The git program reads a split or sparse index, which libgit2 can't.
  public func indexEntries() throws(GitError) -> [IndexEntry] {
    try refuseLostChecksum()
    do throws(GitError) {
      let index = try openIndex(indexPath)
      return (0..<git_index_entrycount(index.pointer)).compactMap { position in
        git_index_get_byindex(index.pointer, position).flatMap { IndexEntry($0.pointee) }
      }
    } catch  where gitProgram != nil {
      let words = ["ls-files", "--stage", "-t", "-z"]
      let list = try runGit(words, onIndex: indexPath, action: "read the index")
      return list.split(separator: "\0").compactMap { IndexEntry($0) }
    }
  }

  /// Sets the index entries of some paths, or removes them with nil.
  ///
  /// All other staged entries stay.
  ///
  /// Conflict entries of these paths are removed. Git reads the files once, when it looks at them next:
  /// noting their status here would let it look at all files. Throws `locked`, with the
  /// lock file's path, if another process writes the index or died while writing.
  public func refreshIndex(_ paths: [FilePath: (ObjectID, FileMode)?]) throws(GitError) {
    guard !paths.isEmpty else { return }
    let action = "refresh the index"
    let lock = try IndexLock(indexPath, action: action)
    try refuseLostChecksum()
    if gitProgram == nil {
      try setByLibrary(paths, in: lock, action: action)
    } else {
      try setByGit(paths, in: lock.draftPath, action: action)
    }
    try lock.release()
  }

  func openIndex(_ path: String) throws(GitError) -> Handle<OpaquePointer> {
    try Handle("read the index", path: path, free: { git_index_free($0) }) {
      git_index_open($0, path)
    }
  }
}

// MARK: - By the git program

extension Repository {
  /// The most bytes of entries that are arguments of one process; systems allow for a megabyte or more.
  private static let mostArguments = 250_000

  private func setByGit(
    _ paths: [FilePath: (ObjectID, FileMode)?], in index: String, action: String
  ) throws(GitError) {
    let leftOut = try pathsLeftOut(of: paths)
    var rest = Array(paths)[...]
    while !rest.isEmpty {
      var words = ["update-index", "-q", "--add", "--replace"]
      var removed: [String] = []
      var room = Self.mostArguments
      while room > 0, let (path, value) = rest.popFirst() {
        room -= path.utf8.count + 64
        if let (id, mode) = value {
          words += ["--cacheinfo", "\(String(mode.number, radix: 8)),\(id.hex),\(path)"]
        } else if !Self.isImpossible(path) {
          removed.append(path.text)
        }
      }
      try runGit(words + ["--force-remove", "--"] + removed, onIndex: index, action: action)
    }
    guard !leftOut.isEmpty else { return }
    let words = ["update-index", "--skip-worktree", "--"] + leftOut.map(\.text)
    try runGit(words, onIndex: index, action: action)
  }

  /// Whether no index of git's can have a path, and git refuses to remove it from there: a tree of
  /// somebody's may say any.
  private static func isImpossible(_ path: FilePath) -> Bool {
    path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).contains {
      name in
      ["", ".", "..", ".git"].contains { name.elementsEqual($0.utf8) }
    }
  }

  /// Returns those of some paths that a sparse checkout leaves out of the work tree, and that are set.
  private func pathsLeftOut(
    of paths: [FilePath: (ObjectID, FileMode)?]
  ) throws(GitError) -> [FilePath] {
    let absent = paths.filter { path, value in
      value != nil && workTree.map { FileStatus(of: "\($0)/\(path)") == nil } ?? false
    }
    guard !absent.isEmpty, FileStatus(of: indexPath) != nil else { return [] }
    return try indexEntries().filter { $0.isSkipWorktree && absent.keys.contains($0.path) }
      .map(\.path)
  }

  /// Runs git on an index file, and returns its output.
  @discardableResult
  private func runGit(
    _ arguments: [String], onIndex index: String, action: String
  ) throws(GitError) -> String {
    let outcome = try runGit(arguments, settings: ["GIT_INDEX_FILE=" + index], action: action)
    if outcome.status == 0 { return outcome.output }
    throw RemoteFailure.error(outcome, action: action, path: indexPath)
  }
}

// MARK: - By libgit2

extension Repository {
  /// Sets entries without the status of their files, which git reads the next time it looks at them.
  private func setByLibrary(
    _ paths: [FilePath: (ObjectID, FileMode)?], in lock: IndexLock, action: String
  ) throws(GitError) {
    let index = try openIndex(lock.draftPath)
    try distrustLateEntries(of: index.pointer, since: lock.modified, action: action)
    for (path, value) in paths {
      let old = git_index_get_bypath(index.pointer, path.text, 0)?.pointee
      for stage: Int32 in 0...3 {
        let status = git_index_remove(index.pointer, path.text, stage)
        if status != GIT_ENOTFOUND.rawValue { try check(status, action, path: path.text) }
      }
      guard let (id, mode) = value else { continue }
      // Plain git may have staged a folder of that name.
      try check(git_index_remove_directory(index.pointer, path.text, 0), action, path: path.text)
      var entry = git_index_entry()
      entry.id = id.oid
      entry.mode = mode.number
      if let old, old.flags_extended & IndexEntry.skipWorktree != 0 {
        entry.flags = UInt16(GIT_INDEX_ENTRY_EXTENDED.rawValue)
        entry.flags_extended = IndexEntry.skipWorktree
      }
      let added = path.text.withCString { name in
        entry.path = name
        return git_index_add(index.pointer, &entry)
      }
      try check(added, action, path: path.text)
    }
    try check(git_index_write(index.pointer), action, path: indexPath)
  }

  /// Clears the size of entries whose file may have changed without another status, because it did so
  /// in the second in which the index was written.
  ///
  /// Without a size, git reads the file; by a newer index, it would not know that it has to.
  private func distrustLateEntries(
    of index: OpaquePointer, since written: timespec?, action: String
  ) throws(GitError) {
    guard let written else { return }
    for position in 0..<git_index_entrycount(index) {
      guard var entry = git_index_get_byindex(index, position)?.pointee,
        Int(UInt32(bitPattern: entry.mtime.seconds)) >= Int(written.tv_sec), entry.file_size > 0
      else { continue }
      entry.file_size = 0
      try check(git_index_add(index, &entry), action, path: indexPath)
    }
  }
}

// MARK: - Damage

extension Repository {
  /// Returns the reason why the index can't be read.
  ///
  /// Nil if it can, or if only the git program reads its format.
  public func indexDamage() -> GitError? {
    guard FileStatus(of: indexPath) != nil else { return nil }
    do throws(GitError) {
      if try hasNoChecksum() { return try isChecksumLeftOut() ? nil : lostChecksum }
      _ = try openIndex(indexPath)
      return nil
    } catch {
      return error.detail.contains("mandatory extension") ? nil : error
    }
  }

  /// Throws if the index ends with zeros that git did not write there.
  ///
  /// A power cut leaves them. git from version 2.40 on and libgit2 from 1.7 on take any index with zeros
  /// in the place of its checksum for whole, and would show the files that it lost as deleted.
  private func refuseLostChecksum() throws(GitError) {
    if try hasNoChecksum(), try !isChecksumLeftOut() { throw lostChecksum }
  }

  /// Whether the last bytes of the index, which are its checksum, are zeros.
  func hasNoChecksum() throws(GitError) -> Bool {
    let length = 20
    guard let status = FileStatus(of: indexPath), status.isFile, status.size > length else {
      return false
    }
    guard let file = fopen(indexPath, "r") else {
      throw GitError.system(action: "read the index", path: indexPath)
    }
    defer { fclose(file) }
    var sum = [UInt8](repeating: 1, count: length)
    return fseek(file, status.size - length, SEEK_SET) == 0
      && fread(&sum, 1, length, file) == length && sum.allSatisfy { $0 == 0 }
  }

  /// Whether git is set to write no checksum, which it can from version 2.40 on.
  func isChecksumLeftOut() throws(GitError) -> Bool {
    for key in ["index.skipHash", "feature.manyFiles"] {
      var flag: Int32 = 0
      if let value = try configuration(key), git_config_parse_bool(&flag, value) == 0 {
        return flag == 1
      }
    }
    return false
  }

  private var lostChecksum: GitError {
    GitError(
      .other(0), action: "read the index", detail: "zeros are in the place of its checksum",
      path: indexPath)
  }
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

  fileprivate static let skipWorktree = UInt16(GIT_INDEX_ENTRY_SKIP_WORKTREE.rawValue)
  private static let intentToAdd = UInt16(GIT_INDEX_ENTRY_INTENT_TO_ADD.rawValue)

  fileprivate init?(_ entry: git_index_entry) {
    guard let mode = FileMode(entry.mode) else { return nil }
    path = FilePath(String(cString: entry.path))
    id = ObjectID(entry.id)
    self.mode = mode
    isSkipWorktree = entry.flags_extended & Self.skipWorktree != 0
    isIntentToAdd = entry.flags_extended & Self.intentToAdd != 0
    stage = Int(entry.flags >> 12 & 3)
  }

  /// Parses git's `TAG MODE ID STAGE<tab>PATH`, which does not say what is only intended to be added.
  fileprivate init?(_ line: Substring) {
    guard let tab = line.firstIndex(of: "\t") else { return nil }
    let words = line[..<tab].split(separator: " ")
    guard words.count == 4, let number = UInt32(words[1], radix: 8), let stage = Int(words[3]),
      let mode = FileMode(number), let id = ObjectID(hex: String(words[2]))
    else { return nil }
    path = FilePath(String(line[line.index(after: tab)...]))
    self.id = id
    self.mode = mode
    isSkipWorktree = words[0] == "S"
    isIntentToAdd = false
    self.stage = stage
  }
}
