internal import LarderGit
internal import LarderModel
internal import LarderText
internal import Libc

extension Store {
  /// The disk space of loose objects above which they are packed, in bytes: 16 MiB, after about 700
  /// commands.
  public static let mostLooseBytes = 16 << 20

  /// The file that marks the start of packing; it stays if packing failed or did not help.
  private static let markName = "tidying"

  /// Whether there are so many loose objects that packing is useful, by an estimate that takes a
  /// millisecond.
  ///
  /// Never if git's `gc.auto` is 0, and not for a day after an attempt that failed or did not help.
  public func isUntidy(past limit: Int = Store.mostLooseBytes) throws(StoreError) -> Bool {
    let bytes = try git { repository throws(GitError) in
      try repository.estimatedLooseObjectBytes()
    }
    guard bytes > limit, try setting("gc.auto") != "0" else { return false }
    guard let mark = deviceFolder.flatMap({ FileState(of: $0 + "/" + Self.markName) }) else {
      return true
    }
    let day: Int64 = 86_400_000
    return context.now().milliseconds > mark.modified / 1_000_000 + day
  }

  /// Packs the loose objects, because git does not do it automatically here.
  ///
  /// Returns false if another process is packing.
  ///
  /// It may take seconds. Other processes may read and write in the meantime, and a kill loses
  /// nothing.
  public func tidy() throws(StoreError) -> Bool {
    guard let folder = deviceFolder else { throw .notARepository(root: root) }
    let lock: HouseholdLock
    do {
      lock = try HouseholdLock(folder: folder, name: "tidy-lock", patience: 0)
    } catch .locked {
      return false
    }
    defer { lock.release() }
    let mark = folder + "/" + Self.markName
    try SystemFile.write([], to: mark, durably: false)
    let before = try git { repository throws(GitError) in try repository.looseObjectBytes() }
    try git { repository throws(GitError) in try repository.pack() }
    let after = try git { repository throws(GitError) in try repository.looseObjectBytes() }
    // Unreachable objects stay loose for two weeks.
    if after <= before / 2 { try SystemFile.remove(mark) }
    return true
  }
}

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
      // A lock from the future is of a clock that was set back since.
      guard abs(age) > Store.passing else { return nil }
      let isOwn = path.hasPrefix(repository.commonDirectory + "/refs/larder/")
      let isOld = age > Store.longest || age < 0 && isLeft(lock: path) == true
      return LeftLock(path: path, isRemovable: isOwn || isOld)
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
    guard name.begins(withBytesOf: "refs/larder/") else { return }
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
