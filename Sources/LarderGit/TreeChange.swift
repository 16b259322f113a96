/// The difference of one path between two trees.
///
/// A renamed file is two changes, a removal and an addition.
public struct TreeChange: Sendable, Hashable {
  /// The path from the root.
  public var path: String
  /// The file in the first tree; nil if it was added.
  public var old: TreeEntry?
  /// The file in the second tree; nil if it was removed.
  public var new: TreeEntry?

  /// Creates a difference.
  public init(path: String, old: TreeEntry?, new: TreeEntry?) {
    self.path = path
    self.old = old
    self.new = new
  }
}
