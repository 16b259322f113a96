/// A commit in which a file became different.
public struct FileVersion: Sendable, Hashable {
  /// The commit that changed the file.
  public var commit: Commit
  /// The path that the file had in that commit; for a removal, the path it had before.
  public var path: String
  /// The content that the commit gave it; nil when the commit removed the file, or put a link or
  /// another repository in its place.
  public var blob: ObjectID?
}
