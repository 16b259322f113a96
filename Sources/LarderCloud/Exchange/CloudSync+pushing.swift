internal import LarderModel
internal import LarderStore

/// Pushing to the cloud.
extension CloudSync {
  func pushAlone(limit: Int?, operations: Set<PendingOperation>?) async throws
    -> PushOutcome
  {
    let adoption = try store.adopt()
    if let made = adoption.adoption { adopted(made, adoption.household) }
    try await checkSchema()
    let known = try await verified(try await withoutPastFormat(try opened()))
    if let format = newerFormat(in: [], known) { throw CloudSyncError.newerFormat(format) }
    let household = known.household
    var outbox = try Outbox(of: store)
    var pending = known.replica.differences.compactMap { key in
      household[key].map {
        Pending(
          ours: $0, known: known.replica.known(key, in: household), path: household.path(of: key))
      }
    }
    // Entities that the cloud has by now are no longer refused.
    outbox.forget(Set(outbox.entries.keys).subtracting(pending.map(\.ours.key)))
    pending.removeAll { outbox.refusal(of: $0.ours)?.isParked ?? false }
    if let operations { pending.removeAll { !operations.contains($0.operation) } }
    if let limit { pending = Array(pending.prefix(limit)) }
    var push = Push(
      client: client, store: store, household: household, replica: known.replica, outbox: outbox,
      now: now, report: report)
    if !pending.isEmpty {
      var times = try times()
      times.sending = Set(pending.map(\.ours.key))
      try times.save(in: store)
    }
    // Rows accepted before a failure are kept.
    var failure: (any Error)?
    do {
      try await push.send(pending)
    } catch let error as CloudSyncError {
      try note(isMember: false, of: household.own?.id ?? "")
      failure = error
    } catch {
      failure = error
    }
    let outcome = try settled(push, pending, since: known)
    if let failure { throw failure }
    return outcome
  }

  /// Stores the result of a push: the rows that the cloud returned, and the refusals.
  private func settled(_ push: Push, _ pending: [Pending], since last: Known) throws
    -> PushOutcome
  {
    let synced = Set(push.answered.keys).subtracting(push.refused)
    var outbox = push.outbox
    outbox.forget(synced)
    try outbox.save(in: store)
    let news = push.answered.values.filter { entity in
      push.household[entity.key].map { $0.joined(with: entity) != $0 } ?? true
    }
    let joined =
      try news.isEmpty
      ? nil
      : store.join(
        cloud: news.map { ($0, nil) },
        known: { last.replica.known($0, in: last.household) }, adopted: adopted)
    var times = try times()
    // A user who gets an answer is a member.
    if !push.answered.isEmpty { try note(isMember: true, of: push.household.own?.id ?? "") }
    if !pending.isEmpty {
      times.pushed(synced, at: now())
      try times.save(in: store)
    }
    // Read again: entities that were sent before may have changed since.
    let known = try opened()
    var outcome = PushOutcome(
      household: push.household,
      state: CloudState(
        known.household, known.replica, outbox, times,
        try cloudFacts(of: push.household.own?.id ?? "")))
    outcome.attempted = pending.count
    outcome.synced = synced.count
    outcome.failed = push.refused.compactMap { push.outbox.entries[$0] }
    if let joined {
      outcome.before = joined.before
      outcome.household = joined.after
      outcome.changed = joined.changed
      outcome.lost = joined.lost
    }
    return outcome
  }

  /// Checks that the cloud is still in the known state.
  ///
  /// A pull does this too, so after a pull there is no check.
  private func verified(_ known: Known) async throws -> Known {
    guard !hasPulled, known.replica.isKnown else { return known }
    let id = known.household.own?.id ?? ""
    guard let standing = try await client.standing(of: id) else {
      try note(isMember: false, of: id)
      throw CloudSyncError.notAMember(household: id)
    }
    guard Schema.knows(format: standing.format) else {
      throw CloudSyncError.newerFormat(standing.format)
    }
    guard let newest = standing.newest,
      newest.isBehind(known.replica.seen, known.replica.origin)
    else { return known }
    try store.forgetCloud()
    return try opened()
  }
}
