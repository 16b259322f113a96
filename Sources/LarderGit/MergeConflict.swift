/// A path on which two sides differ and that could not be merged.
public struct MergeConflict: Sendable, Hashable {
  /// The path from the root.
  public var path: String
  /// The file in the merge base; nil if there was none.
  public var base: TreeEntry?
  /// The file on our side; nil if we removed it or never had it.
  public var ours: TreeEntry?
  /// The file on their side; nil if they removed it or never had it.
  public var theirs: TreeEntry?
}
