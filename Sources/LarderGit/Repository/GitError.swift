import Clibgit2
internal import Libc

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
    /// The program that signs commits did not sign.
    case unsigned
    /// There is no git program, which remotes need.
    case noProgram
    /// The repository has SHA-256 ids, or is like one that has.
    case otherHash
    /// The repository uses an extension of git's that this library can't read.
    case otherFormat
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

extension GitError {
  /// Returns the error that the operating system just reported in `errno`.
  static func system(_ code: Code? = nil, action: String, path: String?) -> GitError {
    let number = errno
    let isFull = number == ENOSPC || number == EDQUOT
    return GitError(
      code ?? (isFull ? .noRoom : .other(number)), action: action,
      detail: String(cString: strerror(number)), path: path)
  }
}

extension GitError {
  /// Returns the error that libgit2 just reported with `status`.
  ///
  /// Call it before any other libgit2 function: the message is kept per thread and soon
  /// overwritten.
  static func last(_ status: Int32, action: String, path: String? = nil) -> GitError {
    let number = errno
    var detail = ""
    var kind: Int32 = 0
    // From version 1.8 on, libgit2 has an error of no class that says "no error".
    if let error = git_error_last(), error.pointee.klass != GIT_ERROR_NONE.rawValue {
      kind = error.pointee.klass
      if let message = error.pointee.message { detail = String(cString: message) }
    }
    if detail.isEmpty { detail = reason(status, number) }
    return GitError(
      isRoomMissing(detail) ? .noRoom : code(of: status, kind: kind), action: action,
      detail: detail, path: path)
  }

  /// Returns the system's error if libgit2 gives no message.
  private static func reason(_ status: Int32, _ number: Int32) -> String {
    number == 0
      ? "libgit2 gave \(status) and no reason"
      : "libgit2 gave \(status), and the system's last word was: \(String(cString: strerror(number)))"
  }

  /// Whether the disk is full; libgit2 ends its messages with the system's message.
  private static func isRoomMissing(_ detail: String) -> Bool {
    [ENOSPC, EDQUOT].contains { detail.hasSuffix(String(cString: strerror($0))) }
  }

  /// Whether the folder for a new file was missing.
  var isMissingFolder: Bool { detail.hasSuffix(String(cString: strerror(ENOENT))) }

  private static func code(of status: Int32, kind: Int32) -> Code {
    switch status {
    case GIT_ENOTFOUND.rawValue: .notFound
    case GIT_EEXISTS.rawValue: .exists
    case GIT_ENONFASTFORWARD.rawValue: .notFastForward
    case GIT_ELOCKED.rawValue: .locked
    case GIT_EOWNER.rawValue: .ownership
    case GIT_ECONFLICT.rawValue, GIT_EMODIFIED.rawValue, GIT_EMERGECONFLICT.rawValue: .conflict
    case GIT_EINVALIDSPEC.rawValue, GIT_EAMBIGUOUS.rawValue, GIT_EINVALID.rawValue,
      GIT_EBAREREPO.rawValue, GIT_EPEEL.rawValue, GIT_EDIRECTORY.rawValue:
      .invalid
    case GIT_EAUTH.rawValue: .authentication
    case GIT_ECERTIFICATE.rawValue: .unreachable
    default: code(ofKind: kind, status: status)
    }
  }

  /// Most failures are -1; only their class, the part of libgit2, tells them apart.
  private static func code(ofKind kind: Int32, status: Int32) -> Code {
    switch UInt32(bitPattern: kind) {
    case GIT_ERROR_INVALID.rawValue, GIT_ERROR_TREE.rawValue: .invalid
    case GIT_ERROR_NET.rawValue, GIT_ERROR_SSL.rawValue, GIT_ERROR_HTTP.rawValue: .unreachable
    case GIT_ERROR_SSH.rawValue: .authentication
    default: .other(status)
    }
  }
}

/// Throws if a libgit2 status is below zero; `path` is the object of the action.
func check(_ status: Int32, _ action: String, path: String? = nil) throws(GitError) {
  guard status < 0 else { return }
  throw GitError.last(status, action: action, path: path)
}
