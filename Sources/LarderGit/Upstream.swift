/// The branch of a remote that a local branch follows.
public struct Upstream: Sendable, Hashable {
  /// The remote's name, such as `origin`.
  public var remote: String
  /// The full name of the branch over there, such as `refs/heads/main`.
  public var reference: String
  /// The local reference that remembers it, such as `refs/remotes/origin/main`.
  ///
  /// Nil when the remote's fetch rules don't keep that branch. The reference need not exist yet.
  public var tracking: String?

  /// The branch's short name over there.
  public var branch: String {
    reference.hasPrefix("refs/heads/")
      ? String(reference.dropFirst("refs/heads/".count)) : reference
  }
}
