import LarderCloud
import LarderJSON
import LarderModel
import LarderStore
import Synchronization

/// `larder cloud push`, `pull` and `retry`: one direction at a time.
enum CloudExchange {
  static let limit = Option("limit", value: "N", help: "send N things at most")
  static let operation = Option(
    "operation", value: "O", values: .oneOf(PendingOperation.allCases.map(\.rawValue)),
    isRepeatable: true, help: "send only this sort of change")

  static let push = Command(
    "push", summary: "Send what the cloud lacks",
    discussion: """
      Adopts what was edited by hand, and sends whatever the project is not known to have. What it \
      refuses is tried five times and then parked: 'larder cloud status' says why, 'larder cloud \
      retry' or another change of the thing tries anew. Nothing is lost meanwhile. Ends with exit \
      code 1 while something is refused or parked.
      """,
    examples: [
      Example("larder cloud push"), Example("larder cloud push --limit 20 --operation consume"),
    ],
    options: [limit, operation]
  ) { invocation in
    let most = try invocation.most(limit)
    let operations = invocation.all(operation).compactMap(PendingOperation.init(rawValue:))
    try invocation.exchange { sync in
      try await sync.push(limit: most, operations: operations.isEmpty ? nil : Set(operations))
    } report: { outcome in
      try CloudWords.report(outcome, invocation.output)
    }
  }

  static let expiring = Option(
    "expiring", value: "DAYS",
    help: "only what expires within so many days; quick on a new device, once a day")
  static let again = Option("again", help: "with --expiring: also if today it was done already")

  static let pull = Command(
    "pull", summary: "Bring what is new in the cloud",
    discussion: """
      Joins it into the files, as one commit; of a field that both sides wrote the later write \
      stands, and quantities add up.
      """,
    examples: [
      Example("larder cloud pull"),
      Example("larder cloud pull --expiring 14", "what is due soon, before all the rest"),
    ],
    options: [expiring, again]
  ) { invocation in
    guard let days = try invocation.days(expiring) else {
      return try invocation.exchange { sync in
        try await sync.pull()
      } report: { outcome in
        CloudWords.report(outcome, invocation.output)
      }
    }
    let again = invocation.has(again)
    try invocation.exchange { sync in
      try await sync.warmUp(withinDays: days, again: again)
    } report: { outcome in
      CloudWords.report(outcome, invocation.output)
    }
  }

  static let retry = Command(
    "retry", summary: "Try again what the cloud has refused",
    discussion: "Takes what is parked up again and sends all that is pending.",
    examples: [Example("larder cloud retry")]
  ) { invocation in
    try invocation.exchange { sync in
      _ = try await sync.retry()
      return try await sync.push()
    } report: { outcome in
      try CloudWords.report(outcome, invocation.output)
    }
  }
}

extension Invocation {
  /// Runs an exchange with the cloud and tells what came of it; nothing where the household is to
  /// stay local.
  fileprivate func exchange<Outcome: Sendable>(
    _ body: @escaping @Sendable (CloudSync) async throws -> Outcome,
    report: (Outcome) throws -> Void
  ) throws {
    try withStore { store in
      let connection = try CloudConnection.needed(of: store, self)
      guard try !store.isLocalOnly else { throw CloudUseError.localOnly }
      try report(try exchange(connection, store, body))
    }
  }

  func exchange<Outcome: Sendable>(
    _ connection: CloudConnection, _ store: Store,
    _ body: @escaping @Sendable (CloudSync) async throws -> Outcome
  ) throws -> Outcome {
    let notes = AdoptionNotes()
    let progress = output.progress
    let report: @Sendable (CloudProgress) -> Void = { step in
      progress.update(CloudWords.line(of: step))
      log(.cloud, CloudWords.logged(step))
    }
    let sync = try connection.sync(report: report) {
      notes.add($0, $1)
    }
    defer { progress.finish() }
    let result: Result<Outcome, any Error>
    do {
      result = .success(try waited { try await body(sync) })
    } catch {
      result = .failure(error)
    }
    for (adoption, household) in notes.all { warn(about: adoption, in: store, household) }
    return try result.get()
  }

  /// A number of days, as `stock due` takes one; nil where the option is not given.
  fileprivate func days(_ option: Option) throws -> Int? {
    guard let text = self[option] else { return nil }
    guard let days = Int(text), (0...36_500).contains(days) else {
      throw unreadable(
        text, for: option.spelling, "a whole number of days from 0 to 36500 is needed")
    }
    return days
  }
}

/// What was adopted by hand before an exchange, which runs elsewhere.
private final class AdoptionNotes: Sendable {
  private let notes = Mutex<[(Writing.Adoption, Household)]>([])

  var all: [(Writing.Adoption, Household)] { notes.withLock { $0 } }

  func add(_ adoption: Writing.Adoption, _ household: Household) {
    notes.withLock { $0.append((adoption, household)) }
  }
}
