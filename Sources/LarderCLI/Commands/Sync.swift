import LarderGit
import LarderModel
import LarderStore
import LarderSync

/// `larder sync`: this device and the others, through git remotes.
enum SyncCommand {
  static let dryRun = Option(
    "dry-run", help: "fetch and tell what would come and go; change nothing")
  static let remote = Option(
    "remote", value: "R", help: "the git remote (the branch's own, else origin, if left out)")
  static let all = Option(
    "all", help: "every git remote and the cloud, also where one can't be reached")
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

      Where the household is connected to a project ('larder help cloud'), it comes next: what is new \
      there is joined and what is pending sent, and the remote gets what came. A project that can't \
      be reached keeps nothing from being synced by git, nor a remote anything from the project; one that refuses something is told, and the \
      exit code is 1 until it takes it.

      Remotes over ssh and https are reached by the git program, with all that is configured for it: \
      keys, credential helpers, proxies. At a terminal git or ssh may ask for a password, unless \
      --no-input forbids it; elsewhere nothing ever waits for an answer. A server that says nothing \
      for a minute is given up, or as git's http.lowSpeedTime and ssh's ConnectTimeout say.
      """,
    group: "Household",
    examples: [
      Example("larder sync"), Example("larder sync --dry-run", "what would come and go"),
      Example("larder sync --all", "the server at home and the disk for the backup"),
    ],
    options: [dryRun, remote, all, joinHistories]
  ) { invocation in
    if invocation.has(all), invocation[remote] != nil {
      throw UsageError(
        [.conflictingOptions(remote.spelling, all.spelling)], in: invocation.path)
    }
    try invocation.withStore { store in
      do {
        let known = try store.repository?.head().commit
        let synchronizer = Synchronizer(store: store) { event in
          if let line = SyncWords.line(of: event) { invocation.output.note(line) }
          invocation.log(.git, event.logged)
          guard case .adopted(let adoption, let household) = event else { return }
          invocation.warn(about: adoption, in: store, household)
        }
        if invocation.has(all) {
          try syncAll(invocation, store, synchronizer, since: known)
        } else {
          try sync(invocation, store, synchronizer, since: known)
        }
      } catch let status as ExitStatus {
        throw status
      } catch {
        invocation.output.note("❌ sync failed; what was done on this device stays done")
        throw error
      }
    }
  }

  private static func sync(
    _ invocation: Invocation, _ store: Store, _ synchronizer: Synchronizer, since known: ObjectID?
  ) throws {
    if let cloud = try CloudRoad(of: store, invocation) {
      return try sync(invocation, store, synchronizer, since: known, also: cloud)
    }
    let outcome: SyncOutcome
    do {
      outcome = try synchronizer.sync(
        remote: invocation[remote], joiningHistories: invocation.has(joinHistories),
        isDryRun: invocation.has(dryRun))
    } catch SyncError.noRemote {
      // The only road that there is, is closed by choice.
      if try store.isLocalOnly, try store.cloudURL != nil { throw CloudUseError.localOnly }
      throw SyncError.noRemote
    }
    try words(for: outcome, invocation, store, since: known).report(invocation.output)
  }

  /// Git first, then the cloud, then git again if the cloud brought something.
  private static func sync(
    _ invocation: Invocation, _ store: Store, _ synchronizer: Synchronizer,
    since known: ObjectID?, also cloud: CloudRoad
  ) throws {
    var outcome: SyncOutcome?
    var failure: (any Error)?
    do {
      outcome = try synchronizer.sync(joiningHistories: invocation.has(joinHistories))
    } catch SyncError.noRemote {
      // The cloud is the only road.
    } catch  where error is GitError || error is SyncError {
      failure = error
    }
    let exchange = try cloud.exchange()
    if let failure {
      // One road that is closed keeps nobody from the other.
      exchange.note(invocation.output)
      if let failure = exchange.failure { invocation.output.warn(failure.message) }
      throw failure
    }
    let words = try outcome.map { outcome in
      let both =
        exchange.changed.isEmpty ? outcome : outcome.followed(by: try synchronizer.sync())
      var words = try self.words(for: both, invocation, store, since: known)
      words.lossesInCloud = exchange.losses
      return words
    }
    if let failure = exchange.failure {
      if let words, invocation.output.mode == .human { words.report(invocation.output) }
      throw failure
    }
    try exchange.report(words, invocation.output)
  }

  /// Every remote, then the cloud, then every remote again if the cloud brought something.
  private static func syncAll(
    _ invocation: Invocation, _ store: Store, _ synchronizer: Synchronizer, since known: ObjectID?
  ) throws {
    let cloud = try CloudRoad(of: store, invocation)
    func syncAll() throws -> RemoteResults {
      try synchronizer.syncAll(
        joiningHistories: invocation.has(joinHistories), isDryRun: invocation.has(dryRun))
    }
    var results: RemoteResults
    do {
      results = try syncAll()
    } catch SyncError.noRemote where cloud != nil {
      return try sync(invocation, store, synchronizer, since: known)
    }
    let exchange = try cloud?.exchange()
    if exchange?.changed.isEmpty == false { results = results.followed(by: try syncAll()) }
    let together = try results.together.map {
      try words(for: $0, invocation, store, since: known)
    }
    let summary = SyncAllWords(
      results: results, together: together, prose: prose(store),
      lossesInCloud: exchange?.losses ?? [])
    if let failure = exchange?.failure {
      if invocation.output.mode == .human { summary.report(invocation.output) }
      throw failure
    }
    exchange?.note(invocation.output)
    summary.report(invocation.output, also: exchange?.member)
    if let failure = summary.failure { throw ExitStatus(code: failure.kind.exitCode) }
    try exchange?.check()
  }

  /// The words for what a sync came to.
  private static func words(
    for outcome: SyncOutcome, _ invocation: Invocation, _ store: Store, since known: ObjectID?
  ) throws -> SyncWords {
    var words = SyncWords(outcome: outcome)
    words.losses = try losses(outcome, since: known, store)
    if invocation.has(dryRun) { words.waiting = outcome.waiting }
    return words
  }

  private static func prose(_ store: Store) -> Prose {
    Prose(about: store)
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

extension SyncEvent {
  /// What the log says of it.
  fileprivate var logged: String {
    switch self {
    case .adopted(let adoption, _): "adopted \(counted(adoption.changed.count, "thing"))"
    case .fetching(let remote): "fetching from \(remote)"
    case .waiting(let remote): "waiting for \(remote)"
    case .joining(let commits): "joining \(counted(commits, "commit"))"
    case .pushing(let commits): "pushing \(counted(commits, "commit"))"
    case .retrying(let attempt): "retrying for the \(attempt). time"
    }
  }
}
