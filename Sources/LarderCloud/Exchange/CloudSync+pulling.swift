internal import LarderModel
internal import LarderStore

/// Pulling from the cloud.
extension CloudSync {
  private static let warmUpFile = "warmed-up"

  func warmUpAlone(withinDays days: Int, again: Bool) async throws -> WarmUpOutcome {
    var known = try opened()
    let household = known.household
    func cached(_ offline: TransportError? = nil) -> WarmUpOutcome {
      WarmUpOutcome(
        pulled: PullOutcome(household: household), fromCacheOnly: true, offline: offline)
    }
    let today = Day(now(), in: known.household.own?.timeZone ?? "UTC")
    let note = Array("\(client.session.project.url) \(today)\n".utf8)
    if try !again && store.deviceFile(CloudSync.warmUpFile) == note { return cached() }
    let news: Pull.News
    do {
      try await checkSchema()
      known = try await withoutPastFormat(known)
      news = try await reading(known.household).expiring(
        until: today.adding(days: days), since: known.replica.cursors)
    } catch {
      guard case CloudError.offline(let reason) = error else { throw error }
      return cached(reason)
    }
    var pulled = PullOutcome(household: known.household)
    pulled.left = try await noteLeft(news, reading(known.household))
    try take(news, known, since: known, &pulled)
    try store.writeDeviceFile(CloudSync.warmUpFile, note)
    return WarmUpOutcome(pulled: pulled, fromCacheOnly: false, offline: nil)
  }

  func pullAlone() async throws -> PullOutcome {
    try await checkSchema()
    var known = try opened()
    let last = known
    known = try await withoutPastFormat(known)
    let news: Pull.News
    do {
      news = try await self.news(known)
    } catch is Restored {
      // Everything is compared again: what the database lost is pending again.
      try store.forgetCloud()
      known = try opened()
      news = try await self.news(known)
    }
    let reading = reading(known.household)
    var outcome = PullOutcome(household: known.household)
    if news.isMember {
      outcome.left = try await noteLeft(news, reading)
    } else if known.replica.isKnown {
      try note(isMember: false, of: reading.household)
      throw CloudSyncError.notAMember(household: reading.household)
    }
    try take(news, known, since: last, &outcome)
    let now = outcome.changed.isEmpty && news.rowCount == 0 ? known : try opened()
    var times = try times()
    times.pulled(at: self.now(), but: now.replica.differences, knows: now.knows)
    try times.save(in: store)
    hasPulled = true
    return outcome
  }

  private func news(_ known: Known) async throws -> Pull.News {
    try await reading(known.household).news(
      since: known.replica.cursors, seen: known.replica.seen, of: known.replica.origin,
      knows: known.knows)
  }

  /// Joins the rows into the household and commits it.
  ///
  /// Only then the cursors move.
  ///
  /// `last` is the known state of the cloud before reading, even if that was deleted since: a loss
  /// by restoring a database is nobody's write.
  private func take(
    _ news: Pull.News, _ known: Known, since last: Known, _ outcome: inout PullOutcome
  ) throws {
    outcome.fetchedCount = news.rowCount
    outcome.refused = news.refused
    var held = news.held { known.replica.known($0, in: known.household) }
    let told = Set(held.map(\.entity.key))
    held += known.replica.missed.filter { !told.contains($0.entity.key) }
      .map { ($0.entity, $0.path) }
    var replica = known.replica
    if let format = newerFormat(in: held.map(\.entity), known) {
      // Stored as the cloud's state, and joined when the format is lowered again.
      let isWhole = news.refused.isEmpty
      try replica.note(
        held.map(\.entity), cursors: isWhole ? news.cursors : [:], origin: news.newest?.origin,
        in: known.household, store)
      throw CloudSyncError.newerFormat(format)
    }
    guard
      !held.isEmpty || news.cursors != known.replica.cursors
        || news.newest.map({ $0.origin != known.replica.origin }) ?? false
    else { return }
    if !held.isEmpty {
      let joined = try store.join(
        cloud: held, known: { last.replica.known($0, in: last.household) }, adopted: adopted)
      outcome.before = joined.before
      outcome.household = joined.after
      outcome.changed = joined.changed
      outcome.lost = joined.lost
    }
    try replica.note(
      held.map(\.entity), cursors: news.cursors, origin: news.newest?.origin,
      in: outcome.household, store)
  }

  private func reading(_ household: Household) -> Pull {
    Pull(client: client, household: household.own?.id ?? "", report: report)
  }
}
