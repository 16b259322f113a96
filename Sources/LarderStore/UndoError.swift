public import LarderGit
public import LarderModel

/// Why nothing was taken back; nothing was changed.
public enum UndoError: Error, Sendable {
  /// Whether what this device did was to be taken back, or what it had taken back was to return.
  public enum Direction: Sendable {
    case undo, redo
  }

  /// This device has done nothing that could be.
  case nothing(Direction, device: String)
  case unknownRevision(String)
  /// A merge only joins what other commits did, and a sync with a cloud what others did.
  case isMerge(Commit)
  /// The commit that the household began with.
  case startsHousehold(Commit)
  /// A command of which nothing stands any more, or that changed nothing of the household.
  case nothingLeft(Direction, Commit)
  /// Taking the command back, or bringing it back, would lose what was written after it.
  case changedSince(Direction, Commit, [LaterChange], in: Household)
}

/// What stands in the way of an undo: a write after it, and the commit that made it.
public struct LaterChange: Sendable {
  public let write: LaterWrite
  /// Nil where no commit says it made the write.
  public let commit: Commit?
}
