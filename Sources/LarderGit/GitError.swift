/// A failure of git: what was tried, why it failed, and what it was about.
public struct GitError: Error, Sendable, Hashable {
  /// The kinds of failure that a caller may want to tell apart.
  public enum Code: Sendable, Hashable {
    /// The repository, object, reference or remote doesn't exist.
    case notFound
    /// Something of that name is there already.
    case exists
    /// The remote branch holds commits that the pushed one doesn't contain.
    case notFastForward
    /// A lock file is in the way; `path` names it. It may be stale, but it is never removed here.
    case locked
    /// The repository belongs to another user, and git's `safe.directory` doesn't allow it.
    case ownership
    /// The clone is shallow, and the history asked for ends at its boundary.
    case shallow
    /// Something changed in between: a reference isn't where it was expected.
    case conflict
    /// A name, path or object is malformed, or doesn't fit together with another.
    case invalid
    /// A tree has more items than are ever read at once.
    case tooLarge
    /// The remote side understood and said no: a hook, a checked-out branch, a missing permission.
    case refused
    /// The remote can't be reached, doesn't answer, or ended in the middle.
    case unreachable
    /// There is no repository at the remote's address.
    case noRepository
    /// The remote wants to know who asks, and wasn't satisfied.
    case authentication
    /// An SSH server's key isn't known on this machine yet.
    case unknownHostKey
    /// An SSH server's key isn't the one that this machine knows.
    case changedHostKey
    /// Nobody whom this machine trusts vouches for an HTTPS server's certificate.
    case untrustedCertificate
    /// The disk or the quota is full: over there for a push, else here.
    case noRoom
    /// There is no git program, which remotes on other machines need.
    case noProgram
    /// Anything else: libgit2's return value, or the exit status of the git program.
    case other(Int32)
  }

  /// The kind of failure.
  public var code: Code
  /// What was tried, to follow "could not": `open the repository`.
  public var action: String
  /// The words of libgit2 or git themselves, in English, without a final full stop or newline.
  public var detail: String
  /// The file, folder, reference or URL it was about, when there is one.
  public var path: String?

  /// Puts the facts of a failure together.
  public init(_ code: Code, action: String, detail: String, path: String? = nil) {
    self.code = code
    self.action = action
    self.detail = detail
    self.path = path
  }
}
