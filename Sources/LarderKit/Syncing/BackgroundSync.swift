internal import Foundation
internal import LarderModel
internal import LarderStore
internal import Synchronization

/// A sync in a separate thread, so a remote that does not answer blocks nothing else.
final class BackgroundSync<Outcome: Sendable>: Sendable {
  /// The result of a sync.
  struct Ended {
    let result: Result<Outcome, any Error>
    /// The adopted edits, even if the sync failed later.
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

  /// A descriptor that becomes readable when a sync is over.
  var descriptor: Int32 { finished.fileHandleForReading.fileDescriptor }

  var isRunning: Bool { state.withLock { $0.isRunning } }

  /// Starts a sync, which reports what it adopts.
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

  /// Returns the result of the finished sync.
  func takeEnded() -> Ended? {
    _ = finished.fileHandleForReading.readData(ofLength: 1)
    return state.withLock { state in
      defer { state.ended = nil }
      return state.ended
    }
  }

  /// Holds a lock while a sync is still running.
  func keep(_ lock: HeldLock) {
    state.withLock { state in
      if state.isRunning { state.lock = lock }
    }
  }
}

/// The household's lock, released with the last reference to it.
///
/// A watch that ends gives the lock to the syncs that are still running, so they can write nothing
/// more on this device. They may still wait for the remote. Nobody else can write until they are
/// over or the process ends.
final class HeldLock: Sendable {
  private let lock: HouseholdLock

  /// Takes the lock; waits for a write in progress.
  init(of store: Store) throws { lock = try store.locked() }

  deinit { lock.release() }
}
