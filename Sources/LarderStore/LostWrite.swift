public import LarderGit
public import LarderModel

/// A value that lost in a merge, and the commits that wrote both values.
public struct LostWrite: Sendable {
  public let value: LostValue
  public let merge: Commit
  /// The commit that wrote the lost value; nil if unknown.
  public let lostBy: Commit?
  /// The commit that wrote the winning value; nil if unknown.
  public let keptBy: Commit?
}
