internal import Libc

/// A relay that ends a child process together with this one, when a signal ends this process.
///
/// A terminal's Ctrl-C reaches both anyway; a `kill` of this process alone does not. Signals that
/// are handled or ignored already are not changed.
struct SignalRelay {
  private static let signals = [SIGHUP, SIGINT, SIGTERM]
  /// Read by a signal handler, which must not touch anything guarded by the language.
  nonisolated(unsafe) private static let child = {
    let place = UnsafeMutablePointer<pid_t>.allocate(capacity: 1)
    place.initialize(to: 0)
    return place
  }()

  private let taken: [Int32]

  /// Passes signals on to a child until ``end()``; a negative number is a process group.
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

  /// Restores the signals; call it before the child's process id can be reused.
  func end() {
    Self.child.pointee = 0
    for number in taken { signal(number, SIG_DFL) }
  }
}
