#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

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
