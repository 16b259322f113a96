import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The wish that the process should end, as a descriptor to wait for.
///
/// SIGTERM, SIGINT and SIGHUP then no longer end the process by themselves the first time; the
/// second one does. One that whoever started the process has switched off stays so.
struct StopSignals {
  /// Can be read once a signal has come.
  let descriptor: Int32

  /// What the handler may use is a number that is there before it: it must not wait nor allocate.
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
    // SA_RESETHAND, which the C library's header has as an unsigned number beyond Int32.
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
    // Whoever started the process may have held the signal back for a while, and left it so.
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
    // SIG_IGN is the number one where a function would be.
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
