internal import Foundation
internal import LarderGit
internal import LarderModel
internal import LarderStore
internal import Synchronization

/// A sync with git, then with the project, then with git again if the project brought something.
extension Larder {
  /// The names of the git remotes.
  public var remotes: [String] {
    get throws { try store.repository?.remotes() ?? [] }
  }

  /// Adds a git remote: a URL, or a path to a bare repository.
  public func addRemote(_ name: String = "origin", url: String) throws {
    try repository().addRemote(name, url: url)
  }

  /// Syncs this device with the others through git and the project.
  ///
  /// With `remote`, it syncs with this remote only and leaves out the project, as with `withProject` set to
  /// false. If one of them
  /// fails, the other is still used, and the outcome has both results. Throws `SyncError` if there
  /// is neither, and ``CloudUseError`` with `localOnly` if that setting forbids the only one.
  /// Without a project, git's errors are thrown too. Other calls of this larder go on meanwhile, as
  /// in every call that syncs.
  public nonisolated func sync(
    remote: String? = nil, joiningHistories: Bool = false, withProject: Bool = true
  ) async throws -> SyncResult {
    try await sync(remote, joiningHistories, withProject: withProject, isTold: true)
  }

  /// Syncs, and keeps what came of it; `isTold` says whether somebody waits for it.
  nonisolated func sync(
    _ remote: String? = nil, _ joiningHistories: Bool = false, withProject: Bool, isTold: Bool
  ) async throws -> SyncResult {
    try await beside { larder in
      do {
        let result = try await larder.syncBoth(remote, joiningHistories, withProject: withProject)
        switch result.git {
        case .success: larder.noteSync(.git, nil)
        case .failure(let error): larder.noteSync(.git, error, isTold: isTold)
        case nil: break
        }
        return result
      } catch SyncError.noRemote {
        throw SyncError.noRemote
      } catch {
        larder.noteSync(.git, error, isTold: isTold)
        throw error
      }
    }
  }

  /// Runs a sync in another larder of the household, so that calls of this one don't wait for it.
  private nonisolated func beside<Value: Sendable>(
    _ sync: @Sendable (isolated Larder) async throws -> Value
  ) async throws -> Value {
    let other = try await Larder.open(from: root, context)
    do {
      let value = try await sync(other)
      await noteCommits(of: other)
      return value
    } catch {
      await noteCommits(of: other)
      throw error
    }
  }

  private func noteCommits(of other: Larder) async {
    if await other.hasCommitted { hasCommittedBeside = true }
  }

  private func syncBoth(
    _ remote: String?, _ joiningHistories: Bool, withProject: Bool
  ) async throws -> SyncResult {
    let known = try head
    let synchronizer = synchronizer
    func syncByGit(_ named: String?) throws -> SyncOutcome {
      try synchronizer.sync(remote: named, joiningHistories: joiningHistories)
    }
    guard withProject, remote == nil, let cloud = try openCloud() else {
      do {
        return try SyncResult(git: .success(syncByGit(remote)), since: known, self)
      } catch SyncError.noRemote {
        throw try nothingToSyncWith()
      }
    }
    var git: Result<SyncOutcome, any Error>?
    do {
      git = .success(try syncByGit(nil))
    } catch SyncError.noRemote {
      // There is only the project.
    } catch let error as GitError {
      git = .failure(error)
    } catch let error as SyncError {
      git = .failure(error)
    }
    let visit = try await cloud.visit()
    if case .success(let first) = git, visit?.changed.isEmpty == false {
      git = Result { first.followed(by: try syncByGit(nil)) }
    }
    return try SyncResult(git: git, cloud: visit, since: known, self)
  }

  /// Fetches and counts the commits and edits that a sync would exchange; changes nothing else.
  public nonisolated func previewSync(remote: String? = nil) async throws -> SyncOutcome {
    try await beside { larder in
      do {
        return try larder.synchronizer.sync(remote: remote, isDryRun: true)
      } catch SyncError.noRemote {
        throw try larder.nothingToSyncWith()
      }
    }
  }

  /// Syncs with every remote, then with the project, then with every remote again if the project
  /// brought something.
  public nonisolated func syncAll(joiningHistories: Bool = false) async throws -> SyncAllResult {
    try await beside { try await $0.syncAllInTurn(joiningHistories) }
  }

  private func syncAllInTurn(_ joiningHistories: Bool) async throws -> SyncAllResult {
    let known = try head
    let synchronizer = synchronizer
    let cloud = try openCloud()
    var results: RemoteResults
    do {
      results = try synchronizer.syncAll(joiningHistories: joiningHistories)
    } catch SyncError.noRemote where cloud != nil {
      return .alone(try await sync(joiningHistories: joiningHistories))
    }
    let failed = results.each.compactMap { result -> (any Error)? in
      if case .failure(let error) = result.outcome { error } else { nil }
    }
    noteSync(.git, failed.first)
    let visit = try await cloud?.visit()
    if visit?.changed.isEmpty == false {
      results = results.followed(
        by: try synchronizer.syncAll(joiningHistories: joiningHistories))
    }
    return .remotes(
      results, cloud: visit, losses: try losses(since: known, results.together))
  }

  /// Returns what a sync with every remote would exchange.
  public nonisolated func previewSyncAll() async throws -> RemoteResults {
    try await beside { try $0.synchronizer.syncAll(isDryRun: true) }
  }

  /// Returns the error for a household without a remote; a setting may forbid its project.
  private func nothingToSyncWith() throws -> any Error {
    guard try store.isOn(.localOnly) else { return SyncError.noRemote }
    return try store.cloudURL == nil ? SyncError.noRemote : CloudUseError.localOnly
  }

  private var head: ObjectID? {
    get throws { try store.repository?.head().commit }
  }

  private func openCloud() throws -> Cloud? {
    guard try !store.isOn(.localOnly) else { return nil }
    return try cloud()
  }

  private var synchronizer: Synchronizer {
    Synchronizer(store: store) { [context, root] event in
      if case .adopted(let adoption, let household) = event {
        context.report(.adopted(adoption, household, root: root))
      } else {
        context.report(.sync(event))
      }
    }
  }

  /// Returns the values that lost in the received merges and in the sync's own merge, and that
  /// nobody has written since then.
  func losses(since known: ObjectID?, _ outcome: SyncOutcome?) throws -> [LostWrite] {
    guard let outcome, outcome.received > 0 else { return [] }
    var losses: [LostWrite] = []
    try store.losses(since: known) { loss in
      if outcome.after[loss.value.key].map(loss.value.isKept) ?? false { losses.append(loss) }
      return true
    }
    return losses
  }
}

/// The outcome of a sync with git and the project.
public struct SyncResult: Sendable {
  /// The outcome of git, or its error; nil if there is no remote.
  public let git: Result<SyncOutcome, any Error>?
  /// The outcome of the project; nil if it was not part of the sync.
  public let cloud: CloudOutcome?
  /// The values that lost in git's merges and that nobody has written since then.
  public let losses: [LostWrite]

  init(
    git: Result<SyncOutcome, any Error>?, cloud: CloudOutcome? = nil, since known: ObjectID?,
    _ larder: isolated Larder
  ) throws {
    self.git = git
    self.cloud = cloud
    var outcome: SyncOutcome?
    if case .success(let done) = git { outcome = done }
    losses = try larder.losses(since: known, outcome)
  }
}

extension SyncResult {
  /// Throws the error of git, or the project's; what came from the other stays.
  public func check() throws {
    _ = try git?.get()
    if let failure = cloud?.failure { throw failure }
  }
}

/// The outcome of a sync with every remote.
public enum SyncAllResult: Sendable {
  /// There is no remote; only the project was synced with.
  case alone(SyncResult)
  case remotes(RemoteResults, cloud: CloudOutcome?, losses: [LostWrite])
}

/// The schedule of a watch's syncs with one target.
///
/// Each target has its own waiting times, so one that is unreachable for a while does not delay the
/// other.
struct TargetPlan {
  private(set) var next = Duration.zero
  private(set) var isUnderWay = false
  private var isWanted = false
  private var failures = 0

  /// Records that there is something to send.
  mutating func isAhead(at now: Duration) {
    if isUnderWay {
      isWanted = true
    } else if failures == 0 {
      next = now
    }
  }

  /// Records that the target has just become available; earlier failures no longer count.
  mutating func becameAvailable(at now: Duration) {
    failures = 0
    isAhead(at: now)
  }

  mutating func began() {
    isUnderWay = true
    isWanted = false
  }

  mutating func ended(at now: Duration, every interval: Duration) {
    isUnderWay = false
    failures = 0
    next = isWanted ? now : now + interval
  }

  /// Records a failure, and returns the time until the next attempt.
  ///
  /// It is an exponential backoff with full jitter (M. Brooker, "Exponential Backoff And Jitter",
  /// 2015), so devices that lost the remote at the same time don't all come back together. On
  /// average, the longest waits are as long as the usual interval.
  mutating func failed(
    at now: Duration, every interval: Duration, random: (Duration) -> Duration
  ) -> Duration {
    isUnderWay = false
    failures += 1
    let ceiling = min(WatchPlan.firstBackoff * (1 << min(failures - 1, 20)), interval * 2)
    let rest = random(ceiling)
    next = now + rest
    return rest
  }
}
