public import LarderGit
public import LarderModel

/// What an undo or a redo came to.
public struct Undoing: Sendable {
  /// The commit whose change was taken back, or brought back.
  public let command: Commit
  /// Whether it was brought back.
  public let isRedo: Bool
  /// The household before, with what people had edited adopted.
  public let before: Household
  public let writing: Writing
}
