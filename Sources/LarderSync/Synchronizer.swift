internal import Foundation
internal import LarderGit
internal import LarderModel
public import LarderStore

/// The sync of a household with other devices through a git remote.
///
/// A sync adopts, fetches, merges and pushes. If somebody else pushed first, it waits a random time
/// and tries again. It never forces a push and never overwrites anything.
public struct Synchronizer {
  let store: Store
  private let report: (SyncEvent) -> Void
  private let attempts: Int

  /// Creates a synchronizer; `attempts`, at least one, is the largest number of pushes if others
  /// push first each time.
  public init(
    store: Store, attempts: Int = 12, report: @escaping (SyncEvent) -> Void = { _ in }
  ) {
    self.store = store
    self.attempts = max(1, attempts)
    self.report = report
  }

  /// Syncs the current branch with its upstream, or with the branch of the same name on a given
  /// remote.
  ///
  /// A dry run fetches, counts the commits that would come and go, and changes nothing else. Throws
  /// ``SyncError``, `StoreError` or `GitError`.
  public func sync(
    remote: String? = nil, joiningHistories: Bool = false, isDryRun: Bool = false
  ) throws -> SyncOutcome {
    let repository = try readyRepository()
    return try sync(repository, route(repository, remote), joiningHistories, isDryRun)
  }

  /// Whether the branch differs from the last known position of the remote's branch.
  package var isAhead: Bool {
    get throws {
      guard let repository = store.repository else { return false }
      do {
        let route = try route(repository, nil)
        return try repository.head().commit != repository.reference(route.tracking)
      } catch is SyncError {
        // The next sync reports why there is no remote branch.
        return false
      }
    }
  }

  func readyRepository() throws -> Repository {
    guard let repository = store.repository else {
      throw StoreError.notARepository(root: store.root)
    }
    // A rebase detaches HEAD, but people should read about the rebase first.
    if let operation = repository.operationInProgress() {
      throw StoreError.operationInProgress(operation)
    }
    if let loose = try store.looseHead() { throw StoreError.looseHead(loose) }
    return repository
  }

  func sync(
    _ repository: Repository, _ route: Route, _ joiningHistories: Bool, _ isDryRun: Bool
  ) throws -> SyncOutcome {
    try store.whileSyncing {
      if isDryRun { return try preview(repository, route) }
      return try exchange(repository, route, joiningHistories)
    }
  }

  private func exchange(_ repository: Repository, _ route: Route, _ joiningHistories: Bool) throws
    -> SyncOutcome
  {
    let adopted = try store.adopt()
    var outcome = SyncOutcome(
      remote: route.remote, branch: route.remoteBranch, before: adopted.household,
      after: adopted.household)
    if let adoption = adopted.adoption { report(.adopted(adoption, adopted.household)) }
    for attempt in 1...attempts {
      report(.fetching(remote: route.remote))
      let known = try repository.reference(route.tracking)
      try repository.fetch(
        remote: route.remote, pruning: true, waiting: { report(.waiting(remote: route.remote)) })
      let theirs = try repository.reference(route.tracking)
      // If a remote was emptied or replaced, its branch is gone; the known commits are kept and
      // pushed again.
      if let seen = theirs ?? known {
        try join(seen, repository, route, joiningHistories, &outcome)
      }
      guard let head = try repository.head().commit else { throw SyncError.noCommit }
      if head == theirs { return outcome }
      do {
        try push(head, over: theirs, repository, route, &outcome)
        return outcome
      } catch {
        guard mayPass(error, attempt) else { throw error }
      }
      outcome.retries = attempt
      guard attempt < attempts else { break }
      report(.retrying(attempt: attempt))
      pause(after: attempt)
    }
    throw SyncError.busy(attempts: attempts)
  }

  private func join(
    _ theirs: ObjectID, _ repository: Repository, _ route: Route, _ joiningHistories: Bool,
    _ outcome: inout SyncOutcome
  ) throws {
    let behind = try repository.head().commit.map { try repository.aheadBehind($0, theirs).behind }
    if behind == 0 { return }
    if let behind { report(.joining(commits: behind)) }
    do {
      let joining = try store.whileLocked { () throws(any Error) in
        try store.join(theirs, from: route.remote, joiningHistories: joiningHistories) {
          report(.adopted($0, $1))
        }
      }
      if case .upToDate = joining.course { return }
      outcome.received += behind ?? 0
      if case .merged = joining.course { outcome.hasJoined = true }
      if let household = joining.household {
        outcome.after = household
        outcome.changed = household.keys(differingFrom: outcome.before)
      }
      outcome.conflicts += joining.conflicts.map {
        SyncOutcome.Conflict(path: $0.path, second: $0.second)
      }
    } catch JoiningError.unrelatedHistories {
      throw SyncError.unrelatedHistories(remote: route.remote)
    } catch JoiningError.refused(let commit) {
      throw SyncError.refused(commit, remote: route.remote)
    } catch JoiningError.newerFormat(let format) {
      throw SyncError.newerFormat(format)
    }
  }

  /// Whether a failed push may succeed soon, because somebody else pushed first or is pushing now.
  ///
  /// A lock that remains after several attempts was left by a killed process.
  private func mayPass(_ error: any Error, _ attempt: Int) -> Bool {
    switch (error as? GitError)?.code {
    case .notFastForward: true
    case .locked: attempt < 6
    default: false
    }
  }

  private func push(
    _ head: ObjectID, over theirs: ObjectID?, _ repository: Repository, _ route: Route,
    _ outcome: inout SyncOutcome
  ) throws {
    if let refused = try store.ownRefusal(since: theirs) { throw SyncError.wouldBeRefused(refused) }
    let ahead = try theirs.map { try repository.aheadBehind(head, $0).ahead }
    let commits = try ahead ?? count(head, repository)
    report(.pushing(commits: commits))
    try repository.push(
      head, to: route.reference, remote: route.remote, expecting: theirs,
      waiting: { report(.waiting(remote: route.remote)) })
    outcome.sent = commits
    if route.isNew {
      try repository.setUpstream(
        ofBranch: route.branch, remote: route.remote,
        branch: route.remoteBranch)
    }
  }

  private func count(_ head: ObjectID, _ repository: Repository) throws -> Int {
    var count = 0
    try repository.history(from: head) { _ in
      count += 1
      return true
    }
    return count
  }

  private func preview(_ repository: Repository, _ route: Route) throws -> SyncOutcome {
    let reading = try store.read()
    var outcome = SyncOutcome(
      remote: route.remote, branch: route.remoteBranch, before: reading.household,
      after: reading.household)
    outcome.waiting = reading.edited.count
    report(.fetching(remote: route.remote))
    try repository.fetch(
      remote: route.remote, waiting: { report(.waiting(remote: route.remote)) })
    guard let head = try repository.head().commit else { throw SyncError.noCommit }
    if let theirs = try repository.reference(route.tracking) {
      let difference = try repository.aheadBehind(head, theirs)
      if difference.behind > 0, let refused = try store.refusal(of: theirs) {
        throw SyncError.refused(refused, remote: route.remote)
      }
      outcome.received = difference.behind
      outcome.sent = difference.ahead
    } else {
      outcome.sent = try count(head, repository)
    }
    return outcome
  }

  /// Waits a random time that grows with each attempt, up to three seconds.
  private func pause(after attempt: Int) {
    let most = min(3.0, 0.05 * Double(1 << min(attempt, 6)))
    Thread.sleep(forTimeInterval: Double.random(in: 0.01...most))
  }
}
