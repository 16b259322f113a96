/// The outcome of merging two trees.
public struct MergedTree: Sendable, Hashable {
  /// The merged tree; at each path in conflict it holds our file, or theirs where we have none
  /// and no file or folder of ours is in its way.
  public var tree: ObjectID
  /// The paths that are left to decide, ordered by their bytes; empty after a clean merge.
  public var conflicts: [MergeConflict]
}
