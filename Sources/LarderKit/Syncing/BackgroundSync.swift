internal import Foundation
internal import LarderModel
internal import LarderStore
internal import Synchronization

/// A sync in a thread of its own, so that a remote that does not answer keeps nothing waiting.
final class BackgroundSync<Outcome: Sendable>: Sendable {
  /// What came of a sync.
  struct Ended {
    let result: Result<Outcome, any Error>
    /// What it adopted, also where it failed then.
    let adopted: [(adoption: Writing.Adoption, household: Household)]
  }

  private struct State {
    var ended: Ended?
    var adopted: [(adoption: Writing.Adoption, household: Household)] = []
    var isRunning = false
    var lock: HeldLock?
  }

  private let state = Mutex(State())
  private let finished = Pipe()

  /// Can be read when a sync is over.
  var descriptor: Int32 { finished.fileHandleForReading.fileDescriptor }

  var isRunning: Bool { state.withLock { $0.isRunning } }

  /// Begins a sync, which tells what it adopts.
  func start(
    _ sync:
      @escaping @Sendable (@escaping @Sendable (Writing.Adoption, Household) -> Void) throws ->
      Outcome
  ) {
    state.withLock { $0.isRunning = true }
    Thread.detachNewThread { [self] in
      let result = Result {
        try sync { adoption, household in
          self.state.withLock { $0.adopted.append((adoption, household)) }
        }
      }
      state.withLock { state in
        state.ended = Ended(result: result, adopted: state.adopted)
        state.adopted = []
        state.isRunning = false
        state.lock = nil
      }
      finished.fileHandleForWriting.write(Data([0]))
    }
  }

  /// What came of the sync that is over.
  func takeEnded() -> Ended? {
    _ = finished.fileHandleForReading.readData(ofLength: 1)
    return state.withLock { state in
      defer { state.ended = nil }
      return state.ended
    }
  }

  /// Keeps a lock for as long as a sync is still running.
  func keep(_ lock: HeldLock) {
    state.withLock { state in
      if state.isRunning { state.lock = lock }
    }
  }
}

/// The household's lock, until nobody keeps it any more.
///
/// A watch that ends gives it to the syncs that are still running, so that they write nothing more on
/// this device. They may go on waiting for the remote; nobody else can write until they are over, or
/// the process.
final class HeldLock: Sendable {
  private let lock: HouseholdLock

  /// Lets what is just being written be finished first.
  init(of store: Store) throws { lock = try store.locked() }

  deinit { lock.release() }
}
