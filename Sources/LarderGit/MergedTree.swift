/// The result of merging two trees.
public struct MergedTree: Sendable, Hashable {
  /// The merged tree.
  ///
  /// At each path in conflict, it has our file. If we have none, it has theirs, unless a file or
  /// folder of ours has that path.
  public var tree: ObjectID
  /// The paths in conflict, ordered by their bytes; empty after a clean merge.
  public var conflicts: [MergeConflict]
}
