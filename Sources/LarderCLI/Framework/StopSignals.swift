import Synchronization
import Libc

/// A descriptor that becomes readable when the process should end.
///
/// The first SIGTERM, SIGINT or SIGHUP then no longer ends the process; a second one does. A signal
/// that the parent process ignores stays ignored.
struct StopSignals {
  /// Becomes readable after a signal.
  let descriptor: Int32

  /// A signal handler must not wait or allocate, so it uses a number that already exists.
  private static let writing = Atomic<Int32>(-1)

  init() throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw CommandError(.failed, "could not wait for signals: \(String(cString: strerror(errno)))")
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    descriptor = ends[0]
    Self.writing.store(ends[1], ordering: .sequentiallyConsistent)
    for signal in [SIGTERM, SIGINT, SIGHUP] { Self.catchOnce(signal) }
  }

  private static func catchOnce(_ signal: Int32) {
    var known = sigaction()
    sigaction(signal, nil, &known)
    guard !isIgnored(known) else { return }
    var action = sigaction()
    // SA_RESETHAND is an unsigned number beyond Int32 in the C library's header.
    action.sa_flags = Int32(bitPattern: UInt32(truncatingIfNeeded: SA_RESETHAND)) | SA_RESTART
    let handler: @convention(c) (Int32) -> Void = { _ in
      var byte: UInt8 = 0
      write(StopSignals.writing.load(ordering: .sequentiallyConsistent), &byte, 1)
    }
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = handler
    #else
      action.__sigaction_handler.sa_handler = handler
    #endif
    sigaction(signal, &action, nil)
    // The parent process may have blocked the signal and left it blocked.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, signal)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  private static func isIgnored(_ action: sigaction) -> Bool {
    #if canImport(Darwin)
      let handler = action.__sigaction_u.__sa_handler
    #else
      let handler = action.__sigaction_handler.sa_handler
    #endif
    // SIG_IGN is the number one in place of a function.
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
