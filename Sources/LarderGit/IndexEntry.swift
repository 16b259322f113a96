/// An entry of the index.
public struct IndexEntry: Sendable, Hashable {
  /// The path from the root.
  public var path: String
  /// The id of the staged blob.
  public var id: ObjectID
  /// The kind of file.
  public var mode: FileMode
  /// Whether a sparse checkout leaves the file out of the work tree.
  public var isSkipWorktree: Bool
  /// Whether `git add --intent-to-add` added the entry; then no commit has the file.
  public var isIntentToAdd: Bool
  /// The stage: 0 normally; in a conflict 1 for the base, 2 for ours, 3 for theirs.
  public var stage: Int
}
