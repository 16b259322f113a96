import LarderCloud
import LarderJSON
import LarderModel
import LarderStore

/// The cloud, as `larder sync` takes it: one road among others, which may be closed.
struct CloudRoad {
  private let connection: CloudConnection
  private let store: Store
  private let invocation: Invocation

  /// Nil where the household is in no project, is to stay local, or only something else is wanted.
  init?(of store: Store, _ invocation: Invocation) throws {
    guard invocation[SyncCommand.remote] == nil, !invocation.has(SyncCommand.dryRun),
      try !store.isLocalOnly, let connection = try CloudConnection(of: store, invocation)
    else { return nil }
    self.connection = connection
    self.store = store
    self.invocation = invocation
  }

  /// Brings what is new there and sends what is pending.
  func exchange() throws -> CloudExchangeOutcome {
    var outcome = CloudExchangeOutcome()
    do {
      invocation.output.note("🔄 asking the cloud")
      let (pulled, pushed) = try invocation.exchange(connection, store) { sync in
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
      let state = try connection.state()
      outcome.offline = (
        Prose().commandError(for: error).message, state.waiting.count
      )
    } catch {
      outcome.failure = Prose().commandError(for: error)
    }
    // Whatever fails besides, it is joined and committed.
    LossWords.report(outcome.losses, invocation.output)
    return outcome
  }
}

/// What came of a sync's visit to the cloud.
struct CloudExchangeOutcome {
  var pulled: PullOutcome?
  var pushed: PushOutcome?
  /// Why the cloud could not be reached, and how much waits for it.
  var offline: (reason: String, pending: Int)?
  /// Why it refused.
  var failure: CommandError?

  /// What changed here.
  var changed: [EntityKey] { (pulled?.changed ?? []) + (pushed?.changed ?? []) }

  /// Values that both sides had written and that did not stand.
  var losses: [LossWords] {
    guard let household = pushed?.household ?? pulled?.household else { return [] }
    return LossWords.all((pulled?.lost ?? []) + (pushed?.lost ?? []), in: household)
  }

  /// Tells of it, behind what the sync by git came to, where there was one; throws the exit code of a
  /// sync after which the cloud refuses something.
  func report(_ words: SyncWords?, _ output: Output) throws {
    note(output)
    if let words {
      words.report(output, also: member)
    } else {
      reportAlone(output)
    }
    try check()
  }

  /// Says what it came to.
  func note(_ output: Output) {
    if let pulled { CloudWords.warn(about: pulled.refused, output) }
    if let pushed { CloudWords.warn(about: pushed.failed, in: pushed.household, output) }
    if let offline {
      output.note(
        "⚠️ the cloud can't be reached: \(offline.reason); \(counted(offline.pending, "thing")) wait\(offline.pending == 1 ? "s" : "") for it"
      )
    } else if let pulled, let pushed {
      output.note(CloudWords.line(pulled, pushed))
      CloudWords.hint(about: pulled, output)
    }
  }

  func check() throws {
    if let pushed { try CloudWords.check(pushed.state) }
  }

  var member: JSONMember { JSONMember("cloud", json) }

  private func reportAlone(_ output: Output) {
    switch output.mode {
    case .json:
      output.changed(
        changed, in: pushed?.household ?? pulled?.household ?? Household(),
        [member, LossWords.member(losses)])
    case .plain: output.record(["changed", String(changed.count)])
    case .human:
      if let pulled {
        output.changes(pulled.changed, from: pulled.before, to: pulled.household)
      }
    }
  }

  private var json: JSON {
    var members: [JSONMember] = []
    if let pulled { members.append(JSONMember("pulled", .object(CloudWords.pullMembers(pulled)))) }
    if let pushed { members.append(JSONMember("pushed", .object(CloudWords.pushMembers(pushed)))) }
    if let offline {
      members.append(JSONMember("offline", .string(offline.reason)))
      members.append(JSONMember("pending", .number(String(offline.pending))))
    }
    return .object(members)
  }
}
