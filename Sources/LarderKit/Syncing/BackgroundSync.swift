internal import Foundation
internal import LarderGit
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

/// The sync after other calls, with git and the project, which the setting `autoSync` turns on.
extension Larder {
  /// The number of seconds for which the project's last answer counts as new.
  private static let freshness = 60.0

  /// Whether other calls exchange with the project automatically.
  public var exchangesByItself: Bool {
    get throws(StoreError) {
      guard try store.isOn(.autoSync) else { return false }
      guard try !store.isOn(.localOnly) else { return false }
      return try store.cloudURL != nil
    }
  }

  /// The time of the last call after which a sync was due; nil before the first.
  private var asked: Double? {
    store.deviceFolder.flatMap { FileState(of: $0 + "/asked") }
      .map { Double($0.modified) / 1_000_000_000 }
  }

  /// Whether a sync is due, after a call that wrote, or that read what the project may have newer.
  ///
  /// If it is due, the caller must start ``syncInBackground()``; other callers then get false until the
  /// next one is due.
  public func takesBackgroundSync() throws -> Bool {
    guard store.repository != nil, try store.isOn(.autoSync) else { return false }
    let asksProject = try exchangesByItself
    let now = Double(Instant.current.milliseconds) / 1000
    let isDue =
      try hasCommitted
      ? asksProject || !remotes.isEmpty : asksProject && now - (asked ?? 0) > Self.freshness
    if isDue { try store.writeDeviceFile("asked", []) }
    return isDue
  }

  /// Syncs with the branch's remote, and with the project if a user is signed in.
  ///
  /// One process does it at a time: another one returns, and the first looks again at the end for what
  /// was committed meanwhile. What fails is kept for ``takeUntoldSyncFailures()`` and
  /// ``syncStandings()``.
  public func syncInBackground() async throws {
    guard let lock = try store.backgroundLock() else { return }
    defer { lock.release() }
    var seen: Double?
    repeat {
      seen = asked
      try await syncOnce()
    } while asked != seen
  }

  private func syncOnce() async throws {
    let isWell = try await syncByGit()
    if try exchangesByItself, let connection = try CloudConnection.signedIn(of: store, context) {
      do {
        _ = try await connection.exchange { try await $0.sync() }
        noteSync(.cloud, nil)
      } catch {
        noteSync(.cloud, error, isTold: false)
      }
    }
    if isWell, try Synchronizer(store: store).isAhead { _ = try await syncByGit() }
  }

  /// Returns whether there is a remote, and the sync with it succeeded.
  private func syncByGit() async throws -> Bool {
    guard try !remotes.isEmpty else { return false }
    do {
      _ = try await sync(withProject: false, isTold: false)
      return true
    } catch {
      // It is kept.
      return false
    }
  }

  /// Fetches new changes from the project because something was not found here, and returns whether
  /// to look again.
  ///
  /// Gives up at once if the project can't be reached.
  public func asksForMissing() async -> Bool {
    do {
      guard try exchangesByItself,
        let connection = try CloudConnection.signedIn(of: store, context, isPatient: false)
      else { return false }
      _ = try await connection.exchange { try await $0.pull() }
    } catch {
      // Another exchange may have fetched it meanwhile.
    }
    return true
  }
}
