import LarderKit
import LarderText

/// `larder sync`: syncs this device with the others, through git and the cloud.
enum SyncCommand {
  static let dryRun = Option(
    "dry-run", help: "fetch and show what would come and go; change nothing")
  static let remote = Option(
    "remote", value: "R", help: "the git remote (if left out, the branch's own, else origin)")
  static let all = Option(
    "all", help: "sync with every git remote and the cloud, even if one can't be reached")
  static let joinHistories = Option(
    "join-histories",
    help: "join with another household, whose history shares no commit with this one")

  static let command = Command(
    "sync", group: "Household", options: [dryRun, remote, all, joinHistories],
    records: [
      Column.named.form(), SyncAllWords.record.form("with \(all.spelling), if there are remotes"),
    ]
  ) { invocation in
    if invocation.has(all), invocation[remote] != nil {
      throw invocation.usage(.conflictingOptions(remote.spelling, all.spelling))
    }
    try await invocation.withLarder { larder in
      do {
        if invocation.has(all) {
          try await syncAll(larder, invocation)
        } else if invocation.has(dryRun) {
          try await preview(larder, invocation)
        } else {
          let outcome = try await larder.sync(
            remote: invocation[remote], joiningHistories: invocation.has(joinHistories))
          try report(outcome, invocation.output)
        }
      } catch let status as ExitStatus {
        throw status
      } catch {
        invocation.output.note(.failed, "sync failed; your changes on this device are kept")
        throw error
      }
    }
  }

  private static func preview(_ larder: isolated Larder, _ invocation: Invocation) async throws {
    var words = SyncWords(outcome: try await larder.previewSync(remote: invocation[remote]))
    words.waiting = words.outcome.waiting
    words.report(invocation.output)
  }

  /// Reports the outcome; throws the error of git or of the project.
  private static func report(_ outcome: SyncResult, _ output: Output) throws {
    if case .failure(let failure) = outcome.git {
      outcome.cloud?.note(output)
      if let refusal = outcome.cloud?.refusal { output.warn(refusal.message) }
      throw failure
    }
    let words = try outcome.git?.get().words(outcome.losses, outcome.cloud)
    guard let cloud = outcome.cloud else { return words?.report(output) ?? () }
    if let failure = cloud.failure {
      if output.mode == .human { words?.report(output) }
      throw failure
    }
    try cloud.report(words, output)
  }

  private static func syncAll(_ larder: isolated Larder, _ invocation: Invocation) async throws {
    let outcome =
      invocation.has(dryRun)
      ? .remotes(try await larder.previewSyncAll(), cloud: nil, losses: [])
      : try await larder.syncAll(joiningHistories: invocation.has(joinHistories))
    switch outcome {
    case .alone(let outcome): try report(outcome, invocation.output)
    case .remotes(let results, let cloud, let losses):
      var together = results.together?.words(losses, cloud)
      if invocation.has(dryRun) { together?.waiting = results.together?.waiting }
      let summary = SyncAllWords(
        results: results, together: together, prose: MessageWords(about: larder),
        lossesInCloud: cloud?.lossWords ?? [])
      try report(summary, cloud, invocation.output)
    }
  }

  private static func report(
    _ summary: SyncAllWords, _ cloud: CloudOutcome?, _ output: Output
  ) throws {
    if let failure = cloud?.failure {
      if output.mode == .human { summary.report(output) }
      throw failure
    }
    cloud?.note(output)
    summary.report(output, also: cloud?.member ?? [:])
    if let failure = summary.failure { throw ExitStatus(code: failure.kind.exitCode) }
    try cloud?.check()
  }
}

extension SyncOutcome {
  /// Returns the words for a sync, with the values that lost in it.
  fileprivate func words(_ losses: [LostWrite], _ cloud: CloudOutcome?) -> SyncWords {
    var words = SyncWords(outcome: self)
    words.losses = LossWords.all(losses, in: after)
    words.lossesInCloud = cloud?.lossWords ?? []
    return words
  }
}

/// The messages of a sync, during it and at its end.
struct SyncWords {
  let outcome: SyncOutcome
  /// The number of edited files that a sync would also adopt and send; nil if this is no dry run.
  var waiting: Int?
  /// The values that lost in the sync's merges and that nobody has written since then.
  var losses: [LossWords] = []
  /// The values that lost in the cloud's part of the sync, which were already reported.
  var lossesInCloud: [LossWords] = []

  private var isDryRun: Bool { waiting != nil }

  /// Returns the line for the start of a step; nil if it is reported elsewhere.
  static func line(of event: SyncEvent) -> (Sign, String)? {
    switch event {
    case .adopted: nil
    case .fetching(let remote): (.atWork, "fetching from \(remote)")
    case .waiting(let remote): (.waiting, waiting(for: remote))
    case .joining(let commits): (.atWork, "joining \(counted(commits, "commit"))")
    case .pushing(let commits): (.atWork, "sending \(counted(commits, "commit"))")
    case .retrying(let attempt): (.warning, "somebody else was quicker; once more (\(attempt))")
    }
  }

  /// Returns the line for a remote that sends nothing.
  static func waiting(for remote: String) -> String {
    "\(remote) has said nothing yet; Ctrl-C stops waiting, and nothing is lost"
  }

  /// Reports the result: sentences on standard error, the changes or the counts on standard output.
  func report(_ output: Output, also more: JSON = [:]) {
    reportConflicts(output)
    output.note(.done, sentence)
    LossWords.report(losses, output)
    switch output.mode {
    case .json:
      output.changed(
        outcome.changed, in: outcome.after, json + LossWords.member(losses + lossesInCloud) + more)
    case .plain: output.records(counts.map { ($0.0, String($0.1)) })
    case .human: reportChanges(output)
    }
  }

  func reportConflicts(_ output: Output) {
    for warning in warnings { output.note(.warning, warning) }
  }

  func reportChanges(_ output: Output) {
    output.changes(outcome.changed, from: outcome.before, to: outcome.after)
  }

  /// The files of which both versions were kept.
  var warnings: [String] {
    outcome.conflicts.map {
      "\($0.path) was changed on both sides; the other version is \($0.second)"
    } + outcome.namesakes.map { namesake($0) }
  }

  /// The warning about a reference that git takes for the branch, and the way to give it another name.
  private func namesake(_ name: String) -> String {
    let remote = outcome.remote
    let told =
      "\(remote) has \(name) as well, whose name ends like that of the branch \(outcome.branch); "
      + "plain git sends nothing there as long as it has"
    guard let branch = name.afterBytes(of: "refs/heads/") else { return told }
    let copy = "refs/remotes/\(remote)/\(branch):refs/heads/\(outcome.branch)-of-others"
    return told
      + ": 'larder git -- push --atomic \(shellWord(remote)) \(shellWord(copy)) "
      + "\(shellWord(":" + name))' gives it another name"
  }

  private var place: String { "\(outcome.remote)/\(outcome.branch)" }

  /// The result in one line.
  var sentence: String {
    let received = counted(outcome.received, "commit")
    if let waiting {
      let edits = waiting == 0 ? "" : ", and the edits of \(counted(waiting, "file"))"
      return "\(received) would come from \(place), \(outcome.sent) would go\(edits)"
    }
    if outcome.received == 0, outcome.sent == 0 { return "up to date with \(place)" }
    let joined = outcome.hasJoined ? ", both sides joined" : ""
    return "in sync with \(place): \(received) received, \(outcome.sent) sent\(joined)"
  }

  var counts: [(String, Int)] {
    [
      ("received", outcome.received), ("sent", outcome.sent),
      ("merged", outcome.hasJoined ? 1 : 0), ("changed", outcome.changed.count),
      ("retries", outcome.retries),
    ]
  }

  var json: JSON {
    [
      "remote": .string(outcome.remote), "branch": .string(outcome.branch),
      "isDryRun": .bool(isDryRun), "received": .number(outcome.received),
      "sent": .number(outcome.sent), "merged": .number(outcome.hasJoined ? 1 : 0),
      "retries": .number(outcome.retries),
      "conflicts": .array(
        outcome.conflicts.map { conflict in
          ["path": .string(conflict.path.text), "second": .string(conflict.second.text)]
        }),
    ]
  }
}

/// The final messages of a sync with all remotes.
struct SyncAllWords {
  let results: RemoteResults
  /// All successful syncs combined; nil if none succeeded.
  let together: SyncWords?
  let prose: MessageWords
  /// The values that lost in the cloud's part of the sync, which were already reported.
  var lossesInCloud: [LossWords] = []

  /// The records of the counts of each remote.
  static let record = Column<(remote: String, name: String, count: String)>.records(
    ("remote", { $0.remote }), ("name", { $0.name }), ("value", { $0.count }))

  private var failures: [(remote: String, error: ErrorWords)] {
    results.each.compactMap { result in
      guard case .failure(let error) = result.outcome else { return nil }
      return (result.remote, prose.errorWords(for: error))
    }
  }

  /// The failed remotes as one error; nil if all succeeded.
  var failure: ErrorWords? {
    let failures = failures
    guard let first = failures.first else { return nil }
    let hints = failures.flatMap(\.error.hints).unique
    guard failures.count > 1 else {
      return ErrorWords(
        first.error.kind, "can't sync with \(first.remote): \(first.error.message)",
        problems: first.error.problems, hints: hints)
    }
    // An error that a person has to fix counts more than one that a new attempt may fix.
    let kinds = failures.map(\.error.kind)
    return ErrorWords(
      kinds.first { $0 != .unreachable } ?? .unreachable,
      "can't sync with \(failures.count) of \(results.each.count) remotes",
      problems: failures.flatMap { failure in
        [Problem("\(failure.remote): \(failure.error.message)")] + failure.error.problems
      }, hints: hints)
  }

  /// Reports a sentence for each remote, the changes once, and then the failures.
  func report(_ output: Output, also more: JSON = [:]) {
    together?.reportConflicts(output)
    for words in each { output.note(.done, words.sentence) }
    LossWords.report(together?.losses ?? [], output)
    switch output.mode {
    case .json: reportJSON(output, also: more)
    case .plain:
      output.records(
        each.flatMap { words in
          words.counts.map { (words.outcome.remote, $0.0, String($0.1)) }
        }, Self.record)
    case .human: together?.reportChanges(output)
    }
    guard let failure else { return }
    output.note(
      .failed,
      together == nil
        ? "sync failed; your changes on this device are kept"
        : "\(failures.map(\.remote).joined(separator: ", ")): not synced; "
          + "your changes on this device are kept")
    if output.mode != .json { output.report(failure) }
  }

  /// The words for each successful remote.
  private var each: [SyncWords] {
    results.each.compactMap { result in
      guard case .success(let outcome) = result.outcome else { return nil }
      return SyncWords(outcome: outcome, waiting: together?.waiting)
    }
  }

  private func reportJSON(_ output: Output, also more: JSON) {
    let losses = (together?.losses ?? []) + lossesInCloud
    let members: JSON =
      ["remotes": .array(results.each.map { remote($0) })] + LossWords.member(losses) + more
      + ["error": failure?.json]
    output.changed(
      together?.outcome.changed ?? [], in: together?.outcome.after ?? Household(), members)
  }

  private func remote(_ result: RemoteResults.One) -> JSON {
    switch result.outcome {
    case .success(let outcome):
      SyncWords(outcome: outcome, waiting: together?.waiting).json
    case .failure(let error):
      ["remote": .string(result.remote), "error": prose.errorWords(for: error).json]
    }
  }
}
