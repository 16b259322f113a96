internal import Foundation
internal import LarderJSON
internal import LarderKit
internal import Synchronization

/// How the household's own syncs stand, and a sync now.
extension HouseholdAPI {
  /// How long a trouble that passes by itself is not worth a word, in milliseconds.
  private static let patience: Int64 = 15 * 60_000
  /// How long a phone waits for a sync.
  private static let longestSync = Duration.seconds(25)

  /// A remote, or the cloud, with how the syncs with it went.
  struct Standing {
    let remote: String
    let sync: SyncStanding
  }

  /// Returns how the syncs went with each remote; none if that can't be read, as whoever syncs hears of
  /// it.
  func standings(_ larder: Larder) async -> [Standing] {
    do {
      let remotes = try await larder.remotes
      return try await larder.syncStandings().flatMap { sync -> [Standing] in
        guard sync.target == .git else {
          return sync.isOn ? [Standing(remote: "cloud", sync: sync)] : []
        }
        return remotes.map { Standing(remote: $0, sync: sync) }
      }
    } catch {
      return []
    }
  }

  /// `besides` says what is not known of the last sync yet.
  func syncs(_ standings: [Standing], besides: String? = nil) -> [JSON] {
    standings.map { standing in
      [
        "remote": .string(standing.remote),
        "last": standing.sync.lastSync.map { .string($0.description) },
        "say": (standing.sync.failure?.reason ?? besides).map { .string($0) },
      ]
    }
  }

  /// Returns why the household does not sync with other devices, and since when; nil if it does.
  ///
  /// A network that is gone for some minutes is nothing to tell.
  func notSynced(_ standings: [Standing], at now: Instant) -> JSON? {
    var failing: [SyncStanding] = []
    for sync in standings.map(\.sync) where !failing.contains(sync) {
      guard let failure = sync.failure else { continue }
      let lasted = now.milliseconds - (failure.began ?? now).milliseconds
      if !failure.isPassing || lasted > Self.patience { failing.append(sync) }
    }
    guard !failing.isEmpty else { return nil }
    return [
      "since": failing.compactMap(\.lastSync).min().map { .string($0.description) },
      "say": .string(failing.compactMap(\.failure?.reason).joined(separator: "; ")),
    ]
  }

  /// Syncs with all remotes now; what fails is in the answer, and what takes longer goes on.
  func sync(_ larder: Larder) async -> WebResponse {
    guard await !standings(larder).isEmpty else {
      return .say("This household has nothing to sync with: it is on one machine.", status: 503)
    }
    let end = SyncEnd()
    Task(executorPreference: AnsweringQueue.shared) {
      do { _ = try await larder.syncAll() } catch { end.failure = error.localizedDescription }
      end.isOver = true
    }
    let limit = ContinuousClock.now + Self.longestSync
    while !end.isOver, .now < limit { try? await Task.sleep(for: .milliseconds(50)) }
    let say = end.isOver ? end.failure : "the sync takes long, and goes on"
    return .json(["syncs": .array(syncs(await standings(larder), besides: say))])
  }
}

/// How a sync ended.
private final class SyncEnd: Sendable {
  private let state = Mutex<(isOver: Bool, failure: String?)>((false, nil))

  var isOver: Bool {
    get { state.withLock { $0.isOver } }
    set { state.withLock { $0.isOver = newValue } }
  }

  var failure: String? {
    get { state.withLock { $0.failure } }
    set { state.withLock { $0.failure = newValue } }
  }
}
