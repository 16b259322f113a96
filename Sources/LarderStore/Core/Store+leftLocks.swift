import LarderGit
internal import Libc

/// A lock file of git that no process seems to hold.
public struct LeftLock: Hashable, Sendable {
  /// The path, absolute.
  public let path: String
  /// Whether larder may remove it: its reference belongs to larder only, or it is too old for a
  /// running git.
  public let isRemovable: Bool
}

extension Store {
  /// Returns locks of references and settings that exist longer than git usually holds one.
  public func leftLocks() -> [LeftLock] {
    guard let repository else { return [] }
    let now = wallClock()
    return repository.lockFiles().compactMap { path in
      guard let state = FileState(of: path), state.kind == .file else { return nil }
      let age = now - state.modified
      guard age > Store.passing else { return nil }
      let isOwn = path.hasPrefix(repository.commonDirectory + "/refs/larder/")
      return LeftLock(path: path, isRemovable: isOwn || age > Store.longest)
    }
  }

  /// Removes the removable locks of ``leftLocks()``.
  public func removeLeftLocks() throws(StoreError) {
    let lock = try locked()
    defer { lock.release() }
    for left in leftLocks() where left.isRemovable { try SystemFile.remove(left.path) }
  }

  /// The time in nanoseconds for which git may hold a lock of a reference or its settings on a slow
  /// disk: 2 s.
  private static let passing: Int64 = 2_000_000_000
  /// The time in nanoseconds after which no running git holds a lock: an hour.
  private static let longest: Int64 = 3_600_000_000_000

  /// Moves one of larder's own references, with a journal, so that the lock of a killed process is
  /// recognized as larder's.
  func moveOwn(_ move: Transaction.Move, reason: String, by author: Signature) throws(StoreError) {
    let lock = try locked()
    defer { lock.release() }
    try run(Transaction(move: move, files: []), reason: reason, by: author)
  }

  /// Removes the lock of one of larder's own references.
  ///
  /// Larder moves these under the household's lock only, so the holder of that lock left none of
  /// them. Git locks them for moments when it packs references; this waits for that.
  func removeLeftLock(of name: String, _ repository: Repository) throws(GitError) {
    guard name.hasPrefix("refs/larder/") else { return }
    let path = repository.lockPath(of: name)
    var waited: Int64 = 0
    while FileState(of: path)?.kind == .file {
      if waited > Store.passing / 1_000_000 {
        do throws(StoreError) {
          return try SystemFile.remove(path)
        } catch {
          throw GitError(
            .locked, action: "move a reference", detail: "its lock can't be removed", path: path)
        }
      }
      pause(milliseconds: 50)
      waited += 50
    }
  }
}
