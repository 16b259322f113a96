internal import Foundation
internal import LarderGit
public import LarderModel
public import LarderText

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
    } catch StoreError.inTheWay(let files) {
      throw SyncError.inTheWay(files, remote: route.remote)
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
    outcome.namesakes = try repository.push(
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
      if difference.behind > 0 {
        do {
          try store.refuseInTheWay(of: theirs)
        } catch .inTheWay(let files) {
          throw SyncError.inTheWay(files, remote: route.remote)
        }
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

/// The outcome of a sync.
public struct SyncOutcome: Sendable {
  public var remote: String
  /// The remote's branch; its name may differ from the local branch's.
  public var branch: String
  /// The number of commits received from the remote.
  public var received = 0
  /// The number of commits sent to the remote.
  public var sent = 0
  /// Whether both sides had new commits, which were merged.
  public var hasJoined = false
  /// This device's household before the sync, including edits by hand.
  public var before: Household
  /// This device's household now.
  public var after: Household
  /// The entities that changed on this device.
  public var changed: [EntityKey] = []
  /// The files that are no entities and changed on both sides, with the path of the second version.
  public var conflicts: [Conflict] = []
  /// References of the remote that git takes for the branch, too, because their names end like its full
  /// name.
  public var namesakes: [String] = []
  /// The number of edited files that a dry run did not adopt.
  public var waiting = 0
  /// The number of attempts in which somebody else pushed first.
  public var retries = 0

  /// A file of which both versions were kept.
  public struct Conflict: Sendable, Hashable {
    public let path: FilePath
    public let second: FilePath
  }
}

/// A step of a sync, reported when it happens.
public enum SyncEvent: Sendable {
  /// Edits by hand or commits of plain git were adopted; they stay adopted if the sync fails.
  case adopted(Writing.Adoption, Household)
  case fetching(remote: String)
  /// The remote has sent nothing for five seconds; the sync gives up after a while.
  case waiting(remote: String)
  case joining(commits: Int)
  case pushing(commits: Int)
  /// Somebody else pushed first; the sync starts the next attempt.
  case retrying(attempt: Int)
}

/// An error of a sync; local changes that were already made are kept.
public enum SyncError: Error, Sendable {
  /// The household's repository has no remote yet.
  case noRemote
  case unknownRemote(name: String, known: [String])
  /// There are several remotes, and the branch follows none of them.
  case whichRemote([String])
  /// There is no commit yet.
  case noCommit
  /// The remote's history shares no commit with ours.
  case unrelatedHistories(remote: String)
  /// The remote's household has a format that is newer than this program.
  case newerFormat(String)
  /// A commit of the remote breaks a rule for household files, so it is not merged.
  case refused(RefusedCommit, remote: String)
  /// A commit of the cloned repository breaks a rule for household files.
  case refusedClone(RefusedCommit, url: String)
  /// The current commit breaks a rule, so other devices would refuse it; it is not pushed.
  case wouldBeRefused(RefusedCommit)
  /// Files here that no commit has as they are would be overwritten, so nothing was joined.
  case inTheWay([FileInTheWay], remote: String)
  /// Others pushed first in every attempt.
  case busy(attempts: Int)
  /// The cloned repository has no household.
  case noHousehold(url: String)
  /// Another process is cloning into the folder.
  case joining(String)
  /// The folder for the clone exists and is not empty.
  case folderInUse(String)
}

/// The remote and branch that a local branch is synced with.
struct Route {
  /// The local branch.
  let branch: String
  let remote: String
  /// The full name of the remote's branch, such as `refs/heads/main`.
  let reference: String
  /// The remote-tracking reference in this repository.
  let tracking: String
  /// Whether the branch has no upstream yet.
  var isNew: Bool

  /// The short name of the remote's branch.
  var remoteBranch: String {
    reference.afterBytes(of: "refs/heads/") ?? reference
  }
}

extension Synchronizer {
  func route(_ repository: Repository, _ named: String?) throws -> Route {
    let head = try repository.head()
    if case .unborn = head { throw SyncError.noCommit }
    guard let branch = try store.branch(of: head) else { throw SyncError.noRemote }
    let remotes = try repository.remotes()
    guard !remotes.isEmpty else { throw SyncError.noRemote }
    if let named, !remotes.contains(named) {
      throw SyncError.unknownRemote(name: named, known: remotes)
    }
    let upstream = try repository.upstream(ofBranch: branch)
    if let upstream, named ?? upstream.remote == upstream.remote {
      return Route(
        branch: branch, remote: upstream.remote, reference: upstream.reference,
        tracking: upstream.tracking ?? "refs/remotes/\(upstream.remote)/\(branch)", isNew: false)
    }
    let remote = named ?? (remotes.count == 1 ? remotes[0] : remotes.first { $0 == "origin" })
    guard let remote else { throw SyncError.whichRemote(remotes) }
    return Route(
      branch: branch, remote: remote, reference: "refs/heads/\(branch)",
      tracking: "refs/remotes/\(remote)/\(branch)", isNew: upstream == nil)
  }
}
