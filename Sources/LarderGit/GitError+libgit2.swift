internal import Clibgit2

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

extension GitError {
  /// The failure that libgit2 has just reported by `status`; to be called before any other libgit2
  /// function, for the message is kept per thread and soon overwritten.
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

  /// Where libgit2 says nothing, the system may have.
  private static func reason(_ status: Int32, _ number: Int32) -> String {
    number == 0
      ? "libgit2 gave \(status) and no reason"
      : "libgit2 gave \(status), and the system's last word was: \(String(cString: strerror(number)))"
  }

  /// libgit2 ends its messages with the system's.
  private static func isRoomMissing(_ detail: String) -> Bool {
    [ENOSPC, EDQUOT].contains { detail.hasSuffix(String(cString: strerror($0))) }
  }

  /// Whether the system could not find the place for a new file.
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

  /// Most failures come as -1, told apart only by the part of libgit2 that raised them.
  private static func code(ofKind kind: Int32, status: Int32) -> Code {
    switch UInt32(bitPattern: kind) {
    case GIT_ERROR_INVALID.rawValue, GIT_ERROR_TREE.rawValue: .invalid
    case GIT_ERROR_NET.rawValue, GIT_ERROR_SSL.rawValue, GIT_ERROR_HTTP.rawValue: .unreachable
    case GIT_ERROR_SSH.rawValue: .authentication
    default: .other(status)
    }
  }
}

/// Turns a libgit2 return value below zero into an error; `path` says what it was about.
func check(_ status: Int32, _ action: String, path: String? = nil) throws(GitError) {
  guard status < 0 else { return }
  throw GitError.last(status, action: action, path: path)
}
