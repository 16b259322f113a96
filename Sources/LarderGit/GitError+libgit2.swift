internal import Clibgit2

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

extension GitError {
  /// Returns the error that libgit2 just reported with `status`.
  ///
  /// Call it before any other libgit2 function: the message is kept per thread and soon
  /// overwritten.
  static func last(_ status: Int32, action: String, path: String? = nil) -> GitError {
    let number = errno
    var detail = ""
    var kind: Int32 = 0
    if let error = git_error_last() {
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
