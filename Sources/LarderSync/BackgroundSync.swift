internal import Foundation
internal import LarderModel
internal import LarderStore
internal import Synchronization

/// A sync in a thread of its own, so that a remote that does not answer keeps nothing waiting.
final class BackgroundSync: Sendable {
  /// What came of a sync.
  struct Ended {
    let result: Result<SyncOutcome, any Error>
    /// What it adopted, also where it failed then.
    let adopted: [(adoption: Writing.Adoption, household: Household)]
  }

  private struct State {
    var ended: Ended?
    var isRunning = false
    var lock: HouseholdLock?
  }

  private let state = Mutex(State())
  private let finished = Pipe()

  /// Can be read when a sync is over.
  var descriptor: Int32 { finished.fileHandleForReading.fileDescriptor }

  /// Begins a sync of a household.
  func start(root: String, context: StoreContext) {
    state.withLock { $0.isRunning = true }
    Thread.detachNewThread { [self] in
      var adopted: [(Writing.Adoption, Household)] = []
      let result = Result {
        try Synchronizer(store: try Store.open(from: root, context: context)) { event in
          if case .adopted(let adoption, let household) = event {
            adopted.append((adoption, household))
          }
        }.sync()
      }
      let ended = Ended(result: result, adopted: adopted)
      state.withLock { state in
        state.ended = ended
        state.isRunning = false
        state.lock?.release()
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

  /// Sees to it that a sync that is still running writes nothing more on this device.
  ///
  /// What it is writing is finished first. It may go on waiting for the remote; nobody else can
  /// write until it is over, or the process.
  func end(_ store: Store) throws {
    guard state.withLock({ $0.isRunning }) else { return }
    let lock = try store.locked()
    state.withLock { state in
      if state.isRunning { state.lock = lock } else { lock.release() }
    }
  }
}
