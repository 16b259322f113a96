/// A version of a file: a commit that changed it.
public struct FileVersion: Sendable, Hashable {
  /// The commit that changed the file.
  public var commit: Commit
  /// The path of the file in that commit; for a removal, the path before it.
  public var path: String
  /// The content after the commit.
  ///
  /// Nil if the commit removed the file, or replaced it by a link or a submodule.
  public var blob: ObjectID?
}
