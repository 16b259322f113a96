public import LarderGit
public import LarderModel

/// The reason why nothing was undone or redone; nothing was changed.
public enum UndoError: Error, Sendable {
  /// The direction: an undo, or the redo of an undo.
  public enum Direction: Sendable {
    case undo, redo
  }

  /// This device has done nothing that could be undone or redone.
  case nothing(Direction, device: String)
  case unknownRevision(String)
  /// A merge only joins changes of other commits, and a sync with a cloud those of other devices.
  case isMerge(Commit)
  /// The first commit of the household.
  case startsHousehold(Commit)
  /// A command of which nothing is left, or that changed nothing of the household.
  case nothingLeft(Direction, Commit)
  /// An undo or redo would lose later writes.
  case changedSince(Direction, Commit, [LaterChange], in: Household)
}

/// A write after a command that prevents its undo, and the write's commit.
public struct LaterChange: Sendable {
  public let write: LaterWrite
  /// Nil if no commit is known to have made the write.
  public let commit: Commit?
}
