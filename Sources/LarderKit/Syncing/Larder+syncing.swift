internal import LarderGit
internal import LarderModel
internal import LarderStore
internal import LarderSync

/// A sync by all roads: git, then the project, then git again if the project brought something.
extension Larder {
  /// The names of the git remotes.
  public var remotes: [String] {
    get throws { try store.repository?.remotes() ?? [] }
  }

  /// Adds a git remote: a URL, or a path to a bare repository.
  public func addRemote(_ name: String = "origin", url: String) throws {
    try repository().addRemote(name, url: url)
  }

  /// Brings this device together with the others through git and the project.
  ///
  /// `remote` names the one remote to sync with, and leaves the project out. If one road is closed, the
  /// other is still taken; the outcome says so. Throws `SyncError` if there is no road at all, or none
  /// that is open, and ``CloudUseError`` with `localOnly` if the only one is closed by the setting.
  public func sync(
    remote: String? = nil, joiningHistories: Bool = false
  ) throws -> RoadsOutcome {
    let known = try head
    let synchronizer = synchronizer
    func syncByGit(_ named: String?) throws -> SyncOutcome {
      try synchronizer.sync(remote: named, joiningHistories: joiningHistories)
    }
    guard remote == nil, let cloud = try openCloud() else {
      do {
        return try RoadsOutcome(git: .success(syncByGit(remote)), since: known, self)
      } catch SyncError.noRemote {
        throw try noRoad()
      }
    }
    var git: Result<SyncOutcome, any Error>?
    do {
      git = .success(try syncByGit(nil))
    } catch SyncError.noRemote {
      // The project is the only road.
    } catch let error as GitError {
      git = .failure(error)
    } catch let error as SyncError {
      git = .failure(error)
    }
    let visit = try cloud.visit()
    if case .success(let first) = git, visit?.changed.isEmpty == false {
      git = Result { first.followed(by: try syncByGit(nil)) }
    }
    return try RoadsOutcome(git: git, cloud: visit, since: known, self)
  }

  /// Fetches, and tells how many commits and edits a sync would exchange; changes nothing else.
  public func previewSync(remote: String? = nil) throws -> SyncOutcome {
    do {
      return try synchronizer.sync(remote: remote, isDryRun: true)
    } catch SyncError.noRemote {
      throw try noRoad()
    }
  }

  /// Syncs with every remote, then with the project, then with every remote again if the project
  /// brought something.
  public func syncAll(joiningHistories: Bool = false) throws -> AllRoadsOutcome {
    let known = try head
    let synchronizer = synchronizer
    let cloud = try openCloud()
    var results: RemoteResults
    do {
      results = try synchronizer.syncAll(joiningHistories: joiningHistories)
    } catch SyncError.noRemote where cloud != nil {
      return .alone(try sync(joiningHistories: joiningHistories))
    }
    let visit = try cloud?.visit()
    if visit?.changed.isEmpty == false {
      results = results.followed(
        by: try synchronizer.syncAll(joiningHistories: joiningHistories))
    }
    return .remotes(
      results, cloud: visit, losses: try losses(since: known, results.together))
  }

  /// What a sync with every remote would exchange.
  public func previewSyncAll() throws -> RemoteResults { try synchronizer.syncAll(isDryRun: true) }

  /// The error if there is no remote: the only road may be closed by choice.
  private func noRoad() throws -> any Error {
    guard try store.isLocalOnly else { return SyncError.noRemote }
    return try store.cloudURL == nil ? SyncError.noRemote : CloudUseError.localOnly
  }

  private var head: ObjectID? {
    get throws { try store.repository?.head().commit }
  }

  private func openCloud() throws -> Cloud? {
    guard try !store.isLocalOnly else { return nil }
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

  /// The values that lost in merges that came with a sync, its own merge included, and that nobody has
  /// written since.
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

/// The outcome of a sync by all roads.
public struct RoadsOutcome {
  /// The outcome of git's road, or why it was closed; nil if there is no remote.
  public let git: Result<SyncOutcome, any Error>?
  /// The outcome of the visit to the project; nil if it was not part of the sync.
  public let cloud: CloudOutcome?
  /// The values that lost in git's merges and that nobody has written since.
  public let losses: [LostWrite]

  init(
    git: Result<SyncOutcome, any Error>?, cloud: CloudOutcome? = nil, since known: ObjectID?,
    _ larder: Larder
  ) throws {
    self.git = git
    self.cloud = cloud
    var outcome: SyncOutcome?
    if case .success(let done) = git { outcome = done }
    losses = try larder.losses(since: known, outcome)
  }
}

extension RoadsOutcome {
  /// Throws what kept a road closed; what came by the other one stays.
  public func check() throws {
    _ = try git?.get()
    if let failure = cloud?.failure { throw failure }
  }
}

/// The outcome of a sync with every remote.
public enum AllRoadsOutcome {
  /// The project is the only road.
  case alone(RoadsOutcome)
  case remotes(RemoteResults, cloud: CloudOutcome?, losses: [LostWrite])
}
