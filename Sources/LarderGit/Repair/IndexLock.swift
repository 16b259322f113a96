internal import Libc

/// The index's lock file, as git uses it: nobody else writes the index while it exists.
///
/// libgit2 reads first and locks last, and would lose changes that `git add` staged in between. The
/// lock is a hard link to a file with the process id in its name. So the owner is known even after
/// the process was killed.
final class IndexLock {
  private let action: String
  private let path: String
  private let lockPath: String
  private let claimPath: String
  private var isHeld = true

  /// The path of the new index.
  let draftPath: String
  /// The time of the old index; nil if there was none.
  let modified: timespec?

  /// Throws `locked`, with the lock file's path, if another process holds the lock.
  init(_ path: String, action: String) throws(GitError) {
    self.action = action
    self.path = path
    lockPath = path + ".lock"
    claimPath = Self.prefix(path) + "\(getpid())"
    draftPath = Self.draftPath(path)
    try Self.claim(claimPath, lockPath, action: action)
    modified = FileStatus(of: path)?.modified
    unlink(draftPath)
  }

  /// Makes the draft a copy of the index, if there is one, for libgit2 to change.
  func draftCopy() throws(GitError) {
    // libgit2 replaces the file that it writes, so a hard link to the index is as good as a copy.
    guard modified == nil || link(path, draftPath) == 0 else {
      throw GitError.system(action: action, path: draftPath)
    }
  }

  /// Writes the draft.
  func write(_ bytes: [UInt8]) throws(GitError) {
    let descriptor = open(draftPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw GitError.system(action: action, path: draftPath) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Libc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      rest = rest.dropFirst(count)
    }
    let unwritten = rest.isEmpty ? nil : GitError.system(action: action, path: draftPath)
    // Some file systems report only when a file is closed that they have no room.
    let unclosed = close(descriptor) == 0 ? nil : GitError.system(action: action, path: draftPath)
    if let failure = unwritten ?? unclosed { throw failure }
  }

  private static func claim(
    _ claimPath: String, _ lockPath: String, action: String
  ) throws(GitError) {
    unlink(claimPath)
    let descriptor = open(claimPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw GitError.system(action: action, path: claimPath) }
    close(descriptor)
    guard link(claimPath, lockPath) == 0 else {
      let error = GitError.system(errno == EEXIST ? .locked : nil, action: action, path: lockPath)
      unlink(claimPath)
      throw error
    }
  }

  /// Replaces the index with the draft and releases the lock.
  func release() throws(GitError) {
    guard rename(draftPath, path) == 0, unlink(lockPath) == 0, unlink(claimPath) == 0 else {
      throw GitError.system(action: action, path: path)
    }
    isHeld = false
    // libgit2 links the draft's file to its lock, and ignores a failure to remove the lock.
    unlink(draftPath + ".lock")
  }

  /// Releases the lock without changing the index.
  func abandon() {
    guard isHeld else { return }
    isHeld = false
    unlink(draftPath)
    if unlink(lockPath) == 0 { unlink(claimPath) }
  }

  deinit {
    abandon()
  }

  private static func prefix(_ path: String) -> String { path + ".larder-" }

  /// The path of the draft of an index.
  private static func draftPath(_ path: String) -> String { prefix(path) + "draft" }

  /// Removes files of killed processes that were writing an index, and their lock.
  ///
  /// Locks of other programs stay.
  static func removeLeft(_ path: String) throws(GitError) {
    let action = "unlock the index"
    let prefix = prefix(path)
    let slash = path.lastIndex(of: "/") ?? path.startIndex
    let folder = String(path[..<slash])
    guard let directory = opendir(folder) else {
      throw GitError.system(action: action, path: folder)
    }
    defer { closedir(directory) }
    let lock = FileStatus(of: path + ".lock")
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      let file = folder + "/" + name
      guard file.hasPrefix(prefix) else { continue }
      if let lock, let claim = FileStatus(of: file), claim.inode == lock.inode,
        claim.device == lock.device, unlink(path + ".lock") != 0, errno != ENOENT
      {
        throw GitError.system(action: action, path: path + ".lock")
      }
      guard unlink(file) == 0 || errno == ENOENT else {
        throw GitError.system(action: action, path: file)
      }
    }
  }
}

extension Repository {
  /// Removes the index lock of a killed process, if this library made it.
  ///
  /// Call it only if no other process can be refreshing the index through this library.
  public func removeLeftIndexLock() throws(GitError) {
    try IndexLock.removeLeft(indexPath)
  }
}
