public import LarderGit
public import LarderModel

/// The result of an undo or a redo.
public struct Undoing: Sendable {
  /// The commit whose change was undone or redone.
  public let command: Commit
  /// Whether it was redone.
  public let isRedo: Bool
  /// The household before, with edits adopted.
  public let before: Household
  public let writing: Writing
}
