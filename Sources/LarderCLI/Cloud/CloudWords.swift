import LarderCloud
import LarderJSON
import LarderModel

/// What exchanges with the cloud say.
enum CloudWords {
  /// How far one is.
  static func line(of progress: CloudProgress) -> String {
    switch progress {
    case .pulled(let rows): "🔄 \(counted(rows, "row")) from the cloud"
    case .pushed(let entities, let all): "🔄 \(entities) of \(all) sent to the cloud"
    }
  }

  static func report(_ outcome: PullOutcome, _ output: Output) {
    warn(about: outcome.refused, output)
    output.note("✅ " + sentence(pulled: outcome.changed.count))
    report(outcome.changed, (outcome.before, outcome.household), pullMembers(outcome), output)
  }

  static func report(_ outcome: PushOutcome, _ output: Output) {
    warn(about: outcome.failed, in: outcome.household, output)
    let isWhole = outcome.failed.isEmpty
    output.note((isWhole ? "✅ " : "⚠️ ") + sentence(outcome))
    report(outcome.changed, (outcome.before, outcome.household), pushMembers(outcome), output)
  }

  static func report(_ outcome: WarmUpOutcome, _ output: Output) {
    let sentence =
      outcome.fromCacheOnly
      ? "nothing was asked of the cloud; what is here stands"
      : self.sentence(pulled: outcome.updatedLocalCount)
    output.note("✅ " + sentence)
    report(
      outcome.pulled.changed, (outcome.pulled.before, outcome.pulled.household),
      [
        JSONMember("fetchedCount", .number(String(outcome.fetchedCount))),
        JSONMember("updatedLocalCount", .number(String(outcome.updatedLocalCount))),
        JSONMember("fromCacheOnly", .bool(outcome.fromCacheOnly)),
      ], output)
  }

  static func sentence(pulled count: Int) -> String {
    count == 0 ? "nothing new in the cloud" : "\(counted(count, "thing")) new from the cloud"
  }

  static func sentence(_ outcome: PushOutcome) -> String {
    guard outcome.attempted > 0 else { return "the cloud has everything" }
    let refused = outcome.failed.isEmpty ? "" : ", \(outcome.failed.count) refused"
    return "\(counted(outcome.synced, "thing")) sent to the cloud\(refused)"
  }

  static func pullMembers(_ outcome: PullOutcome) -> [JSONMember] {
    [
      JSONMember("fetched", .number(String(outcome.fetchedCount))),
      JSONMember("refused", .number(String(outcome.refused.count))),
    ]
  }

  static func pushMembers(_ outcome: PushOutcome) -> [JSONMember] {
    [
      JSONMember("attempted", .number(String(outcome.attempted))),
      JSONMember("synced", .number(String(outcome.synced))),
      JSONMember("failed", .number(String(outcome.failed.count))),
      JSONMember("failedIds", .array(outcome.failed.map { .string($0.key.id) })),
    ]
  }

  /// What the cloud would not take.
  static func warn(about failed: [Outbox.Entry], in household: Household, _ output: Output) {
    for entry in failed {
      let name = household[entry.key]?.title ?? entry.key.id
      let parked =
        entry.isParked
        ? "; it is parked now, and 'larder cloud retry' tries again" : ""
      output.warn("the cloud refused \(name): \(entry.errorMessage)\(parked)")
    }
  }

  /// What others wrote there that is none of the format.
  static func warn(about refused: [RefusedRow], _ output: Output) {
    for row in refused {
      output.warn(
        "a row of \(row.table) in the cloud is not what the format allows and was left there: \(row.id)"
      )
    }
  }

  private static func report(
    _ changed: [EntityKey], _ sides: (before: Household, after: Household),
    _ members: [JSONMember], _ output: Output
  ) {
    switch output.mode {
    case .json: output.changed(changed, in: sides.after, members)
    case .plain:
      for member in members {
        guard let text = member.value.number ?? member.value.bool.map(String.init) else { continue }
        output.record([member.key, text])
      }
    case .human: output.changes(changed, from: sides.before, to: sides.after)
    }
  }
}

extension Output {
  /// What came from elsewhere, in a line each.
  func changes(_ keys: [EntityKey], from before: Household, to after: Household) {
    let words = DifferenceWords(before: before, after: after)
    let differences = after.differences(from: before, of: keys)
    for difference in differences.prefix(20) { line(words.summary(difference)) }
    if differences.count > 20 { line("and \(differences.count - 20) more") }
  }

  /// Tells that something of this device was done, which no commit has.
  func confirm(_ sentence: String, _ members: [JSONMember]) {
    if mode == .json {
      json([JSONMember("changed", .array([]))] + members)
    } else {
      line(sentence)
    }
  }
}
