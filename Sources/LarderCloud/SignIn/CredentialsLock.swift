#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// The lock that whoever changes the credentials holds, also against other processes; the system lets
/// go of it when the process ends.
struct CredentialsLock: ~Copyable, Sendable {
  private let descriptor: Int32

  /// Waits without keeping a thread.
  init(_ path: String, patience: Duration) async throws(CredentialsError) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .system(action: "lock", path: path, code: errno) }
    let began = ContinuousClock.now
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      let code = errno
      let isOver = ContinuousClock.now - began >= patience
      guard code == EWOULDBLOCK || code == EINTR, !isOver else {
        close(descriptor)
        if isOver { throw .locked(path: path, milliseconds: patience.milliseconds) }
        throw .system(action: "lock", path: path, code: code)
      }
      // In a task of its own: in one that is cancelled, sleeping takes no time.
      await Task { try? await Task.sleep(for: .milliseconds(Int.random(in: 5...25))) }.value
    }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }
}

extension Duration {
  /// Whole milliseconds, held to what an `Int64` can count.
  var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    return overflow ? .max : product &+ attoseconds / 1_000_000_000_000_000
  }
}
