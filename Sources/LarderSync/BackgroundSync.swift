internal import Foundation
internal import LarderStore
internal import Synchronization

/// A sync in a thread of its own, so that a remote that does not answer keeps nothing waiting.
final class BackgroundSync: Sendable {
  private struct State {
    var result: Result<SyncOutcome, any Error>?
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
      let result = Result {
        try Synchronizer(store: try Store.open(from: root, context: context)).sync()
      }
      state.withLock { state in
        state.result = result
        state.isRunning = false
        state.lock?.release()
      }
      finished.fileHandleForWriting.write(Data([0]))
    }
  }

  /// What came of the sync that is over.
  func takeResult() -> Result<SyncOutcome, any Error>? {
    _ = finished.fileHandleForReading.readData(ofLength: 1)
    return state.withLock { state in
      defer { state.result = nil }
      return state.result
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
