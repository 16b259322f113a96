import LarderKit

/// The texts of exchanges with the cloud.
enum CloudWords {
  /// Returns the line for the progress of an exchange.
  static func line(of progress: CloudProgress) -> String {
    switch progress {
    case .pulled(let rows): "\(counted(rows, "row")) from the cloud"
    case .pushed(let entities, let all): "\(entities) of \(all) sent to the cloud"
    }
  }

  /// Returns the log's line for the progress of an exchange.
  static func logged(_ progress: CloudProgress) -> String {
    switch progress {
    case .pulled(let rows): "read \(counted(rows, "row")) so far"
    case .pushed(let entities, let all): "sent \(entities) of \(all)"
    }
  }

  static func report(_ outcome: PullOutcome, _ output: Output) {
    tell(outcome, output)
    hint(about: outcome, output)
    LossWords.report(LossWords.all(outcome.lost, in: outcome.household), output)
    report(outcome.changed, (outcome.before, outcome.household), members(outcome), output)
  }

  private static func tell(_ outcome: PullOutcome, _ output: Output) {
    warnings(about: outcome.refused).forEach { output.warn($0) }
    output.note(verdict(outcome.left.isEmpty), sentence(outcome))
  }

  static func report(_ outcome: PushOutcome, _ output: Output) throws {
    warnings(about: outcome.failed, in: outcome.household).forEach { output.warn($0) }
    output.note(verdict(outcome.state.isComplete), sentence(outcome))
    report(outcome.changed, (outcome.before, outcome.household), members(outcome), output)
    try check(outcome.state)
  }

  /// Throws the exit code if the cloud refuses something, which was already reported.
  static func check(_ state: CloudState) throws {
    guard state.hasRefusals else { return }
    throw ExitStatus(code: ErrorKind.failed.exitCode)
  }

  /// Returns the sign at the start of a line: everything is complete, or something is missing.
  static func verdict(_ isWhole: Bool) -> Sign { isWhole ? .done : .warning }

  /// Returns the sign of both directions of an exchange.
  static func verdict(_ pulled: PullOutcome, _ pushed: PushOutcome) -> Sign {
    verdict(pulled.left.isEmpty && pushed.state.isComplete)
  }

  static func report(_ outcome: WarmUpOutcome, _ output: Output) {
    if let offline = outcome.offline {
      let reason = MessageWords().errorWords(for: offline).message
      output.note(.warning, "the cloud can't be reached: \(reason); nothing was fetched")
    } else if outcome.fromCacheOnly {
      output.note(.done, "the cloud was already asked today; nothing was fetched")
    } else {
      tell(outcome.pulled, output)
    }
    report(
      outcome.pulled.changed, (outcome.pulled.before, outcome.pulled.household),
      [
        "fetchedCount": .number(outcome.fetchedCount),
        "updatedLocalCount": .number(outcome.updatedLocalCount),
        "fromCacheOnly": .bool(outcome.fromCacheOnly),
      ], output)
  }

  static func sentence(_ outcome: PullOutcome) -> String {
    let count = outcome.changed.count
    let left = outcome.left.count
    return
      (count == 0 ? "nothing new in the cloud" : "\(counted(count, "thing")) new from the cloud")
      + (left == 0 ? "" : ", \(counted(left, "row")) left there")
  }

  /// Returns the sentence about what was sent, and what the cloud still lacks.
  static func sentence(_ outcome: PushOutcome) -> String {
    let state = outcome.state
    if state.isComplete, outcome.attempted == 0 { return "the cloud has everything" }
    let things = outcome.synced == 0 ? "nothing" : counted(outcome.synced, "thing")
    let lacking =
      state.isComplete ? "" : ", which still lacks " + state.lacking.joined(separator: ", ")
    return "\(things) sent to the cloud\(lacking)"
  }

  static func members(_ outcome: PullOutcome) -> JSON {
    [
      "fetched": .number(outcome.fetchedCount), "refused": .number(outcome.refused.count),
      "left": .number(outcome.left.count),
    ]
  }

  static func members(_ outcome: PushOutcome) -> JSON {
    [
      "attempted": .number(outcome.attempted), "synced": .number(outcome.synced),
      "failed": .number(outcome.failed.count), "failedIds": .texts(outcome.failed.map(\.key.id)),
      "pending": .number(outcome.state.count(.pending)),
      "parked": .number(outcome.state.count(.parked)),
      "unreadable": .number(outcome.state.untaken.count),
    ]
  }

  /// Returns one line about both directions of an exchange.
  static func line(_ pulled: PullOutcome, _ pushed: PushOutcome) -> String {
    "\(sentence(pulled)), \(sentence(pushed))"
  }

  /// Returns the warnings about changes that the cloud refused.
  static func warnings(about failed: [Outbox.Entry], in household: Household) -> [String] {
    failed.map { entry in
      let name = household[entry.key]?.title ?? entry.key.id
      let parked =
        entry.isParked ? "; it is parked now, and 'larder cloud retry' tries again" : ""
      return "the cloud refused \(name): \(entry.reason)\(parked)"
    }
  }

  /// Names the command that lists rows which were left there earlier.
  static func hint(about outcome: PullOutcome, _ output: Output) {
    guard outcome.left.count > outcome.refused.count else { return }
    output.hint("'larder cloud status' names what was left in the cloud")
  }

  /// Returns the warnings about rows in the cloud that break the format.
  static func warnings(about refused: [RefusedRow]) -> [String] {
    refused.map { row in
      let reason =
        switch row.reason {
        case .mistakes: "is not what the format allows"
        case .tooLong: "is over 16 MiB"
        }
      return "a row of \(row.table) in the cloud \(reason) and was left there: \(row.id)"
    }
  }

  private static func report(
    _ changed: [EntityKey], _ sides: (before: Household, after: Household),
    _ members: JSON, _ output: Output
  ) {
    switch output.mode {
    case .json: output.changed(changed, in: sides.after, members)
    case .plain:
      output.records(
        (members.members ?? []).compactMap { member in
          (member.value.number ?? member.value.bool.map(String.init)).map { (member.key, $0) }
        })
    case .human: output.changes(changed, from: sides.before, to: sides.after)
    }
  }
}

extension Output {
  /// Prints the changes that came from elsewhere, one line each.
  func changes(_ keys: [EntityKey], from before: Household, to after: Household, most: Int = 20) {
    let summaries = DifferenceWords.summaries(keys, from: before, to: after)
    for summary in summaries.prefix(most) { line(summary) }
    if summaries.count > most { line("and \(summaries.count - most) more") }
  }

  /// Reports a change of this device that is not part of any commit.
  func confirm(_ sentence: String, _ members: JSON = [:]) {
    if mode == .json {
      json(["changed": .array([])] + members)
    } else {
      line(sentence)
    }
  }
}

extension CloudOutcome {
  /// The error of the project or this device, in words.
  var refusal: ErrorWords? { failure.map { MessageWords().errorWords(for: $0) } }

  /// The values that both sides had written and that were not taken, in words.
  var lossWords: [LossWords] { household.map { LossWords.all(losses, in: $0) } ?? [] }

  /// Reports the outcome, after the result of the sync by git if there was one.
  ///
  /// Throws the exit code for a cloud that refuses something.
  func report(_ words: SyncWords?, _ output: Output) throws {
    note(output)
    if let words { words.report(output, also: member) } else { reportAlone(output) }
    try check()
  }

  /// Writes the outcome and its warnings to standard error.
  func note(_ output: Output) {
    warnings.forEach { output.warn($0) }
    if let offline {
      output.note(
        .warning,
        "the cloud can't be reached: \(offlineWords(offline.reason)); \(counted(offline.pending, "thing")) wait\(offline.pending == 1 ? "s" : "") for it"
      )
    } else if let pulled, let pushed {
      output.note(CloudWords.verdict(pulled, pushed), CloudWords.line(pulled, pushed))
      CloudWords.hint(about: pulled, output)
    }
  }

  func check() throws {
    if let pushed { try CloudWords.check(pushed.state) }
  }

  /// The warnings about what either side refused.
  var warnings: [String] {
    (pulled.map { CloudWords.warnings(about: $0.refused) } ?? [])
      + (pushed.map { CloudWords.warnings(about: $0.failed, in: $0.household) } ?? [])
  }

  /// The outcome as a member of a JSON object.
  var member: JSON {
    let offline: JSON? = offline.map {
      ["offline": .string(offlineWords($0.reason)), "pending": .number($0.pending)]
    }
    let sides: JSON = [
      "pulled": pulled.map { CloudWords.members($0) },
      "pushed": pushed.map { CloudWords.members($0) },
    ]
    return ["cloud": sides + (offline ?? [:])]
  }

  private func reportAlone(_ output: Output) {
    switch output.mode {
    case .json:
      output.changed(changed, in: household ?? Household(), member + LossWords.member(lossWords))
    case .plain: output.records([("changed", String(changed.count))])
    case .human:
      if let pulled {
        output.changes(pulled.changed, from: pulled.before, to: pulled.household)
      }
    }
  }

  private func offlineWords(_ error: TransportError) -> String {
    MessageWords().errorWords(for: error).message
  }
}
