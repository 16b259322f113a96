/// The remote branch that a local branch follows.
public struct Upstream: Sendable, Hashable {
  /// The remote's name, such as `origin`.
  public var remote: String
  /// The full name of the branch on the remote, such as `refs/heads/main`.
  public var reference: String
  /// The local tracking reference, such as `refs/remotes/origin/main`.
  ///
  /// Nil if the remote's fetch refspecs don't include the branch. The reference may not exist yet.
  public var tracking: String?

  /// The branch's short name on the remote.
  public var branch: String {
    reference.hasPrefix("refs/heads/")
      ? String(reference.dropFirst("refs/heads/".count)) : reference
  }
}
