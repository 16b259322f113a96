import LarderJSON
import LarderModel
import LarderSync

/// What a sync says while it runs and when it is done.
struct SyncWords {
  let outcome: SyncOutcome
  /// How many edited files a sync would adopt and send besides; nil for a real one.
  var waiting: Int?
  /// What lost in merges that were made or received, and has not been written since.
  var losses: [LossWords] = []

  private var isDryRun: Bool { waiting != nil }

  /// A step as it begins.
  static func line(of event: SyncEvent) -> String {
    switch event {
    case .fetching(let remote): "🔄 fetching from \(remote)"
    case .joining(let commits): "🔄 joining \(counted(commits, "commit"))"
    case .pushing(let commits): "🔄 sending \(counted(commits, "commit"))"
    case .retrying(let attempt): "⚠️ somebody else was quicker; once more (\(attempt))"
    }
  }

  /// What came of it: sentences on standard error, the changes or the counts on standard output.
  func report(_ output: Output) {
    for conflict in outcome.conflicts {
      output.note(
        "⚠️ \(conflict.path) was changed on both sides; the other version is \(conflict.second)")
    }
    output.note("✅ " + sentence)
    if !losses.isEmpty {
      output.note("⚠️ " + LossWords.sentence(losses.map(\.shortText), in: "the merge"))
      output.hint(LossWords.hint)
    }
    switch output.mode {
    case .json: output.changed(outcome.changed, in: outcome.after, members)
    case .plain: counts.forEach { output.record([$0.0, String($0.1)]) }
    case .human:
      let words = DifferenceWords(before: outcome.before, after: outcome.after)
      let differences = outcome.after.differences(from: outcome.before, of: outcome.changed)
      for difference in differences.prefix(20) { output.line(words.summary(difference)) }
      if differences.count > 20 { output.line("and \(differences.count - 20) more") }
    }
  }

  private var place: String { "\(outcome.remote)/\(outcome.branch)" }

  private var sentence: String {
    let received = counted(outcome.received, "commit")
    if let waiting {
      let edits = waiting == 0 ? "" : ", and the edits of \(counted(waiting, "file"))"
      return "\(received) would come from \(place), \(outcome.sent) would go\(edits)"
    }
    if outcome.received == 0, outcome.sent == 0 { return "up to date with \(place)" }
    let joined = outcome.hasJoined ? ", both sides joined" : ""
    return "in sync with \(place): \(received) received, \(outcome.sent) sent\(joined)"
  }

  private var counts: [(String, Int)] {
    [
      ("received", outcome.received), ("sent", outcome.sent),
      ("merged", outcome.hasJoined ? 1 : 0), ("changed", outcome.changed.count),
      ("retries", outcome.retries),
    ]
  }

  private var members: [JSONMember] {
    [
      JSONMember("remote", .string(outcome.remote)), JSONMember("branch", .string(outcome.branch)),
      JSONMember("isDryRun", .bool(isDryRun)),
      JSONMember("received", .number(String(outcome.received))),
      JSONMember("sent", .number(String(outcome.sent))),
      JSONMember("merged", .number(outcome.hasJoined ? "1" : "0")),
      JSONMember("retries", .number(String(outcome.retries))),
      JSONMember("lost", .array(losses.map { .object($0.json) })),
      JSONMember(
        "conflicts",
        .array(
          outcome.conflicts.map { conflict in
            .object([
              JSONMember("path", .string(conflict.path)),
              JSONMember("second", .string(conflict.second)),
            ])
          })),
    ]
  }
}
