/// A line of the index, where the user stages what the next commit shall hold.
public struct IndexEntry: Sendable, Hashable {
  /// The path from the root.
  public var path: String
  /// The staged blob.
  public var id: ObjectID
  /// The kind of file.
  public var mode: FileMode
  /// Whether a sparse checkout leaves the file out of the work tree.
  public var isSkipWorktree: Bool
  /// Whether `git add --intent-to-add` only announced the file, which no commit has then.
  public var isIntentToAdd: Bool
  /// 0 normally; in a conflict 1 for the base, 2 for ours, 3 for theirs.
  public var stage: Int
}
