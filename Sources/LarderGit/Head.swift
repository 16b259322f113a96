/// The value of HEAD.
public enum Head: Sendable, Hashable {
  /// A branch without any commit yet; `branch` is its short name.
  case unborn(branch: String)
  /// A branch by its short name (`main`), and its commit.
  case branch(name: String, ObjectID)
  /// A commit, without a branch.
  case detached(ObjectID)

  /// The commit that is checked out; nil on an unborn branch.
  public var commit: ObjectID? {
    switch self {
    case .unborn: nil
    case .branch(_, let commit), .detached(let commit): commit
    }
  }
}
