/// A failure of git, with the action, the reason and the path.
public struct GitError: Error, Sendable, Hashable {
  /// The kinds of failure that callers may handle differently.
  public enum Code: Sendable, Hashable {
    /// The repository, object, reference or remote doesn't exist.
    case notFound
    /// The name exists already.
    case exists
    /// The remote branch has commits that the pushed one does not contain.
    case notFastForward
    /// A lock file exists; `path` names it.
    ///
    /// It may be stale, but this library never removes it.
    case locked
    /// The repository belongs to another user, and git's `safe.directory` doesn't allow it.
    case ownership
    /// The clone is shallow, and the requested history ends at its boundary.
    case shallow
    /// A reference has an unexpected value, because something changed it in between.
    case conflict
    /// A name, path or object is malformed, or conflicts with another.
    case invalid
    /// A tree has more items than are read at once.
    case tooLarge
    /// The remote refused: a hook, a checked-out branch, or a missing permission.
    case refused
    /// The remote can't be reached, doesn't answer, or closed the connection early.
    case unreachable
    /// There is no repository at the remote's address.
    case noRepository
    /// The remote requires credentials, and none were accepted.
    case authentication
    /// An SSH server's key is not known on this machine yet.
    case unknownHostKey
    /// An SSH server's key differs from the known one.
    case changedHostKey
    /// An HTTPS server's certificate is not trusted by this machine.
    case untrustedCertificate
    /// The disk or the quota is full: on the remote for a push, otherwise here.
    case noRoom
    /// There is no git program; remotes on other machines need it.
    case noProgram
    /// Any other failure: libgit2's status, or the exit status of the git program.
    case other(Int32)
  }

  /// The kind of failure.
  public var code: Code
  /// The attempted action, worded to follow "could not": `open the repository`.
  public var action: String
  /// The message of libgit2 or git, in English, without a final full stop or newline.
  public var detail: String
  /// The file, folder, reference or URL of the action, if there is one.
  public var path: String?

  /// Creates an error from its facts.
  public init(_ code: Code, action: String, detail: String, path: String? = nil) {
    self.code = code
    self.action = action
    self.detail = detail
    self.path = path
  }
}
