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
    warn(about: outcome.refused, output)
    output.note(verdict(outcome.left.isEmpty), sentence(outcome))
    hint(about: outcome, output)
    LossWords.report(LossWords.all(outcome.lost, in: outcome.household), output)
    report(outcome.changed, (outcome.before, outcome.household), pullMembers(outcome), output)
  }

  static func report(_ outcome: PushOutcome, _ output: Output) throws {
    warn(about: outcome.failed, in: outcome.household, output)
    output.note(verdict(outcome.state.isComplete), sentence(outcome))
    report(outcome.changed, (outcome.before, outcome.household), pushMembers(outcome), output)
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
      let reason = MessageWords().commandError(for: offline).message
      output.note(.warning, "the cloud can't be reached: \(reason); nothing was fetched")
    } else if outcome.fromCacheOnly {
      output.note(.done, "the cloud was already asked today; nothing was fetched")
    } else {
      warn(about: outcome.pulled.refused, output)
      output.note(verdict(outcome.pulled.left.isEmpty), sentence(outcome.pulled))
    }
    report(
      outcome.pulled.changed, (outcome.pulled.before, outcome.pulled.household),
      [
        JSONMember("fetchedCount", .number(String(outcome.fetchedCount))),
        JSONMember("updatedLocalCount", .number(String(outcome.updatedLocalCount))),
        JSONMember("fromCacheOnly", .bool(outcome.fromCacheOnly)),
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

  static func pullMembers(_ outcome: PullOutcome) -> [JSONMember] {
    [
      JSONMember("fetched", .number(String(outcome.fetchedCount))),
      JSONMember("refused", .number(String(outcome.refused.count))),
      JSONMember("left", .number(String(outcome.left.count))),
    ]
  }

  static func pushMembers(_ outcome: PushOutcome) -> [JSONMember] {
    [
      JSONMember("attempted", .number(String(outcome.attempted))),
      JSONMember("synced", .number(String(outcome.synced))),
      JSONMember("failed", .number(String(outcome.failed.count))),
      JSONMember("failedIds", .array(outcome.failed.map { .string($0.key.id) })),
      JSONMember("pending", .number(String(outcome.state.count(.pending)))),
      JSONMember("parked", .number(String(outcome.state.count(.parked)))),
      JSONMember("unreadable", .number(String(outcome.state.untaken.count))),
    ]
  }

  /// Returns one line about both directions of an exchange.
  static func line(_ pulled: PullOutcome, _ pushed: PushOutcome) -> String {
    "\(sentence(pulled)), \(sentence(pushed))"
  }

  /// Warns about changes that the cloud refused.
  static func warn(about failed: [Outbox.Entry], in household: Household, _ output: Output) {
    for warning in warnings(about: failed, in: household) { output.warn(warning) }
  }

  static func warnings(about failed: [Outbox.Entry], in household: Household) -> [String] {
    failed.map { entry in
      let name = household[entry.key]?.title ?? entry.key.id
      let parked =
        entry.isParked ? "; it is parked now, and 'larder cloud retry' tries again" : ""
      return "the cloud refused \(name): \(entry.reason)\(parked)"
    }
  }

  /// Warns about rows in the cloud that break the format.
  static func warn(about refused: [RefusedRow], _ output: Output) {
    for warning in warnings(about: refused) { output.warn(warning) }
  }

  /// Names the command that lists rows which were left there earlier.
  static func hint(about outcome: PullOutcome, _ output: Output) {
    guard outcome.left.count > outcome.refused.count else { return }
    output.hint("'larder cloud status' names what was left in the cloud")
  }

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
    _ members: [JSONMember], _ output: Output
  ) {
    switch output.mode {
    case .json: output.changed(changed, in: sides.after, members)
    case .plain:
      output.records(
        members.compactMap { member in
          (member.value.number ?? member.value.bool.map(String.init)).map { (member.key, $0) }
        })
    case .human: output.changes(changed, from: sides.before, to: sides.after)
    }
  }
}

extension Output {
  /// Prints the changes that came from elsewhere, one line each.
  func changes(_ keys: [EntityKey], from before: Household, to after: Household) {
    let words = DifferenceWords(before: before, after: after)
    let differences = after.differences(from: before, of: keys)
    for difference in differences.prefix(20) { line(words.summary(difference)) }
    if differences.count > 20 { line("and \(differences.count - 20) more") }
  }

  /// Reports a change of this device that is not part of any commit.
  func confirm(_ sentence: String, _ members: [JSONMember]) {
    if mode == .json {
      json([JSONMember("changed", .array([]))] + members)
    } else {
      line(sentence)
    }
  }
}

extension CloudOutcome {
  /// The error of the project or this device, in words.
  var refusal: CommandError? { failure.map { MessageWords().commandError(for: $0) } }

  /// The values that both sides had written and that were not taken, in words.
  var lossWords: [LossWords] { household.map { LossWords.all(losses, in: $0) } ?? [] }

  /// Reports the outcome, after the result of the sync by git if there was one.
  ///
  /// Throws the exit code for a cloud that refuses something.
  func report(_ words: SyncWords?, _ output: Output) throws {
    note(output)
    if let words {
      words.report(output, also: member)
    } else {
      reportAlone(output)
    }
    try check()
  }

  /// Writes the outcome and its warnings to standard error.
  func note(_ output: Output) {
    if let pulled { CloudWords.warn(about: pulled.refused, output) }
    if let pushed { CloudWords.warn(about: pushed.failed, in: pushed.household, output) }
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

  var member: JSONMember { JSONMember("cloud", json) }

  private func reportAlone(_ output: Output) {
    switch output.mode {
    case .json:
      output.changed(
        changed, in: household ?? Household(),
        [member, LossWords.member(lossWords)])
    case .plain: output.records([("changed", String(changed.count))])
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
      members.append(JSONMember("offline", .string(offlineWords(offline.reason))))
      members.append(JSONMember("pending", .number(String(offline.pending))))
    }
    return .object(members)
  }

  private func offlineWords(_ error: TransportError) -> String {
    MessageWords().commandError(for: error).message
  }
}
