/// A path on which two sides differ and nothing could decide.
public struct MergeConflict: Sendable, Hashable {
  /// The path from the root.
  public var path: String
  /// The file in the common base; nil when there was none.
  public var base: TreeEntry?
  /// The file on our side; nil when we removed it or never had it.
  public var ours: TreeEntry?
  /// The file on their side; nil when they removed it or never had it.
  public var theirs: TreeEntry?
}
