/// A file in a tree.
public struct TreeEntry: Sendable, Hashable {
  /// The path from the root, with `/` between folders.
  ///
  /// Read as UTF-8; damaged bytes are replaced.
  public var path: String
  /// The blob, or the commit if the mode is `submodule`.
  public var id: ObjectID
  /// The kind of file.
  public var mode: FileMode

  /// Creates a tree entry.
  public init(path: String, id: ObjectID, mode: FileMode) {
    self.path = path
    self.id = id
    self.mode = mode
  }
}
