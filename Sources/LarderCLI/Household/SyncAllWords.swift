import LarderJSON
import LarderKit

/// The final messages of a sync with all remotes.
struct SyncAllWords {
  let results: RemoteResults
  /// All successful syncs combined; nil if none succeeded.
  let together: SyncWords?
  let prose: MessageWords
  /// The values that lost in the cloud's part of the sync, which were already reported.
  var lossesInCloud: [LossWords] = []

  /// The records of the counts of each remote.
  static let record = Record<(remote: String, name: String, count: String)>(
    ("remote", { $0.remote }), ("name", { $0.name }), ("value", { $0.count }))

  private var failures: [(remote: String, error: CommandError)] {
    results.each.compactMap { result in
      guard case .failure(let error) = result.outcome else { return nil }
      return (result.remote, prose.commandError(for: error))
    }
  }

  /// The failed remotes as one error; nil if all succeeded.
  var failure: CommandError? {
    let failures = failures
    guard let first = failures.first else { return nil }
    var hints: [String] = []
    for hint in failures.flatMap(\.error.hints) where !hints.contains(hint) { hints.append(hint) }
    guard failures.count > 1 else {
      return CommandError(
        first.error.kind, "can't sync with \(first.remote): \(first.error.message)",
        problems: first.error.problems, hints: hints)
    }
    // An error that a person has to fix counts more than one that a new attempt may fix.
    let kinds = failures.map(\.error.kind)
    return CommandError(
      kinds.first { $0 != .unreachable } ?? .unreachable,
      "can't sync with \(failures.count) of \(results.each.count) remotes",
      problems: failures.flatMap { failure in
        [Problem("\(failure.remote): \(failure.error.message)")] + failure.error.problems
      }, hints: hints)
  }

  /// Reports a sentence for each remote, the changes once, and then the failures.
  func report(_ output: Output, also more: JSONMember? = nil) {
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

  private func reportJSON(_ output: Output, also more: JSONMember?) {
    var members = [
      JSONMember("remotes", .array(results.each.map { remote($0) })),
      LossWords.member((together?.losses ?? []) + lossesInCloud),
    ]
    if let more { members.append(more) }
    if let failure { members.append(JSONMember("error", failure.json)) }
    if let outcome = together?.outcome {
      output.changed(outcome.changed, in: outcome.after, members)
    } else {
      output.json([JSONMember("changed", .array([]))] + members)
    }
  }

  private func remote(_ result: RemoteResults.One) -> JSON {
    switch result.outcome {
    case .success(let outcome):
      .object(SyncWords(outcome: outcome, waiting: together?.waiting).members)
    case .failure(let error):
      .object([
        JSONMember("remote", .string(result.remote)),
        JSONMember("error", prose.commandError(for: error).json),
      ])
    }
  }
}
