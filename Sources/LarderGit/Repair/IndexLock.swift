internal import Libc

/// The index's lock file, as git uses it: nobody else writes the index while it exists.
///
/// The lock is a hard link to a file with the process id in its name. So the owner is known even
/// after the process was killed. Whoever holds it changes a draft of the index, which takes the
/// index's place in the end; git and libgit2 lock the draft themselves.
final class IndexLock {
  private let action: String
  private let path: String
  private let lockPath: String
  private let claimPath: String
  private var isHeld = true

  /// The path of the new index, which begins as a copy of the old one, if there is one.
  let draftPath: String
  /// The time of the old index; nil if there was none.
  let modified: timespec?

  /// Throws `locked`, with the lock file's path, if another process holds the lock.
  init(_ path: String, action: String) throws(GitError) {
    self.action = action
    self.path = path
    lockPath = path + ".lock"
    claimPath = Self.prefix(path) + "\(getpid())"
    draftPath = claimPath + "-draft"
    try Self.claim(claimPath, lockPath, action: action)
    modified = FileStatus(of: path)?.modified
    unlink(draftPath)
    // Git and libgit2 replace the file that they write, so a hard link is as good as a copy.
    guard modified == nil || link(path, draftPath) == 0 else {
      let error = GitError.system(action: action, path: draftPath)
      abandon()
      throw error
    }
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
    // A draft that nobody changed is still a link to the index, which renaming leaves there; and libgit2
    // ignores a failure to remove its own lock.
    unlink(draftPath)
    unlink(draftPath + ".lock")
  }

  /// Releases the lock without changing the index.
  func abandon() {
    guard isHeld else { return }
    isHeld = false
    unlink(draftPath)
    unlink(draftPath + ".lock")
    if unlink(lockPath) == 0 { unlink(claimPath) }
  }

  deinit {
    abandon()
  }

  private static func prefix(_ path: String) -> String { path + ".larder-" }

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
