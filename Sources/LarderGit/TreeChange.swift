/// How one path differs between two trees.
///
/// A renamed file is two changes, one that removes and one that adds.
public struct TreeChange: Sendable, Hashable {
  /// The path from the root.
  public var path: String
  /// The file in the first tree; nil when it was added.
  public var old: TreeEntry?
  /// The file in the second tree; nil when it was removed.
  public var new: TreeEntry?

  /// Names a difference.
  public init(path: String, old: TreeEntry?, new: TreeEntry?) {
    self.path = path
    self.old = old
    self.new = new
  }
}
