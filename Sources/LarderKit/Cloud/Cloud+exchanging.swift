internal import LarderCloud
public import LarderModel
internal import LarderStore

/// Exchanges with the project, one direction at a time.
///
/// Each throws ``CloudUseError`` with `localOnly` if the household is to stay local.
extension Cloud {
  /// Brings what is new in the project, and joins it in one commit.
  public func pull() throws -> PullOutcome {
    try exchange { try await $0.pull() }
  }

  /// Brings what expires within some days, once a day; with `again`, also if that was done today.
  public func pull(expiringWithinDays days: Int, again: Bool = false) throws -> WarmUpOutcome {
    try exchange { try await $0.warmUp(withinDays: days, again: again) }
  }

  /// Sends what is pending: `limit` entities at most, all sorts of changes or some.
  public func push(
    limit: Int? = nil, operations: Set<PendingOperation>? = nil
  ) throws -> PushOutcome {
    try exchange { try await $0.push(limit: limit, operations: operations) }
  }

  /// Unparks what the project refused five times, and sends all that is pending.
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

  /// Brings what is new and sends what is pending, as a part of a sync; nil if the household is to stay
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

/// The outcome of a sync's visit to the project.
public struct CloudOutcome: Sendable {
  public var pulled: PullOutcome?
  public var pushed: PushOutcome?
  /// Why the project could not be reached, and how many entities wait for it.
  public var offline: (reason: TransportError, pending: Int)?
  /// Why the project, or this device, refused.
  public var failure: (any Error)?

  /// The entities that are different on this device now.
  public var changed: [EntityKey] { (pulled?.changed ?? []) + (pushed?.changed ?? []) }

  /// The household now; nil if nothing came of the visit.
  public var household: Household? { pushed?.household ?? pulled?.household }

  /// Values that both sides had written and that were not taken.
  public var losses: [LostWrite] { (pulled?.lost ?? []) + (pushed?.lost ?? []) }

  /// Whether something came, went or was refused.
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
