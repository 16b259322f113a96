internal import LarderJSON
internal import LarderKit

/// How the household's own syncs stand, and a sync now.
extension HouseholdAPI {
  /// How long a trouble that passes by itself is not worth a word, in milliseconds.
  private static let patience: Int64 = 15 * 60_000

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

  func syncs(_ standings: [Standing]) -> [JSON] {
    standings.map { standing in
      [
        "remote": .string(standing.remote),
        "last": standing.sync.lastSync.map { .string($0.description) },
        "say": standing.sync.failure.map { .string($0.reason) },
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
}
