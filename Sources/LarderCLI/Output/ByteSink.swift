import Synchronization
import Libc

/// An output stream of bytes that writes them completely and in order.
///
/// Writing never throws: the first failure is kept, and later output is dropped. So a command
/// finishes its work even if a reader closes the pipe early.
final class ByteSink: Sendable {
  /// Tries to write, and returns the number of bytes written or the negative error number.
  typealias Attempt = @Sendable (UnsafeRawBufferPointer) -> Int

  private let attempt: Attempt
  /// Waits until more can be written.
  private let wait: @Sendable () -> Void
  private let firstFailure = Mutex<Int32?>(nil)

  init(attempt: @escaping Attempt, wait: @escaping @Sendable () -> Void = {}) {
    self.attempt = attempt
    self.wait = wait
  }

  /// Creates a sink for a file descriptor, which the caller closes.
  convenience init(descriptor: Int32) {
    self.init(
      attempt: { bytes in
        let count = Libc.write(descriptor, bytes.baseAddress, bytes.count)
        return count < 0 ? -Int(errno) : count
      },
      wait: {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&entry, 1, -1)
      })
  }

  /// The error number of the write that failed, or nil.
  var failure: Int32? { firstFailure.withLock { $0 } }

  /// Writes all bytes, in as many attempts as necessary.
  func write(_ bytes: [UInt8]) {
    firstFailure.withLock { failure in
      guard failure == nil else { return }
      bytes.withUnsafeBytes { buffer in
        failure = writeAll(buffer)
      }
    }
  }

  private func writeAll(_ buffer: UnsafeRawBufferPointer) -> Int32? {
    var rest = buffer[...]
    while !rest.isEmpty {
      let count = attempt(UnsafeRawBufferPointer(rebasing: rest))
      if count >= 0 {
        rest = rest.dropFirst(count)
        continue
      }
      switch Int32(-count) {
      case EINTR: continue
      case EAGAIN: wait()
      case let error: return error
      }
    }
    return nil
  }
}
