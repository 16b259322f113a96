internal import Libc

/// The lock for changing the credentials, across processes.
///
/// The system releases it when the process ends.
struct CredentialsLock: ~Copyable, Sendable {
  private let descriptor: Int32

  /// Takes the lock, waiting without blocking a thread.
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
      // In its own task: in a cancelled task, sleeping returns at once.
      await Task { try? await Task.sleep(for: .milliseconds(Int.random(in: 5...25))) }.value
    }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }
}

extension Duration {
  /// The duration in whole milliseconds, clamped to the range of `Int64`.
  var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    return overflow ? .max : product &+ attoseconds / 1_000_000_000_000_000
  }
}
