internal import Libc

/// A pipe from a child process.
final class Pipe {
  let reading: Int32
  private(set) var writing: Int32

  init(action: String) throws(GitError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw GitError.system(action: action, path: nil) }
    reading = ends[0]
    writing = ends[1]
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  }

  func closeWriting() {
    if writing >= 0 { close(writing) }
    writing = -1
  }

  deinit {
    closeWriting()
    close(reading)
  }

  /// Reads both pipes to their ends, at the same time, so that neither fills up and blocks the
  /// child.
  ///
  /// Calls `waiting` once if nothing came for five seconds.
  static func drain(
    _ first: Pipe, _ second: Pipe, waiting: (() -> Void)? = nil
  ) -> (String, String) {
    var texts: [[UInt8]] = [[], []]
    var patience: Int32 = waiting == nil ? -1 : 5000
    var ends = [first, second].map { pollfd(fd: $0.reading, events: Int16(POLLIN), revents: 0) }
    while ends.contains(where: { $0.fd >= 0 }) {
      let ready = poll(&ends, 2, patience)
      guard ready >= 0 || errno == EINTR else { break }
      if ready == 0 {
        waiting?()
        patience = -1
      }
      for side in ends.indices where ends[side].fd >= 0 && ends[side].revents != 0 {
        if !take(from: ends[side].fd, into: &texts[side]) { ends[side].fd = -1 }
        ends[side].revents = 0
      }
    }
    return (String(decoding: texts[0], as: UTF8.self), String(decoding: texts[1], as: UTF8.self))
  }

  /// Reads some bytes; returns false at the end.
  private static func take(from descriptor: Int32, into text: inout [UInt8]) -> Bool {
    withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 1) { buffer in
      let count = read(descriptor, buffer.baseAddress, buffer.count)
      if count > 0 { text += buffer[..<count] }
      return count > 0 || (count < 0 && errno == EINTR)
    }
  }
}
