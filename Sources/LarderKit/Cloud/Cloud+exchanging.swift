internal import LarderCloud
public import LarderModel
internal import LarderStore

/// Exchanges with the project, in one direction at a time.
///
/// Each call throws ``CloudUseError`` with `localOnly` if the household stays local.
extension Cloud {
  /// Fetches the new changes from the project, and joins them in one commit.
  public func pull() throws -> PullOutcome {
    try exchange { try await $0.pull() }
  }

  /// Fetches the batches that expire within some days, once a day; with `again`, also if that was
  /// already done today.
  public func pull(expiringWithinDays days: Int, again: Bool = false) throws -> WarmUpOutcome {
    try exchange { try await $0.warmUp(withinDays: days, again: again) }
  }

  /// Sends pending changes: up to `limit` entities, of all operations or only the given ones.
  public func push(
    limit: Int? = nil, operations: Set<PendingOperation>? = nil
  ) throws -> PushOutcome {
    try exchange { try await $0.push(limit: limit, operations: operations) }
  }

  /// Unparks the entities that the project refused too often, and sends everything that is pending.
  public func retry() throws -> PushOutcome {
    try exchange { sync in
      _ = try await sync.retry()
      return try await sync.push()
    }
  }

  private func exchange<Value: Sendable>(
    _ body: @escaping @Sendable (CloudSync) async throws -> Value
  ) throws -> Value {
    guard try !store.isLocalOnly else { throw CloudUseError.localOnly }
    return try connection.exchange(body)
  }

  /// Fetches new changes and sends pending ones, as a part of a sync; nil if the household stays
  /// local.
  ///
  /// Failures are part of the outcome.
  public func visit() throws -> CloudOutcome? {
    guard try !store.isLocalOnly else { return nil }
    larder.context.report(.exchangeBegan)
    let outcome = try connection.visit()
    larder.context.report(.exchanged(outcome))
    return outcome
  }
}

/// The outcome of the project's part in a sync.
public struct CloudOutcome: Sendable {
  public var pulled: PullOutcome?
  public var pushed: PushOutcome?
  /// The reason if the project could not be reached, and the number of entities that wait for it.
  public var offline: (reason: TransportError, pending: Int)?
  /// The error if the project or this device refused.
  public var failure: (any Error)?

  /// The entities that changed on this device.
  public var changed: [EntityKey] { (pulled?.changed ?? []) + (pushed?.changed ?? []) }

  /// The household now; nil if nothing was exchanged.
  public var household: Household? { pushed?.household ?? pulled?.household }

  /// The values that both sides had written and that were not taken.
  public var losses: [LostWrite] { (pulled?.lost ?? []) + (pushed?.lost ?? []) }

  /// Whether any change was received, sent or refused.
  public var isNews: Bool {
    let hasPulled = pulled.map { !$0.changed.isEmpty || !$0.refused.isEmpty } ?? false
    let hasPushed = pushed.map { $0.synced > 0 || !$0.failed.isEmpty } ?? false
    return hasPulled || hasPushed
  }
}

extension CloudConnection {
  fileprivate func visit() throws -> CloudOutcome {
    var outcome = CloudOutcome()
    do {
      let (pulled, pushed) = try exchange { sync in
        let pulled = try await sync.pull()
        do {
          return (pulled, Result<PushOutcome, any Error>.success(try await sync.push()))
        } catch {
          return (pulled, .failure(error))
        }
      }
      outcome.pulled = pulled
      outcome.pushed = try pushed.get()
    } catch CloudError.offline(let error) where error.isPassing {
      outcome.offline = (error, try state().waiting.count)
    } catch {
      outcome.failure = error
    }
    return outcome
  }
}
