public import LarderGit
public import LarderModel

/// A value that lost in a merge, and who had written it.
public struct LostWrite: Sendable {
  public let value: LostValue
  public let merge: Commit
  /// The commit that wrote what lost; nil where none says so.
  public let lostBy: Commit?
  /// The commit that wrote what stands; nil where none says so.
  public let keptBy: Commit?
}
