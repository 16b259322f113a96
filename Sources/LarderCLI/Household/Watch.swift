import LarderKit

/// `larder watch`: adopts and syncs automatically until it is stopped.
enum WatchCommand {
  static let every = Option(
    "every", value: "TIME",
    help: "how often to sync when nothing changes here, such as 30s, 5m or 2h (5m if left out)")

  static let command = Command("watch", group: "Household", options: [every]) { invocation in
    let interval =
      try invocation.value(every, "a time from 1s to 24h is needed, as in 30s, 5m or 2h") {
        Duration(typed: $0)
      } ?? .seconds(300)
    try await invocation.withLarder { larder in
      let lines = try TimedLines(larder, invocation)
      try await watch(larder, every: interval, until: try StopSignals(), lines, invocation)
      lines.say(.done, "ended")
    }
  }

  /// Watches a household until a signal comes, with a line for each event.
  static func watch(
    _ larder: isolated Larder, every interval: Duration, until stop: StopSignals,
    _ lines: TimedLines, _ invocation: Invocation
  ) async throws {
    let words = WatchWords(interval: interval, prose: MessageWords(about: larder), lines: lines)
    let events = larder.watch(every: interval, until: WatchStop(readable: stop.descriptor))
    for try await event in events {
      words.report(event, larder)
      if event.mayHaveCommitted { TidyCommand.startIfDue(for: larder, invocation) }
    }
  }
}

extension WatchEvent {
  fileprivate var mayHaveCommitted: Bool {
    switch self {
    case .adopted, .synced, .exchanged: true
    case .began, .looking, .waiting, .failed, .signedIn, .syncFailed: false
    }
  }
}

/// The lines of a command that runs for long, on standard error: each with its time.
struct TimedLines: Sendable {
  private let clock: @Sendable () -> Instant
  /// The calendar for the times.
  private let calendar: HouseholdCalendar
  private let output: Output

  init(_ larder: isolated Larder, _ invocation: Invocation) throws {
    clock = try invocation.clock()
    calendar = HouseholdCalendar(of: try larder.read().household, now: clock())
    output = invocation.output
  }

  func say(_ sign: Sign, _ text: String) {
    let shown = sign.prefix(onTerminal: output.terminal.errorIsTerminal)
    output.note("\(calendar.text(of: clock())) \(shown)\(text)")
  }
}

/// The messages of a watch on standard error: one line for each event, with its time.
struct WatchWords {
  let interval: Duration
  let prose: MessageWords
  let lines: TimedLines

  /// The largest number of changes that are listed.
  private static let most = 20

  func report(_ event: WatchEvent, _ larder: isolated Larder) {
    switch event {
    case .began(let isLooking):
      say(.atWork, "watching \(larder.root), \(syncing(larder))")
      if isLooking { sayLooking() }
    case .looking: sayLooking()
    case .adopted(let adoption, let household): tell(adoption, household, larder)
    case .waiting(let error): say(.warning, "waiting: " + prose.errorWords(for: error).message)
    case .failed(let error): fail(error)
    case .signedIn(true): say(.done, "signed in to the project, exchanging with it from now on")
    case .signedIn(false): say(.warning, "nobody is signed in to a project any more")
    case .synced(let outcome): tell(outcome)
    case .exchanged(let outcome): tell(outcome)
    case .syncFailed(let error, let rest):
      fail(error, ending: "; trying again in \(rest.words), then less and less often")
    }
  }

  private func syncing(_ larder: isolated Larder) -> String {
    let targets = telling { try larder.syncTargets() }
    if targets?.hasRemote ?? true || targets?.isSignedIn ?? false {
      return "syncing every \(interval.words)"
    }
    return targets?.isSignedIn != nil
      ? "which has no remote, and nobody is signed in to its project"
      : "which has no remote to sync with yet"
  }

  private func sayLooking() {
    say(.warning, "the system does not report changes, so the files are checked every few seconds")
  }

  private func fail(_ error: any Error, ending: String = "") {
    let failure = prose.errorWords(for: error)
    say(.failed, failure.message + ending)
    failure.problems.forEach(warn)
  }

  private func warn(_ problem: Problem) {
    say(.warning, [problem.place, problem.message].compactMap(\.self).joined(separator: ": "))
  }

  private func tell(
    _ adoption: Writing.Adoption, _ household: Household, _ larder: isolated Larder
  ) {
    prose.problems(adoption.notes, in: household).forEach(warn)
    if adoption.plainCommits > 0 {
      say(.adopted, "adopted \(counted(adoption.plainCommits, "commit")) made with git")
    }
    guard let first = adoption.commits.first, let before = before(first, larder) else { return }
    tell(adoption.changed, before, household, .adopted, "adopted")
  }

  private func tell(_ outcome: SyncOutcome) {
    let words = SyncWords(outcome: outcome)
    for warning in words.warnings { say(.warning, warning) }
    say(.done, words.sentence)
    tell(outcome.changed, outcome.before, outcome.after, .received, "received")
  }

  private func tell(_ outcome: CloudOutcome) {
    guard let pulled = outcome.pulled, let pushed = outcome.pushed else { return }
    for warning in outcome.warnings { say(.warning, warning) }
    let losses = outcome.lossWords
    if !losses.isEmpty {
      say(.warning, LossWords.sentence(losses.map(\.shortText), in: "the merge"))
    }
    say(CloudWords.verdict(pulled, pushed), CloudWords.line(pulled, pushed))
    tell(pulled.changed, pulled.before, pulled.household, .received, "received")
    tell(pushed.changed, pushed.before, pushed.household, .received, "received")
  }

  /// Returns the household before a commit.
  private func before(_ commit: ObjectID, _ larder: isolated Larder) -> Household? {
    telling { try larder.household(at: commit.hex + "~1") ?? Household() }
  }

  /// Runs `body` for a message; an error is reported, and the watch goes on.
  private func telling<Value>(_ body: () throws -> Value) -> Value? {
    do {
      return try body()
    } catch {
      fail(error)
      return nil
    }
  }

  private func say(_ sign: Sign, _ text: String) { lines.say(sign, text) }

  /// Tells the changes of entities between two households.
  private func tell(
    _ keys: [EntityKey], _ before: Household, _ after: Household, _ sign: Sign, _ verb: String
  ) {
    let summaries = DifferenceWords.summaries(keys, from: before, to: after)
    for summary in summaries.prefix(Self.most) { say(sign, "\(verb) \(summary)") }
    let rest = summaries.count - Self.most
    if rest > 0 { say(sign, "\(verb) \(rest) more; 'larder log' tells them all") }
  }
}
