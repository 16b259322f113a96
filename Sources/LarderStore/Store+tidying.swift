internal import LarderGit
internal import LarderModel

extension Store {
  /// How much room loose objects may take on the disk before they are packed: 16 MiB, after some 700
  /// commands.
  public static let mostLooseBytes = 16 << 20

  /// Where packing notes that it has begun, and what it leaves where it was of no use.
  private static let markName = "tidying"

  /// Whether so much lies in loose objects that they want packing, by a look that takes a
  /// millisecond.
  ///
  /// Never where git's `gc.auto` is 0, and not for a day after a try that failed or was of no use.
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

  /// Packs the loose objects, which git does not do by itself here; false where another process is
  /// at it.
  ///
  /// It may take seconds. Others may read and write meanwhile, and a process that is killed at it
  /// loses nothing.
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
    // What nobody refers to stays loose for two weeks.
    if after <= before / 2 { try SystemFile.remove(mark) }
    return true
  }
}
