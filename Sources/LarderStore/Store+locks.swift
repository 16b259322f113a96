internal import LarderGit

/// A lock file of git's that nobody seems to hold.
public struct LeftLock: Hashable, Sendable {
  /// Absolute.
  public let path: String
  /// Whether larder removes it: on a reference that larder alone moves, or so old that no git still
  /// holds it.
  public let isRemovable: Bool
}

extension Store {
  /// Locks of references and settings that lie there for longer than git ever holds one in passing.
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

  /// Removes the locks that ``leftLocks()`` calls removable.
  public func removeLeftLocks() throws(StoreError) {
    let lock = try locked()
    defer { lock.release() }
    for left in leftLocks() where left.isRemovable { try SystemFile.remove(left.path) }
  }

  /// Nanoseconds for which git may hold a reference's lock, or that of its settings, on a slow disk.
  private static let passing: Int64 = 2_000_000_000
  /// Nanoseconds past which no git holds one: an hour.
  private static let longest: Int64 = 3_600_000_000_000

  /// Moves a reference of larder's own, with a journal, so that the lock of one who was killed is known
  /// for ours.
  func moveOwn(_ move: Transaction.Move, reason: String, by author: Signature) throws(StoreError) {
    let lock = try locked()
    defer { lock.release() }
    try run(Transaction(move: move, files: []), reason: reason, by: author)
  }

  /// Removes the lock of a reference that larder alone moves, which it does under the household's lock:
  /// whoever holds that one has left none of these.
  ///
  /// Git takes it for moments, when it packs references; these are waited for.
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
