public import LarderGit
public import LarderModel

/// Something in a tree that no household may have.
public struct TreeFault: Hashable, Sendable {
  public enum Reason: Hashable, Sendable {
    /// The path is none that a household may have.
    case path(PathFault)
    /// A symbolic link where the household keeps its own files.
    case link
    /// Another repository where the household keeps its own files.
    case submodule
    /// A program where the household keeps its own files.
    case executable
    /// A file where one of the household's folders belongs.
    case notAFolder
    /// A folder where `household.json` belongs.
    case notAFile
    /// A file larger than is taken from others.
    case tooLarge(bytes: Int)
    /// A folder of more files than are taken from others.
    case tooMany
    /// A folder that lists a name twice, or out of order.
    case disorder
  }

  /// From the household's root, damaged bytes replaced.
  public let path: String
  public let reason: Reason
}

/// A commit that is not followed, and why.
public struct RefusedCommit: Error, Hashable, Sendable {
  public let commit: Commit
  /// What is wrong in its tree, the first hundred of all.
  public let faults: [TreeFault]

  /// How many faults are told, at most.
  static let most = 100
}
