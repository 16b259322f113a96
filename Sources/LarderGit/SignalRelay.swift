#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Ends a child process together with this one, which a signal would otherwise leave behind.
///
/// A terminal's Ctrl-C reaches both by itself; a `kill` of this process alone does not. Signals that
/// somebody handles or ignores already are left to them.
struct SignalRelay {
  private static let signals = [SIGHUP, SIGINT, SIGTERM]
  /// Read by a signal handler, which may touch nothing that the language guards.
  nonisolated(unsafe) private static let child = {
    let place = UnsafeMutablePointer<pid_t>.allocate(capacity: 1)
    place.initialize(to: 0)
    return place
  }()

  private let taken: [Int32]

  /// Passes signals on to a child until ``end()``; a negative number stands for its process group.
  init(to child: pid_t) {
    Self.child.pointee = child
    taken = Self.signals.filter { number in
      let former = signal(number) { number in
        if SignalRelay.child.pointee != 0 { kill(SignalRelay.child.pointee, number) }
        signal(number, SIG_DFL)
        raise(number)
      }
      guard unsafeBitCast(former, to: Int.self) == unsafeBitCast(SIG_DFL, to: Int.self) else {
        signal(number, former)
        return false
      }
      return true
    }
  }

  /// Leaves the signals as they were; to be called before the child's number can be another's.
  func end() {
    Self.child.pointee = 0
    for number in taken { signal(number, SIG_DFL) }
  }
}
