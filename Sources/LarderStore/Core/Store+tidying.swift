internal import LarderGit
internal import LarderModel

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
