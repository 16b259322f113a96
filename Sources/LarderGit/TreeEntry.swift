/// A file in a tree.
public struct TreeEntry: Sendable, Hashable {
  /// The path from the root, with `/` between folders; read as UTF-8 with damaged bytes replaced.
  public var path: String
  /// The blob, or the commit when the mode is `submodule`.
  public var id: ObjectID
  /// The kind of file.
  public var mode: FileMode

  /// Names a file in a tree.
  public init(path: String, id: ObjectID, mode: FileMode) {
    self.path = path
    self.id = id
    self.mode = mode
  }
}
