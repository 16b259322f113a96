#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The index's lock file, held as git holds it: nobody else writes the index until it is released.
///
/// libgit2 itself reads first and locks last, and would lose what `git add` staged in between.
final class IndexLock {
  private let action: String
  private let path: String
  private let lockPath: String
  private var isHeld = true

  /// Where the new index is prepared; begins as the old one.
  let draftPath: String
  /// When the old index was written; nil when there was none.
  let modified: timespec?

  /// Throws `locked` with the lock file's path when somebody else holds it.
  init(_ path: String, action: String) throws(GitError) {
    self.action = action
    self.path = path
    lockPath = path + ".lock"
    draftPath = path + ".larder-\(getpid())"
    let descriptor = open(lockPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      throw GitError.system(errno == EEXIST ? .locked : nil, action: action, path: lockPath)
    }
    close(descriptor)
    modified = FileStatus(of: path)?.modified
    unlink(draftPath)
    // libgit2 replaces the file that it writes, so a second name of the index is as good as a copy.
    guard modified == nil || link(path, draftPath) == 0 else {
      throw GitError.system(action: action, path: draftPath)
    }
  }

  /// Puts the draft in the place of the index, and so releases the lock.
  func release() throws(GitError) {
    guard rename(draftPath, lockPath) == 0, rename(lockPath, path) == 0 else {
      throw GitError.system(action: action, path: path)
    }
    isHeld = false
  }

  /// Releases the lock and leaves the index as it is.
  func abandon() {
    guard isHeld else { return }
    isHeld = false
    unlink(draftPath)
    unlink(lockPath)
  }

  deinit {
    abandon()
  }
}
