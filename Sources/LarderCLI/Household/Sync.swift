import LarderKit

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
      Record.named.form(), SyncAllWords.record.form("with \(all.spelling), if there are remotes"),
    ]
  ) { invocation in
    if invocation.has(all), invocation[remote] != nil {
      throw UsageError(
        [.conflictingOptions(remote.spelling, all.spelling)], in: invocation.path)
    }
    try invocation.withLarder { larder in
      do {
        if invocation.has(all) {
          try syncAll(larder, invocation)
        } else if invocation.has(dryRun) {
          try preview(larder, invocation)
        } else {
          let outcome = try larder.sync(
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

  private static func preview(_ larder: Larder, _ invocation: Invocation) throws {
    var words = SyncWords(outcome: try larder.previewSync(remote: invocation[remote]))
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

  private static func syncAll(_ larder: Larder, _ invocation: Invocation) throws {
    let outcome =
      invocation.has(dryRun)
      ? .remotes(try larder.previewSyncAll(), cloud: nil, losses: [])
      : try larder.syncAll(joiningHistories: invocation.has(joinHistories))
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
