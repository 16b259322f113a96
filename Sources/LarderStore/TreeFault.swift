public import LarderGit
public import LarderModel

/// Content of a tree that is not allowed in a household.
public struct TreeFault: Hashable, Sendable {
  public enum Reason: Hashable, Sendable {
    /// The path is not allowed.
    case path(PathFault)
    /// A symbolic link among the household's own files.
    case link
    /// A submodule among the household's own files.
    case submodule
    /// An executable file among the household's own files.
    case executable
    /// A file in the place of one of the household's folders.
    case notAFolder
    /// A folder in the place of `household.json`.
    case notAFile
    /// A file is larger than accepted from others.
    case tooLarge(bytes: Int)
    /// A folder has more files than accepted from others.
    case tooMany
    /// A folder lists a name twice or out of order.
    case disorder
  }

  /// The path from the household's root; damaged bytes are replaced.
  public let path: String
  public let reason: Reason
}

/// A commit that is not followed, with the reasons.
public struct RefusedCommit: Error, Hashable, Sendable {
  public let commit: Commit
  /// The faults of its tree, at most the first hundred.
  public let faults: [TreeFault]

  /// The maximum number of reported faults.
  static let most = 100
}
