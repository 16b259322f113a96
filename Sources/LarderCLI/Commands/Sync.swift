import LarderGit
import LarderJSON
import LarderModel
import LarderStore
import LarderSync

/// `larder sync`: this device and the others, through a git remote.
enum SyncCommand {
  static let dryRun = Option(
    "dry-run", help: "fetch and tell what would come and go; change nothing")
  static let remote = Option(
    "remote", value: "R", help: "the git remote (the branch's own, else origin, if left out)")
  static let joinHistories = Option(
    "join-histories", help: "join with a household whose history shares no commit with this one")

  static let command = Command(
    "sync", summary: "Bring this device and the others together",
    discussion: """
      Adopts what was edited by hand, fetches, joins what both sides did, and sends it; again where \
      somebody else was quicker. Of a field that both sides wrote, the later write stands; \
      quantities add up; nothing is deleted because it is missing on one side. What could not be \
      sent stays committed here and goes with the next sync. 'larder git -- remote add origin URL' \
      says where to sync.
      """,
    group: "Household",
    examples: [
      Example("larder sync"), Example("larder sync --dry-run", "what would come and go"),
    ],
    options: [dryRun, remote, joinHistories]
  ) { invocation in
    let output = invocation.output
    try invocation.withStore { store in
      let known = try store.repository?.head().commit
      do {
        let synchronizer = Synchronizer(store: store) { output.note(SyncWords.line(of: $0)) }
        let outcome = try synchronizer.sync(
          remote: invocation[remote], joiningHistories: invocation.has(joinHistories),
          isDryRun: invocation.has(dryRun))
        for adoption in outcome.adoptions {
          invocation.warn(about: adoption, in: store, outcome.after)
        }
        var words = SyncWords(outcome: outcome)
        words.losses = try losses(outcome, since: known, store)
        if invocation.has(dryRun) { words.waiting = outcome.waiting }
        words.report(output)
      } catch {
        output.note("❌ sync failed; what was done on this device stays done")
        throw error
      }
    }
  }

  /// What lost in the merges that came with a sync, this device's own among them.
  private static func losses(
    _ outcome: SyncOutcome, since known: ObjectID?, _ store: Store
  ) throws -> [LossWords] {
    guard outcome.received > 0 else { return [] }
    var losses: [LostWrite] = []
    try store.losses(since: known) { loss in
      losses.append(loss)
      return true
    }
    return LossWords.all(losses, in: outcome.after).filter { $0.state == .kept }
  }
}
